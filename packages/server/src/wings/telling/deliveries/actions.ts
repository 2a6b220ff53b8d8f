import { type EventName, isSafetyEvent } from '../../../catalogue/events.ts'
import { figureEvents, refusesFigures, seesFigures } from '../../../catalogue/figures.ts'
import { invalid, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { Scope } from '../../../catalogue/scopes.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Authors, type RecordedEvent, triggeredBy } from '../../../platform/outbox.ts'
import {
  hears,
  lockDestinations,
  payloadOf,
  projectOf,
  saveHealth,
  sourceEntityOf,
  subscriptions,
  testPayload,
} from '../destinations/index.ts'
import { dueAfter } from '../notifications/index.ts'
import { endedEvents } from '../tickets/index.ts'
import { type DeliveryStatus, endedFailed, outcomesOf, refusesRetry, type Settlement } from './delivery.ts'
import {
  type Delivery,
  findDelivery,
  hasWaiting,
  insertDeliveries,
  type Job,
  lockDelivery,
  restartDeliveries,
  restartDelivery,
  settleDeliveries,
  settleUneventful,
} from './queries.ts'

/** Writes the deliveries for the events of a change, in its transaction: they are sent only if it commits. */
export async function fanOut(tx: Tx, events: RecordedEvent[]): Promise<void> {
  const [first] = events
  if (!first) return
  const told = events.map((event) => {
    const ends = endedEvents({ event: event.name, ...event.payload, triggeredBy: triggeredBy(event.actor) })
    return { event, ends }
  })
  const subscribed = await subscriptions(tx, first, {
    names: events.map(({ name }) => name),
    ends: told.flatMap(({ ends }) => ends),
  })
  const deliveries = told.flatMap(({ event, ends }) =>
    subscribed
      .filter((each) => hears(each, event, ends))
      .map((destination) => {
        const { destinationId, secretId, eventProject, kind, times } = destination
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
          dueAt:
            kind === 'WEBHOOK' || isSafetyEvent(event.name)
              ? event.occurredAt
              : dueAfter(event.occurredAt, destination, times),
        }
      }),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, first.occurredAt)
}

/**
 * Why a caller who cannot read results cannot make this change of a destination: it would send figures to an address of
 * their choice.
 *
 * @param address the field of a new address, if there is one
 */
export async function refusesLeading(
  db: Db,
  caller: { scopes: ReadonlySet<Scope> },
  { id, events: told }: { id: string; events: readonly EventName[] },
  { events, address }: { events: readonly EventName[] | undefined; address: 'url' | 'config' | undefined },
): Promise<Refusal | undefined> {
  const refusal = refusesFigures(events ?? (address && told), caller)
  if (refusal || !address || seesFigures(caller) || !(await hasWaiting(db, id, figureEvents))) return refusal
  const message = 'Must not change while deliveries with results are waiting: this requires the scope results:read.'
  return invalid({ path: [address], message })
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
      const outcomes = settled
        .filter(({ job, settlement }) => job.destinationId === destination.id && written.has(settlement.id))
        .map(({ job, settlement }) => ({ status: settlement.status, isTest: job.isTest }))
      await saveHealth(tx, authorOf, destination, outcomesOf(outcomes))
    }
  })
}

/** A destination that is locked, with the secret of new cycles. */
interface Locked {
  id: string
  secretId: string
}

/** Starts a new cycle of attempts for a failed delivery. */
export async function retryFailed(
  tx: Tx,
  { id, secretId }: Locked,
  recordId: string,
  now: Date,
): Promise<Delivery | Refusal> {
  const delivery = await lockDelivery(tx, recordId)
  if (!delivery) return notFound('Delivery')
  const refusal = refusesRetry(delivery.status)
  if (refusal) return refusal
  await restartDelivery(tx, recordId, secretId, now)
  return (await findDelivery(tx, id, recordId))!
}

export interface ReplayRange {
  since: Date
  until: Date
  includeDelivered: boolean
  /** Events that are not sent again. */
  except?: readonly EventName[]
}

/** Starts new cycles for the deliveries of a range. Returns how many. */
export function replayRange(
  tx: Tx,
  { id, secretId }: Locked,
  { since, until, includeDelivered, except = [] }: ReplayRange,
  now: Date,
): Promise<number> {
  const statuses: DeliveryStatus[] = [
    'FAILED',
    'PERMANENTLY_FAILED',
    ...(includeDelivered ? ['DELIVERED' as const] : []),
  ]
  return restartDeliveries(tx, id, { since, until, statuses, except, secretId }, now)
}

/** Creates the record of a test ping, leased to the caller. If the caller crashes, a worker finishes it. */
export async function insertTestPing(
  tx: Tx,
  { id: destinationId, secretId, projectId }: Locked & { projectId: string },
  leaseUntil: Date,
  now: Date,
): Promise<string> {
  const deliveryId = newId()
  const id = newId()
  const payload = testPayload(deliveryId, await projectOf(tx, projectId), now)
  const row = {
    id,
    destinationId,
    deliveryId,
    eventId: null,
    eventType: 'webhook.test' as const,
    sourceEntityId: null,
    isTest: true,
    secretId,
    body: JSON.stringify(payload),
    attempts: 1,
    dueAt: leaseUntil,
  }
  await insertDeliveries(tx, [row], now)
  return id
}
