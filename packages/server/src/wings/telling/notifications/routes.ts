import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import {
  findOrganization,
  notificationSettingsOf,
  notificationSettingsSchema,
} from '../../people/organizations/index.ts'
import { previewOf } from './preview.ts'
import { latestEvents } from './queries.ts'
import { previewBody, previewSchema } from './schema.ts'

const dayMs = 86_400_000
/** Events that one preview looks at: about 20 ms of work. */
const maxEvents = 10_000

export function notificationRoutes(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/organization/notifications',
    operationId: 'getNotificationSettings',
    summary: 'Get the notification settings of the organization',
    description: 'Returns what filters and delays the events that webhooks and destinations receive.',
    tag: 'Organization',
    scope: 'integrations:read',
    data: notificationSettingsSchema,
    find: (_params: object, caller: { organization: { id: string } }) => findOrganization(db, caller.organization.id),
    handle: async ({ found }) => ({ data: notificationSettingsOf(found) }),
  })

  route({
    method: 'POST',
    url: '/api/dashboard/organization/notifications/preview',
    operationId: 'previewNotifications',
    summary: 'Preview a notification filter on past events',
    description: `Shows which of the latest events would pass: at most ${maxEvents}, of all projects. Nothing is changed.`,
    tag: 'Organization',
    access: 'administrator',
    scope: null,
    idempotent: false,
    body: previewBody,
    data: previewSchema,
    async handle({ caller, body: { notifications, days } }) {
      const wanted = new Date(now().getTime() - days * dayMs)
      const past = await latestEvents(db, caller.organization.id, wanted, maxEvents + 1)
      const hasMore = past.length > maxEvents
      const seen = past.slice(0, maxEvents)
      const since = hasMore ? seen.at(-1)!.occurredAt : wanted
      return { data: { ...previewOf(notifications, seen), since: since.toISOString(), hasMore } }
    },
  })
}
