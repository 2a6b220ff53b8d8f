import { z } from 'zod'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { rulesNaming } from '../../model/versions/index.ts'
import { findProject, projectParams } from '../projects/index.ts'
import { audienceEtag, createAudience, deleteAudience, updateAudience } from './actions.ts'
import { maxShownUses } from './audience.ts'
import { type Audience, findAudience, listAudiences } from './queries.ts'
import { audienceParams, audienceSchema, createAudienceBody, updateAudienceBody } from './schema.ts'

export function audienceRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  const tag = 'Audience'
  const url = '/api/v1/projects/:projectId/audiences'

  route({
    method: 'GET',
    url,
    operationId: 'listAudiences',
    summary: 'List audiences',
    description: 'Newest first.',
    tag,
    scope: 'audiences:read',
    params: projectParams,
    query: pageQuery,
    data: audienceSchema.array(),
    paged: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found: project, query }) {
      const list = ['audiences', caller.organization.id, project.id]
      const read = (after: string | null, limit: number) => listAudiences(db, project.id, after, limit)
      return cursors.list(query, list, read, (audiences) => present(project.id, audiences))
    },
  })

  route({
    method: 'POST',
    url,
    operationId: 'createAudience',
    summary: 'Create an audience',
    description: 'Rules name it by `audienceIds` or by a condition `{ "audience": id }`.',
    tag,
    scope: 'audiences:write',
    params: projectParams,
    body: createAudienceBody,
    data: audienceSchema,
    status: 201,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: project, by, body }) {
      return answer(await createAudience(db, by, { orgId: project.orgId, projectId: project.id }, body))
    },
  })

  const one = {
    tag,
    params: audienceParams,
    find: (params: { projectId: string; audienceId: string }, caller: InOrganization) =>
      findAudience(db, caller.organization.id, params),
  }

  route({
    ...one,
    method: 'GET',
    url: `${url}/:audienceId`,
    operationId: 'getAudience',
    summary: 'Get an audience',
    scope: 'audiences:read',
    data: audienceSchema,
    handle: ({ found }) => answer(found),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:audienceId`,
    operationId: 'updateAudience',
    summary: 'Update an audience',
    description: 'Conditions reach visitors with the next publish of each environment that uses the audience.',
    scope: 'audiences:write',
    body: updateAudienceBody,
    data: audienceSchema,
    conditional: true,
    async handle({ caller, found, by, body, ifMatch }) {
      return answer(
        await updateAudience(db, by, ifMatch, { orgId: caller.organization.id, audienceId: found.id }, body),
      )
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:audienceId`,
    operationId: 'deleteAudience',
    summary: 'Delete an audience',
    description: 'Refused while a rule names it, drafted or live.',
    scope: 'audiences:write',
    data: z.null(),
    async handle({ caller, found, by }) {
      const which = { orgId: caller.organization.id, projectId: found.projectId, audienceId: found.id }
      const result = await deleteAudience(db, by, which)
      return isRefusal(result) ? result : { data: null }
    },
  })

  async function answer(audience: Audience | Refusal) {
    if (isRefusal(audience)) return audience
    const [data] = await present(audience.projectId, [audience])
    return { data: data!, etag: audienceEtag(audience) }
  }

  async function present(projectId: string, audiences: Audience[]) {
    const ids = audiences.map(({ id }) => id)
    const uses = await rulesNaming(db, projectId, ids, maxShownUses)
    return audiences.map(({ version: _version, createdAt, updatedAt, ...audience }) => ({
      ...audience,
      usedBy: uses
        .filter(({ named }) => named === audience.id)
        .map(({ type, id, flagId, envId }) => ({ type, id, flagId, envId })),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
