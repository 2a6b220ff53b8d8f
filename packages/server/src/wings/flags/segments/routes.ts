import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Caller } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import type { Publishing } from '../../serving/datafile/index.ts'
import { projectNounRoutes } from '../projects/index.ts'
import { editMembers, segments } from './actions.ts'
import { audiencesNaming, listMembers, type Segment } from './queries.ts'
import { createSegmentBody, editMembersBody, membersBody, segmentSchema, updateSegmentBody } from './schema.ts'
import { fileOf, maxEditedMembers, maxMembers, maxShownUses, readCsv } from './segment.ts'

const maxUploadBytes = 8 * 1024 * 1024
const fileType = 'text/plain; charset=utf-8'
const exportedAtOnce = 10_000
/** An upload can contain duplicates. */
const maxUploadItems = 2 * maxMembers

interface Context {
  db: Db
  cursors: Cursors
  change: Publishing
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function segmentRoutes(route: Route, { db, cursors, change }: Context): void {
  const { one, url } = projectNounRoutes(route, { db, cursors }, segments, {
    writtenBy: 'segments:write',
    data: segmentSchema,
    present,
    create: {
      text: 'The segment is empty at first. Conditions refer to it by `{ "segment": id }`.',
      body: createSegmentBody,
    },
    update: {
      summary: 'Update the name or description',
      body: updateSegmentBody,
    },
    texts: {
      get: 'Returns the number of ids; `…/members` lists the ids.',
      delete: 'A segment can be deleted once no drafted or live rule or audience refers to it.',
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/members`,
    operationId: 'listSegmentMembers',
    summary: 'List the members',
    description:
      'Lists the ids in the order of their UTF-8 bytes. Every member of the organization has the read scope.',
    scope: 'segments:write',
    query: {
      ...pageQuery,
      startsWith: z.string().max(512).optional().meta({
        description:
          'Only ids that begin with this text; upper and lower case differ. If an id is this text, it comes first.',
      }),
    },
    data: z.string().array(),
    paged: true,
    async handle({ found, query }) {
      const { startsWith = '' } = query
      const list = ['members', found.projectId, found.id, ...(startsWith === '' ? [] : [startsWith])]
      const read = (after: string | null, limit: number) => listMembers(db, found.id, after, limit, startsWith)
      return cursors.list(query, list, read, (rows) => rows.map(({ id }) => id))
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/members/export`,
    operationId: 'exportSegmentMembers',
    summary: 'Export the members',
    description:
      'A text file with all ids, one in each line, after the heading `id`. An upload reads it again. It is no CSV for spreadsheets, which would change ids such as 007 or +31.',
    scope: 'segments:write',
    data: z.string(),
    downloads: { [fileType]: fileOf(['u-17', 'u-18'], true) },
    async handle({ found }) {
      // Read before the answer begins, so that an unreachable database is still a 503.
      const first = await listMembers(db, found.id, null, exportedAtOnce)
      return { download: { name: `${found.key}.txt`, mediaType: fileType, content: membersFrom(db, found.id, first) } }
    },
  })

  for (const [edit, Edit] of [
    ['add', 'Add'],
    ['remove', 'Remove'],
  ] as const)
    route({
      ...one,
      method: 'POST',
      url: `${url}/members/${edit}`,
      operationId: `${edit}SegmentMembers`,
      summary: `${Edit} members`,
      description: `1 to ${maxEditedMembers} visitor ids. Other members do not change. The change takes effect before the call returns.`,
      scope: 'segments:write',
      body: editMembersBody,
      data: segmentSchema,
      etag: true,
      conditional: true,
      async handle({ caller, found, by, body, ifMatch }) {
        const segment = await editMembers(change, by, ifMatch, which(caller, found), edit, body.ids)
        return isRefusal(segment) ? segment : { data: (await present([segment]))[0]!, etag: segments.etag(segment) }
      },
    })

  route({
    ...one,
    method: 'PUT',
    url: `${url}/members`,
    operationId: 'replaceSegmentMembers',
    summary: 'Replace the members',
    description: `Up to ${maxMembers} visitor ids. Duplicates are ignored. The change takes effect before the call returns.`,
    scope: 'segments:write',
    body: membersBody,
    upload: { maxBytes: maxUploadBytes, maxItems: maxUploadItems, csv: readCsv },
    data: segmentSchema,
    etag: true,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      const segment = await editMembers(change, by, ifMatch, which(caller, found), 'replace', body.ids)
      return isRefusal(segment) ? segment : { data: (await present([segment]))[0]!, etag: segments.etag(segment) }
    },
  })

  async function present(rows: Segment[]) {
    const ids = rows.map(({ id }) => id)
    const projectId = rows[0]?.projectId
    const [rules, audiences] = projectId
      ? await Promise.all([
          rulesNaming(db, projectId, ids, maxShownUses),
          audiencesNaming(db, projectId, ids, maxShownUses),
        ])
      : [[], []]
    return rows.map(({ version: _version, createdAt, updatedAt, ...segment }) => ({
      ...segment,
      usedBy: [
        ...rules.filter(({ named }) => named === segment.id).map(({ use }) => use),
        ...audiences.filter(({ named }) => named === segment.id).map(({ type, id }) => ({ type, id })),
      ],
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}

/** The members from a first portion on. Each portion goes on after the last id, whatever was changed meanwhile. */
async function* membersFrom(db: Db, segmentId: string, first: readonly { id: string }[]): AsyncGenerator<string> {
  yield fileOf(
    first.map(({ id }) => id),
    true,
  )
  for (let last = first; last.length === exportedAtOnce; ) {
    last = await listMembers(db, segmentId, last.at(-1)!.id, exportedAtOnce)
    yield fileOf(
      last.map(({ id }) => id),
      false,
    )
  }
}

const which = ({ organization }: Caller, { id, projectId }: Segment) => ({
  orgId: organization.id,
  projectId,
  segmentId: id,
})
