import type { Logger } from 'pino'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RejectionCode } from './fault.ts'

/** What an operator sees of ingestion. */
export interface IngestionObserver {
  taken(accepted: number, duplicates: number): void
  rejected(code: RejectionCode): void
  /** A request was refused, because too many events wait. */
  full(waiting: number): void
  wrote(ms: number, events: number): void
}

const warnEveryMs = 10_000

export function observeIngestion(registry: Registry, log: Logger, waiting: () => number): IngestionObserver {
  const registers = [registry]
  const eventsTotal = new Counter({
    name: 'svc_events_total',
    help: 'Exposures and tracked events from SDKs, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const rejectedTotal = new Counter({
    name: 'svc_events_rejected_total',
    help: 'Events that were rejected, by code',
    labelNames: ['code'],
    registers,
  })
  const refusedTotal = new Counter({
    name: 'svc_events_refused_requests_total',
    help: 'Requests that were answered with 429 because too many events were waiting',
    registers,
  })
  const writeSeconds = new Histogram({
    name: 'svc_events_write_duration_seconds',
    help: 'Duration of the transaction that stores a batch',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const batchSize = new Histogram({
    name: 'svc_events_write_size',
    help: 'Events in a batch',
    buckets: [1, 10, 50, 100, 250, 500, 1000, 2500, 5000],
    registers,
  })
  new Gauge({
    name: 'svc_events_waiting',
    help: 'Events that wait for the database',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    taken(accepted, duplicates) {
      eventsTotal.inc({ outcome: 'accepted' }, accepted)
      eventsTotal.inc({ outcome: 'duplicate' }, duplicates)
    },
    rejected(code) {
      eventsTotal.inc({ outcome: 'rejected' })
      rejectedTotal.inc({ code })
    },
    full(waiting) {
      refusedTotal.inc()
      if (performance.now() - warnedAt < warnEveryMs) return
      warnedAt = performance.now()
      log.warn({ waiting }, 'events are refused with 429: more arrive than the database stores')
    },
    wrote(ms, events) {
      writeSeconds.observe(ms / 1000)
      batchSize.observe(events)
    },
  }
}
