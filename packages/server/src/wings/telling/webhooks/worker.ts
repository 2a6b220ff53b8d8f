import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { deleteOldKeys } from '../../../http/idempotency.ts'
import { type Database, type Db, isUnavailable } from '../../../platform/db/index.ts'
import type { Attempt } from '../../../platform/outbound/index.ts'
import { type Authors, systemActor } from '../../../platform/outbox.ts'
import { lanes } from '../../../platform/queue/index.ts'
import type { Seal } from '../../../platform/seal.ts'
import { signedHeaders } from './actions.ts'
import { endedFailed, isExhausted, verdictOn } from './delivery.ts'
import {
  claimDue,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldSecrets,
  deliveriesChannel,
  type Job,
  lockWebhooks,
  queueState,
  releaseJobs,
  releaseLeases,
  type Settlement,
  saveWebhook,
  settleDeliveries,
  settleUneventful,
} from './queries.ts'
import { disableReason, healthAfter } from './webhook.ts'

export type Post = (url: string, headers: Record<string, string>, body: Buffer) => Promise<Attempt>

export interface DeliverySettings {
  ladderMs: readonly number[]
  /** For one attempt; the lease is longer by a margin. */
  timeoutMs: number
  retentionMs: number
}

/** What an operator sees: a line in the log and a number in the metrics for each attempt. */
export interface DeliveryObserver {
  attempted(job: Job, attempt: Attempt, status: string): void
  failed(error: unknown): void
}

export interface DeliveryContext {
  database: Database
  post: Post
  seal: Seal
  authorOf: Authors
  settings: DeliverySettings
  observe: DeliveryObserver
  now: () => Date
}

export interface DeliveryWorker {
  start(): Promise<void>
  /** Looks for due deliveries at once instead of at the next notice or second. */
  wake(): void
  /** Resolves when nothing is being claimed, sent or settled. */
  idle(): Promise<void>
  /** Deletes what is past its retention, as happens every hour. */
  clean(): Promise<void>
  /** Takes nothing new, lets attempts under way end and settles them. */
  stop(): Promise<void>
}

const pollMs = 1_000
const retentionIntervalMs = 3_600_000
const leaseMarginMs = 20_000
/** How long results wait for others, to be written together. */
const gatherMs = 10

/** How long a claimed delivery belongs to its worker. */
export const leaseEnd = (now: Date, { timeoutMs }: DeliverySettings): Date =>
  new Date(now.getTime() + timeoutMs + leaseMarginMs)

/** The result of an attempt at a job, judged by the table of states. */
export function settlementOf(job: Job, attempt: Attempt, { ladderMs }: DeliverySettings, now: Date): Settlement {
  const { status, attempts, dueAt } = verdictOn(job, attempt, ladderMs, now)
  return {
    id: job.id,
    fence: job.fence,
    status,
    attempts,
    dueAt,
    lastAttemptAt: now,
    responseStatus: attempt.status,
    responseBody: attempt.status === null ? null : attempt.body,
    errorMessage: attempt.error,
  }
}

/** One signed attempt; it answers, whatever happens. */
export async function attemptDelivery({ post, seal, now, observe }: DeliveryContext, job: Job): Promise<Attempt> {
  const { url, deliveryId, eventType } = job
  const body = Buffer.from(job.body)
  let secret: KeyObject
  try {
    secret = seal.openKey(job.sealedSecret, job.secretId)
  } catch (error) {
    observe.failed(error)
    return unreadableSecret
  }
  return post(url, signedHeaders({ deliveryId, eventType, body }, secret, now()), body)
}

interface Settled {
  job: Job
  settlement: Settlement
}

/**
 * Writes results and what they mean for their webhooks: the counters, and after too many failures in a row the switch,
 * with its reason and its event.
 */
export async function settle(db: Db, authorOf: Authors, settled: readonly Settled[]): Promise<void> {
  const failing = new Set(
    settled.filter(({ settlement }) => endedFailed(settlement.status)).map(({ job }) => job.webhookId),
  )
  const uneventful = settled.filter(({ job }) => !failing.has(job.webhookId)).map(({ settlement }) => settlement)
  const written = uneventful.length > 0 ? await settleUneventful(db, uneventful) : new Set<string>()
  const others = settled.filter(({ settlement }) => !written.has(settlement.id))
  if (others.length > 0) await settleWithWebhooks(db, authorOf, others)
}

