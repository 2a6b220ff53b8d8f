import type { Database } from '../../../platform/db/index.ts'
import type { Attempt } from '../../../platform/outbound/index.ts'
import type { Authors } from '../../../platform/outbox.ts'
import { type Kind, type QueueObserver, type QueueWorker, queueWorker } from '../../../platform/queue/index.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import { settle } from './actions.ts'
import type { Settlement } from './delivery.ts'
import {
  claimDue,
  deleteOldDeliveries,
  deleteOldSecrets,
  deliveriesChannel,
  type Job,
  releaseJobs,
  releaseLeases,
} from './queries.ts'

export interface DeliverySettings {
  ladderMs: readonly number[]
  /** The time limit of one attempt. */
  timeoutMs: number
}

/** Writes a log line and counts metrics for each attempt. */
export type DeliveryObserver = QueueObserver<Job, Attempt, Settlement>

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

/**
 * Every node runs a worker. Leases prevent two workers from sending the same delivery.
 *
 * @param kind how deliveries are sent; so far, all of them are for webhooks
 */
export function deliveryWorker(context: DeliveryContext, kind: DeliveryKind): DeliveryWorker {
  const { database, authorOf, settings, observe, now } = context
  const { db } = database
  return queueWorker({
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

/** Deletes old records, and then rotated secrets that no record refers to any more. */
export const deliverySweeps = (keepForMs: number): Sweep[] => [
  { name: 'deliveries', everyMs: sweepIntervalMs, keepForMs, sweep: deleteOldDeliveries },
  { name: 'destination_secrets', everyMs: sweepIntervalMs, keepForMs, sweep: deleteOldSecrets },
]
