import { isOrganizationWide } from '../../../catalogue/events.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Authors, type RecordedEvent, systemActor, triggeredBy } from '../../../platform/outbox.ts'
import type { Readability, Seal } from '../../../platform/seal.ts'
import { passes } from '../notifications/index.ts'
import { endedFailed, type Settlement } from './delivery.ts'
import { disableReason, healthAfter } from './health.ts'
import { payloadOf, sourceEntityOf } from './payload.ts'
import {
  insertDeliveries,
  type Job,
  lockDestinations,
  saveDisabled,
  saveFailures,
  sealedSecrets,
  settleDeliveries,
  settleUneventful,
  subscriptions,
} from './queries.ts'

/** How many of the newest secrets are sealed, and how many of them this key cannot open. */
export async function unreadableSecrets(db: Db, seal: Seal, limit: number): Promise<Readability> {
  const secrets = await sealedSecrets(db, limit)
  const unreadable = secrets.filter(({ id, sealed }) => !seal.opens(sealed, id))
  return { sealed: secrets.length, unreadable: unreadable.length }
}

/** Writes the deliveries for the events of a change, in its transaction: they are sent only if it commits. */
export async function fanOut(tx: Tx, events: RecordedEvent[]): Promise<void> {
  const [first] = events
  if (!first) return
  const subscribed = await subscriptions(
    tx,
    first,
    events.map(({ name }) => name),
  )
  const deliveries = events.flatMap((event) =>
    subscribed
      .filter(({ events: names }) => names.includes(event.name))
      .filter(({ projectId }) => projectId === event.projectId || isOrganizationWide(event.name))
      .filter(({ filter }) => passes(filter, event))
      .map(({ destinationId, secretId, eventProject }) => {
        const deliveryId = newId()
        const body = payloadOf(deliveryId, event, eventProject, triggeredBy(event.actor))
        return {
          id: newId(),
          destinationId,
          deliveryId,
          eventId: event.id,
          eventType: event.name,
          sourceEntityId: sourceEntityOf(event.name, body),
          isTest: false,
          secretId,
          body: JSON.stringify(body),
          attempts: 0,
          dueAt: event.occurredAt,
        }
      }),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, first.occurredAt)
}

interface Settled {
  job: Job
  settlement: Settlement
}

/**
 * Writes results and updates their destinations: the failure counter and, after too many consecutive failures, the switch
 * with its reason and event.
 */
export async function settle(db: Db, authorOf: Authors, settled: readonly Settled[]): Promise<void> {
  const failing = new Set(
    settled.filter(({ settlement }) => endedFailed(settlement.status)).map(({ job }) => job.destinationId),
  )
  const uneventful = settled.filter(({ job }) => !failing.has(job.destinationId)).map(({ settlement }) => settlement)
  const written = uneventful.length > 0 ? await settleUneventful(db, uneventful) : new Set<string>()
  const others = settled.filter(({ settlement }) => !written.has(settlement.id))
  if (others.length > 0) await settleWithDestinations(db, authorOf, others)
}

/** Settles results in one transaction with the destinations that they change. */
async function settleWithDestinations(db: Db, authorOf: Authors, settled: readonly Settled[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ids = [...new Set(settled.map(({ job }) => job.destinationId))]
    const destinations = await lockDestinations(tx, ids)
    const written = await settleDeliveries(
      tx,
      settled.map(({ settlement }) => settlement),
    )
    for (const destination of destinations) {
      const { id, name, orgId, projectId, enabled, consecutiveFailures } = destination
      const outcomes = settled
        .filter(({ job, settlement }) => job.destinationId === id && written.has(settlement.id))
        .map(({ job, settlement }) => ({ status: settlement.status, isTest: job.isTest }))
      const health = healthAfter(destination, outcomes)
      if (enabled === health.enabled) {
        if (health.consecutiveFailures !== consecutiveFailures) await saveFailures(tx, id, health.consecutiveFailures)
        continue
      }
      const author = authorOf(systemActor('webhook deliveries'))
      await saveDisabled(tx, { id, consecutiveFailures: health.consecutiveFailures }, disableReason, author.now)
      await author.record(tx, {
        orgId,
        projectId,
        action: 'webhook.disable',
        object: { type: 'webhook', id, name },
        after: { enabled: false, disableReason },
        events: [
          { name: 'webhook.disabled', payload: { webhook: { id, name, enabled: false }, reason: disableReason } },
        ],
      })
    }
  })
}