/** In one transaction with the webhooks that the results change. */
async function settleWithWebhooks(db: Db, authorOf: Authors, settled: readonly Settled[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ids = [...new Set(settled.map(({ job }) => job.webhookId))]
    const webhooks = await lockWebhooks(tx, ids)
    const written = await settleDeliveries(
      tx,
      settled.map(({ settlement }) => settlement),
    )
    for (const webhook of webhooks) {
      const outcomes = settled
        .filter(({ job, settlement }) => job.webhookId === webhook.id && written.has(settlement.id))
        .map(({ job, settlement }) => ({ status: settlement.status, isTest: job.isTest }))
      const health = healthAfter(webhook, outcomes)
      const disabled = webhook.enabled && !health.enabled
      if (!disabled && health.consecutiveFailures === webhook.consecutiveFailures) continue
      const author = authorOf(systemActor('webhook deliveries'))
      const version = disabled ? webhook.version + 1 : webhook.version
      const why = disabled ? { disabledAt: author.now, disableReason } : {}
      const updatedAt = disabled ? author.now : webhook.updatedAt
      await saveWebhook(tx, { ...webhook, ...health, ...why, version, updatedAt })
      if (!disabled) continue
      const { id, name, orgId, projectId } = webhook
      await author.record(tx, {
        orgId,
        projectId,
        action: 'webhook.disable',
        object: { type: 'webhook', id, name },
        after: { enabled: false, disableReason },
        events: [{ name: 'webhook.disabled', payload: { webhook: { id, name }, reason: disableReason } }],
      })
    }
  })
}

export function deliveryWorker(context: DeliveryContext): DeliveryWorker {
  const { database, authorOf, settings, observe, now } = context
  const { db } = database
  const claimed = lanes<Job>(({ webhookId }) => webhookId)
  const results: Settled[] = []
  let beingSettled: readonly Settled[] = []
  const running = new Set<Promise<void>>()
  let stopping = false
  let claiming: Promise<void> | undefined
  let claimAgain = false
  let settling: Promise<void> | undefined
  let cleaning: Promise<void> | undefined
  let timers: NodeJS.Timeout[] = []

  /** One claim at a time; whoever asks meanwhile is served by another round right after. */
  function wake(): void {
    claimAgain = true
    if (stopping || claiming) return
    claiming = claimRounds()
      .catch(observe.failed)
      .finally(() => {
        claiming = undefined
        // Somebody asked after the last round and before this line.
        if (claimAgain) wake()
      })
  }

  async function claimRounds(): Promise<void> {
    while (claimAgain && !stopping) {
      claimAgain = false
      await settleOverdue()
      const demand = claimed.demand()
      if (demand.total <= 0) return
      const at = now()
      const isDurable = database.kind === 'server'
      const claim = { ...demand, now: at, leaseUntil: leaseEnd(at, settings), isDurable }
      claimed.add(await claimDue(db, claim), demand)
      runReady()
      claimAgain ||= claimed.isLow()
    }
  }

  function runReady(): void {
    if (stopping) return
    for (let job = claimed.next(); job; job = claimed.next()) run(job)
  }

  function run(job: Job): void {
    const done = attempted(job)
      .then((result) => {
        if (!result) return claimed.ended(job, undefined)
        const { attempt, settlement } = result
        claimed.ended(job, { delivered: settlement.status === 'DELIVERED', durationMs: attempt.durationMs })
        results.push({ job, settlement })
        settleSoon()
      })
      .catch((error) => {
        // Nothing is settled: the lease ends, and a worker takes it again.
        claimed.ended(job, { delivered: false, durationMs: 0 })
        observe.failed(error)
      })
      .finally(() => {
        running.delete(done)
        runReady()
        if (claimed.isLow()) wake()
      })
    running.add(done)
  }

  /** Undefined when the job was given back: it waited until its lease was too short for an attempt. */
  async function attempted(job: Job): Promise<{ attempt: Attempt; settlement: Settlement } | undefined> {
    if (job.leaseUntil.getTime() - now().getTime() < settings.timeoutMs) {
      await releaseJobs(db, [job], now())
      wake()
      return undefined
    }
    const { attempt, settlement } = await attemptOrExpire(job)
    observe.attempted(job, attempt, settlement.status)
    return { attempt, settlement }
  }

  async function attemptOrExpire(job: Job): Promise<{ attempt: Attempt; settlement: Settlement }> {
    if (isExhausted(job, settings.ladderMs)) {
      // This claim sends nothing, so it is no attempt.
      const settlement = settlementOf(job, interrupted, settings, now())
      return { attempt: interrupted, settlement: { ...settlement, attempts: job.attempts - 1 } }
    }
    const attempt = await attemptDelivery(context, job)
    return { attempt, settlement: settlementOf(job, attempt, settings, now()) }
  }

  function settleSoon(): void {
    settling ??= settleRounds().then(
      () => {
        settling = undefined
        // Something ended after the last round and before this line.
        if (results.length > 0) settleSoon()
      },
      (error) => {
        settling = undefined
        observe.failed(error)
      },
    )
  }

  async function settleRounds(): Promise<void> {
    while (results.length > 0) {
      await pause(gatherMs)
      const batch = results.splice(0)
      beingSettled = batch
      try {
        await settle(db, authorOf, batch)
      } catch (error) {
        // Kept for the next round: the lease lasts longer than a short absence of the database.
        if (isUnavailable(error)) {
          results.unshift(...batch)
          throw error
        }
        await settleApart(batch)
      } finally {
        beingSettled = []
      }
    }
  }

  /** What has been sent is not claimed again because its lease ended before its result could be written. */
  async function settleOverdue(): Promise<void> {
    const at = now()
    if (![...beingSettled, ...results].some(({ job }) => job.leaseUntil <= at)) return
    settleSoon()
    await settling
  }

  /** One result that cannot be written holds up no other; its delivery is attempted again when the lease has ended. */
  async function settleApart(batch: readonly Settled[]): Promise<void> {
    for (const result of batch) await settle(db, authorOf, [result]).catch(observe.failed)
  }

  return {
    async start() {
      if (database.kind === 'embedded') await releaseLeases(db, now())
      await database.listen(deliveriesChannel, wake, wake)
      const poll = setInterval(() => {
        if (results.length > 0) settleSoon()
        wake()
      }, pollMs)
      // At once as well: a node that is started anew more often than that would never clean.
      cleanSoon()
      const cleanings = setInterval(cleanSoon, retentionIntervalMs)
      timers = [poll.unref(), cleanings.unref()]
      wake()
    },
    wake,
    async idle() {
      while (claiming || settling || running.size > 0) await Promise.all([claiming, settling, ...running])
    },
    clean,
    async stop() {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      await claiming
      await releaseJobs(db, claimed.clear(), now()).catch(observe.failed)
      await Promise.all(running)
      while (settling) await settling
      await cleaning
      if (results.length > 0) await settleRounds().catch(observe.failed)
    },
  }

  function cleanSoon(): void {
    cleaning = clean().catch(observe.failed)
  }

  async function clean(): Promise<void> {
    const before = new Date(now().getTime() - settings.retentionMs)
    while (!stopping && (await deleteOldDeliveries(db, before)) > 0);
    while (!stopping && (await deleteOldEvents(db, before)) > 0);
    while (!stopping && (await deleteOldSecrets(db, before)) > 0);
    await deleteOldKeys(db, now())
  }
}

