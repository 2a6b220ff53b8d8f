import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import { chooseOrganization } from '../../../http/credentials.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import { changesSchema, exampleChange } from './schema.ts'
import type { LiveChanges } from './worker.ts'

export function liveRoutes(route: PersonRoute, changes: LiveChanges): void {
  route({
    method: 'GET',
    url: '/api/dashboard/stream',
    operationId: 'streamChanges',
    summary: 'Stream what changes in an organization',
    description:
      'Announces changes to everything that you can read, while the connection is open. The stream ends with the session, when your role or projects change, and when the node shuts down. Readers of experiments also get `event: presence` with `{ projectId, experimentId, people }` when the people who edit a web experiment change.',
    tag: 'Session',
    access: 'session',
    query: {
      orgId: idField.meta({ description: 'Id or short id of the organization. A browser cannot send a header here.' }),
      after: z.string().max(20).optional().meta({
        description: 'The id of the last event that you have. The header `Last-Event-ID` takes precedence.',
      }),
    },
    data: changesSchema,
    events: exampleChange,
    refusals: ['not_found'],
    async handle({ person, query: { orgId, after }, lastEventId }) {
      const caller = chooseOrganization(person, orgId)
      if (isRefusal(caller)) return caller
      const openEvents = await changes.join({ ...caller, user: person.user }, lastEventId ?? after)
      return isRefusal(openEvents) ? openEvents : { openEvents }
    },
  })
}
