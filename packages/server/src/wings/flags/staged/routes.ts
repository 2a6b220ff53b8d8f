import { isRefusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { contentEtag } from '../../../http/etag.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { stagedAudiences } from '../../model/audiences/index.ts'
import { findHidden } from '../../model/experiments/index.ts'
import { findStaged } from '../../model/flag-environments/index.ts'
import {
  environmentParams,
  environmentQueries,
  experimentsToo,
  findTypedEnvironment,
  unknownFlags,
} from '../projects/index.ts'
import { publishWarnings, type StagedList, stagedList, stagedListSchema } from '../publishing/index.ts'
import { discardOfExperiment, discardStaged } from './actions.ts'
import { discardBody, stagedQuery } from './schema.ts'

/** What waits for the next publish of an environment. */
export function stagedRoutes(route: Route, { db }: { db: Db }): void {
  const url = '/api/v1/projects/:projectId/environments/:envId/staged'
  const one = {
    tag: 'Environment',
    params: environmentParams,
    find: ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
      environmentQueries.find(db, caller.organization.id, projectId, envId),
  }
  const findWithType = ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
    findTypedEnvironment(db, caller.organization.id, projectId, envId)
  const present = async (envId: string, { reassignments, ...list }: StagedList) => ({
    envId,
    ...list,
    warnings: await publishWarnings(db, reassignments),
  })

  route({
    ...one,
    method: 'GET',
    url,
    operationId: 'listStagedChanges',
    summary: 'List the staged changes',
    description:
      'Lists what a publish would make live now, with the author of each change. The ETag changes exactly when the list does; numbers of visitors do not change it. Send it as `X-Svc-If-Match` with a publish to publish only what you have seen.',
    scope: 'flags:read',
    query: stagedQuery,
    data: stagedListSchema,
    revalidates: true,
    async handle({ found: { id, projectId }, query: { flagId, experimentId } }) {
      const unknown = flagId === undefined ? [] : await unknownFlags(db, projectId, [flagId])
      if (unknown.length > 0) return refuseUnknown('flagId', 'This project has no flag', unknown)
      const experiment = experimentId === undefined ? undefined : await findHidden(db, projectId, experimentId)
      if (experimentId !== undefined && !experiment)
        return refuseUnknown('experimentId', 'This project has no web experiment', [experimentId])
      const chosen = [flagId, experiment?.flagId].filter((each) => each !== undefined)
      const flagIds = chosen.length > 0 ? chosen : null
      // A publish of chosen flags leaves audiences as they are.
      const list = stagedList(await findStaged(db, id, flagIds), flagIds ? [] : await stagedAudiences(db, id))
      return { data: await present(id, list), etag: contentEtag(list) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/discard`,
    operationId: 'discardStagedChanges',
    summary: 'Discard staged changes of a flag or of a web experiment',
    description:
      'Replaces the drafted values at these paths with the live ones: a new rule is removed, a deleted rule is restored and a moved rule returns to its place. Returns the changes of the flag that are still staged. A change of variations is discarded in all environments, because they share the variations of the flag.',
    scope: 'flags:write',
    find: findWithType,
    alsoNeeds: experimentsToo,
    body: discardBody,
    data: stagedListSchema,
    etag: true,
    conditional: true,
    async handle({ found: { id, projectId, name }, by, body: { flagId, experimentId, paths }, ifMatch }) {
      const which = { projectId, envId: id }
      const left =
        experimentId === undefined
          ? await discardStaged(db, by, ifMatch, { ...which, envName: name, flagId: flagId! }, paths)
          : await discardOfExperiment(db, by, ifMatch, { ...which, experimentId }, paths)
      return isRefusal(left) ? left : { data: await present(id, left), etag: contentEtag(left) }
    },
  })
}