const unsent = { status: null, body: '', retryAfter: null, durationMs: 0 }

/** The attempt that a crash cut off was the last of its cycle. */
const interrupted: Attempt = {
  ...unsent,
  error: 'The last attempt was interrupted before its result was known.',
  charged: true,
}

/** The operator's mistake, not the endpoint's: what waits goes out once the key is back. */
const unreadableSecret: Attempt = {
  ...unsent,
  error: 'The signing secret cannot be read: it was stored under another secret key.',
  charged: false,
}

/** One log line for each attempt, and what Prometheus asks for: the queue, its age, attempts by outcome, their time. */
export function observeDeliveries(registry: Registry, log: Logger, db: Db, now: () => Date): DeliveryObserver {
  const registers = [registry]
  const attemptsTotal = new Counter({
    name: 'svc_webhook_attempts_total',
    help: 'Delivery attempts, by the status that the delivery then had',
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'svc_webhook_attempt_duration_seconds',
    help: 'Time of one attempt',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new Gauge({
    name: 'svc_webhook_queue_depth',
    help: 'Deliveries that are pending',
    registers,
    async collect() {
      this.set((await queueState(db)).depth)
    },
  })
  new Gauge({
    name: 'svc_webhook_oldest_due_seconds',
    help: 'How long the oldest due delivery of an enabled webhook has been waiting',
    registers,
    async collect() {
      const { oldestDueAt } = await queueState(db)
      this.set(oldestDueAt ? Math.max(0, (now().getTime() - oldestDueAt.getTime()) / 1000) : 0)
    },
  })
  return {
    attempted({ id, deliveryId, webhookId, eventType, attempts }, { status, error, durationMs }, outcome) {
      attemptsTotal.inc({ outcome })
      seconds.observe(durationMs / 1000)
      const which = { recordId: id, deliveryId, webhookId, eventType, attempt: attempts }
      log.info({ ...which, status, error, durationMs, outcome }, 'webhook attempt')
    },
    failed: (error) => log.error({ err: error }, 'webhook deliveries failed'),
  }
}
