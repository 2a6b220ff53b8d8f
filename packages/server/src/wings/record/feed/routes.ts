import { z } from 'zod'
import { eventNames } from '../../../catalogue/events.ts'
import { shownBody } from '../../../catalogue/figures.ts'
import { invalid, refuse } from '../../../catalogue/refusals.ts'
import { inDigits, timeField } from '../../../fields.ts'
import { pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findProject, projectParams } from '../../flags/projects/index.ts'
import { payloadOf } from '../../telling/destinations/index.ts'
import { firstSeqAfter, lastSeq, listEvents } from './queries.ts'

const seqField = inDigits(z.int().min(0))

const eventSchema = z
  .looseObject({
    seq: z
      .int()
      .meta({ description: 'Number of the event in the project, without gaps, in the order of the commits.' }),
    id: z.string(),
    event: z.string(),
    timestamp: timeField,
    project: z.object({ id: z.string(), shortId: z.int(), name: z.string() }),
  })
  .meta({ id: 'Event' })

/** The events of webhooks, to be pulled by receivers that were down or cannot be reached. */
export function feedRoutes(route: Route, { db }: { db: Db }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/events',
    operationId: 'listEvents',
    summary: 'Pull events',
    description:
      'Oldest first, beginning after the number `after`. Without `after`, the list begins with the oldest event that is kept. If events after `after` have been deleted, the answer is 410. With `event`, `seq` skips the events of other names. Without the scope `results:read`, the figures of results are omitted.',
    tag: 'Event',
    scope: 'webhooks:read',
    feature: 'integrations_api_export',
    rateFamily: 'webhooks',
    params: projectParams,
    query: {
      limit: pageQuery.limit,
      after: seqField.optional().meta({ description: 'The last `seq` that you have received.' }),
      cursor: seqField.optional().meta({ description: 'The same as `after`, for clients that page by `nextCursor`.' }),
      event: z.enum(eventNames).optional().meta({ description: 'Only events of this name.' }),
    },
    data: eventSchema.array(),
    paged: true,
    refusals: ['events_expired'],
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: { id, shortId, name }, query: { limit, event, ...query }, caller }) {
      if (query.after !== undefined && query.cursor !== undefined)
        return invalid({ path: ['cursor'], message: 'Must not be sent together with `after`, which means the same.' })
      const after = query.after ?? query.cursor ?? 0
      // In this order: every number up to the counter is either in the list or deleted.
      const last = await lastSeq(db, id)
      const oldest = (await firstSeqAfter(db, id, after)) ?? last + 1
      if (after > 0 && oldest > after + 1)
        return refuse('events_expired', `Event ${after + 1} has been deleted. The oldest event is ${oldest}.`, {
          oldest,
        })
      const rows = await listEvents(db, id, { after, name: event }, limit + 1)
      const shown = rows.slice(0, limit)
      const hasMore = rows.length > limit
      const data = shown.map(({ seq, triggeredBy, ...event }) => ({
        seq,
        ...shownBody(payloadOf(event.id, event, { id, shortId, name }, triggeredBy), caller),
      }))
      return {
        data: data as z.input<typeof eventSchema>[],
        page: { nextCursor: hasMore ? String(shown.at(-1)?.seq) : null, hasMore },
      }
    },
  })
}
