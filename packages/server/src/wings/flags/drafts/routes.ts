import { isRefusal, notFound } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findFlag, flagEnvironmentParams, flagEtag } from '../flags/index.ts'
import { flagInEnvironmentSchema, presentFlagInEnvironment } from '../switches/index.ts'
import { replaceDraft } from './actions.ts'
import { draftBody } from './schema.ts'

/** The whole draft of a flag in an environment, in one write. */
export function draftRoutes(route: Route, { db }: { db: Db }): void {
  route({
    method: 'PUT',
    url: '/api/v1/projects/:projectId/flags/:flagId/envs/:envId/draft',
    operationId: 'replaceDraft',
    summary: 'Replace the draft of a flag in an environment',
    description:
      'The default variation, all rules and, if given, the overrides: all of it or nothing. Staged until the next publish. Takes `draft` as `GET` of the flag in the environment answers it.',
    tag: 'Rule',
    scope: 'flags:write',
    params: flagEnvironmentParams,
    body: draftBody,
    data: flagInEnvironmentSchema,
    refusals: ['reassignment_unconfirmed'],
    etag: true,
    conditional: true,
    find: (params: { projectId: string; flagId: string; envId: string }, caller: InOrganization) =>
      findFlag(db, caller.organization.id, params),
    async handle({ params: { envId }, found, by, body, ifMatch }) {
      const flag = await replaceDraft(db, by, ifMatch, { flagId: found.id, envId }, body)
      if (isRefusal(flag)) return flag
      const data = await presentFlagInEnvironment(db, flag, envId)
      return data ? { data, etag: flagEtag(flag) } : notFound('Flag')
    },
  })
}
