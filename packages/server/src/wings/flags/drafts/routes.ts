import { isRefusal, notFound, refuseUnknown } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findFlag, flagEnvironmentParams, flagEtag } from '../flags/index.ts'
import { environmentParams, environmentQueries, unknownFlags } from '../projects/index.ts'
import { previewPublish, previewSchema, visitorsUpload } from '../publishing/index.ts'
import { flagInEnvironmentSchema, presentFlagInEnvironment } from '../switches/index.ts'
import { rehearseDrafts, replaceDraft } from './actions.ts'
import { draftBody, previewDraftsBody } from './schema.ts'

/** The whole draft of a flag in an environment, in one write. */
export function draftRoutes(route: Route, { db }: { db: Db }): void {
  route({
    method: 'PUT',
    url: '/api/v1/projects/:projectId/flags/:flagId/envs/:envId/draft',
    operationId: 'replaceDraft',
    summary: 'Replace the draft of a flag in an environment',
    description:
      'Replaces the default variation, all rules and, if given, the overrides in one step. The changes are staged until the next publish. The body has the form of the `draft` that `GET` of the flag in the environment returns.',
    tag: 'Rule',
    scope: 'flags:write',
    params: flagEnvironmentParams,
    body: draftBody,
    data: flagInEnvironmentSchema,
    refusals: ['reassignment_unconfirmed'],
    etag: true,
    conditional: true,
    stages: true,
    find: (params: { projectId: string; flagId: string; envId: string }, caller: InOrganization) =>
      findFlag(db, caller.organization.id, params),
    async handle({ params: { envId }, found, by, body, ifMatch }) {
      const flag = await replaceDraft(db, by, ifMatch, { flagId: found.id, envId }, body)
      if (isRefusal(flag)) return flag
      const data = await presentFlagInEnvironment(db, flag, envId)
      return data ? { data, etag: flagEtag(flag) } : notFound('Flag')
    },
  })

  route({
    method: 'POST',
    url: '/api/v1/projects/:projectId/environments/:envId/drafts/preview',
    operationId: 'previewDrafts',
    idempotent: false,
    summary: 'Preview drafts',
    description:
      'Shows how many visitors would get a different value if these drafts and audiences were staged and published. `svc plan` uses this call. Each draft is checked separately, in the same way as a replacement. Nothing is staged, and the visitors are not stored. A new rule without `salt` gets a random salt in each preview, so its visitors differ each time.',
    tag: 'Environment',
    scope: 'flags:read',
    params: environmentParams,
    body: previewDraftsBody,
    data: previewSchema,
    upload: visitorsUpload,
    find: ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
      environmentQueries.find(db, caller.organization.id, projectId, envId),
    async handle({ found: { id: envId, projectId }, by, body: { flagIds, visitors, ...asked }, gone }) {
      const known = async (field: string, ids: string[]) => {
        const unknown = ids.length > 0 ? await unknownFlags(db, projectId, [...new Set(ids)]) : []
        return unknown.length > 0 ? refuseUnknown(field, 'This project has no flag', unknown) : undefined
      }
      const drafted = asked.drafts.map(({ flagId }) => flagId)
      const refusal = (await known('flagIds', flagIds ?? [])) ?? (await known('drafts', drafted))
      if (refusal) return refusal
      const asIf = await rehearseDrafts(db, by, envId, asked)
      if (isRefusal(asIf)) return asIf
      const preview = await previewPublish(db, { envId, projectId, flagIds, visitors, asIf, now: by.now, gone: gone() })
      return isRefusal(preview) ? preview : { data: preview }
    },
  })
}
