import type { Logger } from 'pino'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Background } from '../../../platform/background.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Tracing } from '../../../platform/tracing/index.ts'
import { queueState, traceParentOf } from './queries.ts'
import type { DeliveryObserver } from './worker.ts'

/** A log line for each attempt, and the metrics: attempts by outcome, their duration, the queue and its age. */
export function observeDeliveries(registry: Registry, log: Logger, db: Db, now: () => Date): DeliveryObserver {
  const registers = [registry]
  const attemptsTotal = new Counter({
    name: 'svc_webhook_attempts_total',
    help: 'Delivery attempts, by the resulting status of the delivery',
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'svc_webhook_attempt_duration_seconds',
    help: 'Duration of one attempt',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new Gauge({
    name: 'svc_webhook_queue_depth',
    help: 'Pending deliveries',
    registers,
    async collect() {
      this.set((await queueState(db)).depth)
    },
  })
  new Gauge({
    name: 'svc_webhook_oldest_due_seconds',
    help: 'Waiting time of the oldest due delivery of an enabled webhook',
    registers,
    async collect() {
      const { oldestDueAt } = await queueState(db)
      this.set(oldestDueAt ? Math.max(0, (now().getTime() - oldestDueAt.getTime()) / 1000) : 0)
    },
  })
  return {
    attempted({ job, answer, settlement }) {
      const { id, deliveryId, destinationId, eventType, attempts } = job
      const { status, error, durationMs } = answer
      const outcome = settlement.status
      attemptsTotal.inc({ outcome })
      seconds.observe(durationMs / 1000)
      const which = { recordId: id, deliveryId, destinationId, eventType, attempt: attempts }
      log.info({ ...which, status, error, durationMs, outcome }, 'delivery attempt')
    },
    failed: (error) => log.error({ err: error }, 'webhook deliveries failed'),
  }
}

/** Makes a span of each attempt, too. The endpoint gets no header of a trace. */
export function traceDeliveries(
  observe: DeliveryObserver,
  { tracing, db, background }: { tracing: Tracing | null; db: Db; background: Background },
): DeliveryObserver {
  if (!tracing) return observe
  return {
    ...observe,
    attempted(attempted) {
      observe.attempted(attempted)
      const { job, answer, settlement } = attempted
      const endedAt = performance.now()
      background.run(async () => {
        const link = await traceParentOf(db, job.id)
        const sinceMs = performance.now() - endedAt
        const span = tracing.begin(
          'webhook.deliver',
          { 'svc.delivery.id': job.deliveryId, 'svc.event': job.eventType, 'svc.attempt': job.attempts },
          { kind: 'client', link, startedMsAgo: sinceMs + answer.durationMs },
        )
        if (settlement.status !== 'DELIVERED') span.fail(String(answer.status ?? 'unreachable'))
        span.end(sinceMs)
      })
    },
  }
}
