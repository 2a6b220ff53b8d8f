import type { Database } from '../../../platform/db/index.ts'
import type { Attempt } from '../../../platform/outbound/index.ts'
import type { Authors } from '../../../platform/outbox.ts'
import { type Kind, type QueueWorker, queueWorker } from '../../../platform/queue/index.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import { deleteOldSecrets } from '../destinations/index.ts'
import { deleteOldRefs } from '../tickets/index.ts'
import { settle } from './actions.ts'
import type { Settlement } from './delivery.ts'
import { claimDue, deleteOldDeliveries, deliveriesChannel, type Job, releaseJobs, releaseLeases } from './queries.ts'

export interface DeliverySettings {
  ladderMs: readonly number[]
  /** The time limit of one attempt. */
  timeoutMs: number
}

/** Writes a log line and counts metrics for each attempt at a delivery. */
export interface DeliveryObserver {
  attempted(attempted: {
    job: Pick<Job, 'id' | 'deliveryId' | 'destinationId' | 'eventType' | 'attempts'>
    answer: Pick<Attempt, 'status' | 'error' | 'durationMs'>
    settlement: Settlement
  }): void
  failed(error: unknown): void
}

export type DeliveryWorker = QueueWorker

/** How a delivery is sent. */
export type DeliveryKind = Kind<Job, unknown, Attempt, Settlement>

export interface DeliveryContext {
  database: Database
  authorOf: Authors
  settings: DeliverySettings
  observe: DeliveryObserver
  now: () => Date
}

/** The worker for webhooks. Every node runs one. Leases prevent two workers from sending the same delivery. */
export function deliveryWorker(context: DeliveryContext, kind: DeliveryKind): DeliveryWorker {
  const { database, authorOf, settings, observe, now } = context
  const { db } = database
  return queueWorker<Job, unknown, Attempt, Settlement>({
    database,
    table: {
      channel: deliveriesChannel,
      laneOf: ({ destinationId }) => destinationId,
      claim: (claim) => claimDue(db, claim, database.kind === 'server'),
      settle: (results) => settle(db, authorOf, results),
      release: (jobs, at) => releaseJobs(db, jobs, at),
      releaseAll: (at) => releaseLeases(db, at),
    },
    kind,
    timeoutMs: settings.timeoutMs,
    observe,
    now,
  })
}

const sweepIntervalMs = 3_600_000

/** Deletes old records, then rotated secrets that no record refers to any more, and what is known of old tickets. */
export const deliverySweeps = (keepForMs: number): Sweep[] => [
  { name: 'deliveries', everyMs: sweepIntervalMs, keepForMs, sweep: deleteOldDeliveries },
  { name: 'destination_secrets', everyMs: sweepIntervalMs, keepForMs, sweep: deleteOldSecrets },
  { name: 'destination_refs', everyMs: sweepIntervalMs, keepForMs, sweep: deleteOldRefs },
]
