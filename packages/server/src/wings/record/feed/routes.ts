import { z } from 'zod'
import { refuse } from '../../../catalogue/refusals.ts'
import { timeField } from '../../../fields.ts'
import { pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findProject, projectParams } from '../../flags/projects/index.ts'
import { payloadOf } from '../../telling/webhooks/index.ts'
import { lastSeq, listEvents } from './queries.ts'

const eventSchema = z
  .looseObject({
    seq: z.int().meta({ description: 'Counts a project’s events without a gap, in the order of their commits.' }),
    id: z.string(),
    event: z.string(),
    timestamp: timeField,
    project: z.object({ id: z.string(), shortId: z.int(), name: z.string() }),
  })
  .meta({ id: 'Event' })

/** The events that webhooks get, to be pulled: for receivers that were down, or that cannot be reached at all. */
export function feedRoutes(route: Route, { db }: { db: Db }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/events',
    operationId: 'listEvents',
    summary: 'Pull events',
    description:
      'The oldest first, from behind `after`. Whoever has seen number n has seen all before it. Without `after` it begins with the oldest that is kept; where events behind `after` are past their retention, the answer is 410.',
    tag: 'Event',
    scope: 'webhooks:read',
    feature: 'integrations_api_export',
    rateFamily: 'webhooks',
    params: projectParams,
    query: {
      limit: pageQuery.limit,
      after: z.coerce.number().int().min(0).default(0).meta({ description: 'The last `seq` that was seen.' }),
    },
    data: eventSchema.array(),
    paged: true,
    refusals: ['events_expired'],
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: { id, shortId, name }, query: { after, limit } }) {
      // In this order: what the counter has counted the list shows, or it is gone.
      const last = await lastSeq(db, id)
      const rows = await listEvents(db, id, after, limit + 1)
      const oldest = rows[0]?.seq ?? last + 1
      if (after > 0 && oldest > after + 1)
        return refuse('events_expired', `Event ${after + 1} is past its retention; the oldest is ${oldest}.`, {
          oldest,
        })
      const shown = rows.slice(0, limit)
      const hasMore = rows.length > limit
      const data = shown.map(({ seq, triggeredBy, ...event }) => ({
        seq,
        ...payloadOf(event.id, event, { id, shortId, name }, triggeredBy),
      }))
      return {
        data: data as z.input<typeof eventSchema>[],
        page: { nextCursor: hasMore ? String(shown.at(-1)?.seq) : null, hasMore },
      }
    },
  })
}
