import { z } from 'zod'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Publishing } from '../../serving/datafile/index.ts'
import { findProject, projectParams } from '../projects/index.ts'
import { createSegment, deleteSegment, replaceMembers, segmentEtag, updateSegment } from './actions.ts'
import { findSegment, listSegments, type Segment } from './queries.ts'
import { createSegmentBody, membersBody, segmentParams, segmentSchema, updateSegmentBody } from './schema.ts'
import { maxMembers, readCsv } from './segment.ts'

const maxUploadBytes = 8 * 1024 * 1024
/** Some ids may be sent twice. */
const maxUploadItems = 2 * maxMembers

interface Context {
  db: Db
  cursors: Cursors
  change: Publishing
}

export function segmentRoutes(route: Route, { db, cursors, change }: Context): void {
  const tag = 'Segment'
  const url = '/api/v1/projects/:projectId/segments'

  route({
    method: 'GET',
    url,
    operationId: 'listSegments',
    summary: 'List segments',
    description: 'Newest first.',
    tag,
    scope: 'segments:read',
    params: projectParams,
    query: pageQuery,
    data: segmentSchema.array(),
    paged: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found: project, query }) {
      const list = ['segments', caller.organization.id, project.id]
      const read = (after: string | null, limit: number) => listSegments(db, project.id, after, limit)
      return cursors.list(query, list, read, (segments) => segments.map(present))
    },
  })

  route({
    method: 'POST',
    url,
    operationId: 'createSegment',
    summary: 'Create a segment',
    description: 'It is empty. Conditions name it by `{ "segment": id }`.',
    tag,
    scope: 'segments:write',
    params: projectParams,
    body: createSegmentBody,
    data: segmentSchema,
    status: 201,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: project, by, body }) {
      return answer(await createSegment(db, by, { orgId: project.orgId, projectId: project.id }, body))
    },
  })

  const one = {
    tag,
    params: segmentParams,
    find: (params: { projectId: string; segmentId: string }, caller: InOrganization) =>
      findSegment(db, caller.organization.id, params),
  }
  const which = (caller: InOrganization, { id, projectId }: Segment) => ({
    orgId: caller.organization.id,
    projectId,
    segmentId: id,
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:segmentId`,
    operationId: 'getSegment',
    summary: 'Get a segment',
    description: 'How many ids it holds; the ids themselves are never answered.',
    scope: 'segments:read',
    data: segmentSchema,
    handle: ({ found }) => answer(found),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:segmentId`,
    operationId: 'updateSegment',
    summary: 'Update name or description',
    scope: 'segments:write',
    body: updateSegmentBody,
    data: segmentSchema,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      return answer(await updateSegment(db, by, ifMatch, which(caller, found), body))
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:segmentId`,
    operationId: 'deleteSegment',
    summary: 'Delete a segment',
    description: 'Refused while a rule or an audience names it, drafted or live.',
    scope: 'segments:write',
    data: z.null(),
    async handle({ caller, found, by }) {
      const result = await deleteSegment(db, by, which(caller, found))
      return isRefusal(result) ? result : { data: null }
    },
  })

  route({
    ...one,
    method: 'PUT',
    url: `${url}/:segmentId/members`,
    operationId: 'replaceSegmentMembers',
    summary: 'Replace the members',
    description: `Up to ${maxMembers} visitor ids, each once however often it is sent. Acts when the call returns.`,
    scope: 'segments:write',
    body: membersBody,
    upload: { maxBytes: maxUploadBytes, maxItems: maxUploadItems, csv: readCsv },
    data: segmentSchema,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      return answer(await replaceMembers(change, by, ifMatch, which(caller, found), body.ids))
    },
  })
}

const answer = async (segment: Segment | Refusal) =>
  isRefusal(segment) ? segment : { data: present(segment), etag: segmentEtag(segment) }

const present = ({ version: _version, createdAt, updatedAt, ...segment }: Segment) => ({
  ...segment,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
