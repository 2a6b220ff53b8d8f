import { isRefusal } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { environmentParams, environmentQueries } from '../projects/index.ts'
import { restoreRevision } from './actions.ts'
import { listRevisions, type RevisionRow } from './queries.ts'
import { maxListedFlags, restoreBody, restoreSchema, revisionParams, revisionSchema } from './schema.ts'

export function revisionRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  const url = '/api/v1/projects/:projectId/environments/:envId/revisions'
  const one = {
    tag: 'Environment',
    find: ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
      environmentQueries.find(db, caller.organization.id, projectId, envId),
  }

  route({
    ...one,
    method: 'GET',
    url,
    operationId: 'listRevisions',
    summary: 'List the revisions of the data file',
    description: 'Lists revisions, newest first, with their author and the flags that they changed.',
    scope: 'projects:read',
    params: environmentParams,
    query: pageQuery,
    data: revisionSchema.array(),
    paged: true,
    async handle({ caller, found, query }) {
      const list = ['revisions', caller.organization.id, found.id]
      const read = (after: string | null, limit: number) =>
        listRevisions(db, found.id, after === null ? null : Number(after), limit, maxListedFlags)
      return cursors.list(query, list, read, (rows) => rows.map(presentRevision))
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:revision/restore`,
    operationId: 'restoreRevision',
    summary: 'Stage the state of an earlier revision',
    description:
      'Default variations, overrides and rules of every flag that still exists become drafts as they were; publish them to serve them. Switches stay. With `flagIds`, only these flags are restored, and other drafts stay as they are.',
    scope: 'flags:write',
    params: revisionParams,
    body: restoreBody,
    data: restoreSchema,
    async handle({ caller, found, by, params: { revision }, body }) {
      const flagIds = body?.flagIds ?? null
      const which = { orgId: caller.organization.id, projectId: found.projectId, envId: found.id, revision, flagIds }
      const result = await restoreRevision(db, by, which)
      if (isRefusal(result)) return result
      return { data: { envId: found.id, revision, changed: result.flags.length > 0, flags: result.flags } }
    },
  })
}

const presentRevision = ({ id: _id, publisher, publishedAt, ...rest }: RevisionRow) => ({
  ...rest,
  publishedAt: publishedAt?.toISOString() ?? null,
  publishedBy: publisher,
})
