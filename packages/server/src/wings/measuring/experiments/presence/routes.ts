import type { Caller } from '../../../../http/credentials.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { dashboardUrl } from '../editor/routes.ts'
import { presenceBody, presenceSchema } from './schema.ts'
import type { PresenceOnNode } from './worker.ts'

interface Context {
  presence: PresenceOnNode
  one: OneOf<Experiment>
}

export function presenceRoutes(route: Route, { presence, one }: Context): void {
  route({
    ...one,
    method: 'POST',
    url: `${dashboardUrl}/presence`,
    operationId: 'sayPresence',
    summary: 'Say that you edit a web experiment, and hear who else does',
    description:
      'Say it every 20 seconds. Without a word, you are gone after 45 seconds. The answer has the other people; streams of the dashboard get them as `presence`. Nothing is stored.',
    access: 'session',
    scope: 'experiments:write',
    body: presenceBody,
    data: presenceSchema,
    idempotent: false,
    opensToEditors: 'WHILE_IDLE',
    /** An experiment of a flag has no pages. */
    async find(params: Parameters<typeof one.find>[0], caller: Caller) {
      const experiment = await one.find(params, caller)
      return experiment?.type === 'WEB' ? experiment : undefined
    },
    async handle({ caller, found: { id: experimentId, projectId }, body }) {
      const { id: userId, name } = caller.user!
      const people = await presence.say({
        ...{ orgId: caller.organization.id, projectId, experimentId },
        ...{ userId, name, ...body },
      })
      return { data: { people } }
    },
  })
}
