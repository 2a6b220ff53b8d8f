import type { KeyObject } from 'node:crypto'
import type { Database } from '../../../platform/db/index.ts'
import type { Attempt } from '../../../platform/outbound/index.ts'
import type { Authors } from '../../../platform/outbox.ts'
import { type Kind, type QueueObserver, type QueueWorker, queueWorker } from '../../../platform/queue/index.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import type { Seal } from '../../../platform/seal.ts'
import { settle } from './actions.ts'
import { interrupted, isExhausted, type Settlement, settlementOf, unreadableSecret } from './delivery.ts'
import {
  claimDue,
  deleteOldDeliveries,
  deleteOldSecrets,
  deliveriesChannel,
  type Job,
  releaseJobs,
  releaseLeases,
} from './queries.ts'
import { signedHeaders } from './signature.ts'

export type Post = (url: string, headers: Record<string, string>, body: Buffer) => Promise<Attempt>

export interface DeliverySettings {
  ladderMs: readonly number[]
  /** The time limit of one attempt. */
  timeoutMs: number
}

/** Writes a log line and counts metrics for each attempt. */
export type DeliveryObserver = QueueObserver<Job, Attempt, Settlement>

export type DeliveryWorker = QueueWorker

export interface DeliveryContext {
  database: Database
  post: Post
  seal: Seal
  authorOf: Authors
  settings: DeliverySettings
  observe: DeliveryObserver
  now: () => Date
}

type WebhookKind = Kind<Job, Parameters<Post>, Attempt, Settlement>

/** The kind of queue job for webhooks: each attempt is one signed POST. */
export function webhookKind({ post, seal, settings, observe }: DeliveryContext): WebhookKind {
  const { ladderMs } = settings
  return {
    check: (job) => (isExhausted(job, ladderMs) ? interrupted : undefined),
    render({ url, deliveryId, eventType, body: text, sealedSecret, secretId }, now) {
      let secret: KeyObject
      try {
        secret = seal.openKey(sealedSecret, secretId)
      } catch (error) {
        observe.failed(error)
        return { unsent: unreadableSecret }
      }
      const body = Buffer.from(text)
      return { request: [url, signedHeaders({ deliveryId, eventType, body }, secret, now), body] }
    },
    send: (request) => post(...request),
    judge: (job, attempt, now) => settlementOf(job, attempt, ladderMs, now),
  }
}

/** Every node runs a worker. Leases prevent two workers from sending the same delivery. */
export function deliveryWorker(context: DeliveryContext): DeliveryWorker {
  const { database, authorOf, settings, observe, now } = context
  const { db } = database
  return queueWorker({
    database,
    table: {
      channel: deliveriesChannel,
      laneOf: ({ webhookId }) => webhookId,
      claim: (claim) => claimDue(db, claim, database.kind === 'server'),
      settle: (results) => settle(db, authorOf, results),
      release: (jobs, at) => releaseJobs(db, jobs, at),
      releaseAll: (at) => releaseLeases(db, at),
    },
    kind: webhookKind(context),
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
