import { idField } from '../../../fields.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { audienceQueries } from '../../flags/audiences/index.ts'
import { environmentParams, environmentQueries, findProject } from '../../flags/projects/index.ts'
import { reachOf, seenAttributes } from './actions.ts'
import { reachSchema, seenAttributesSchema } from './schema.ts'

export function seenRoutes(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  const samples = async (orgId: string, projectId: string) =>
    (await findProject(db, orgId, projectId))?.samplesVisitors ?? false

  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/environments/:envId/attributes',
    operationId: 'getSeenAttributes',
    summary: 'See which attributes visitors have',
    description:
      'The attributes of visitors that the environment has seen lately, with frequent values: what forms suggest for conditions. They come from a sample of at most 1,000 visitors of the last 7 days, from exposures and OFREP evaluations. Rare values, e-mail addresses and the values of attributes that have too many are left out.',
    tag: 'Environment',
    scope: 'flags:read',
    params: environmentParams,
    data: seenAttributesSchema,
    find: ({ projectId, envId }, caller) => environmentQueries.find(db, caller.organization.id, projectId, envId),
    handle: async ({ found, caller }) => ({
      data: await seenAttributes(db, found.id, await samples(caller.organization.id, found.projectId)),
    }),
  })

  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/audiences/:audienceId/envs/:envId/reach',
    operationId: 'getAudienceReach',
    summary: 'Estimate how many visitors match an audience',
    description:
      'Evaluates the conditions of the audience, as edited, for a sample of at most 1,000 visitors that the environment has seen in the last 7 days. The sample comes from exposures and OFREP evaluations, so visitors who were never part of an A/B test can be missing.',
    tag: 'Audience',
    scope: 'audiences:read',
    params: { projectId: idField, audienceId: idField, envId: idField },
    data: reachSchema,
    async find({ projectId, audienceId, envId }, caller) {
      const audience = await audienceQueries.find(db, caller.organization.id, projectId, audienceId)
      const environment = audience && (await environmentQueries.find(db, caller.organization.id, projectId, envId))
      return environment && { audience, envId: environment.id }
    },
    async handle({ found: { audience, envId }, caller }) {
      const samplesVisitors = await samples(caller.organization.id, audience.projectId)
      return { data: await reachOf(db, { audience, envId, samplesVisitors }, now()) }
    },
  })
}
