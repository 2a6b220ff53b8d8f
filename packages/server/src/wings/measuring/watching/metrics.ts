import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../../platform/db/index.ts'
import { oldestWaiting } from './queries.ts'
import type { WatchObserver } from './worker.ts'

/** A log line for each alarm, and the metrics: what was reported, failures, and how far the watching is behind. */
export function observeWatching(registry: Registry, log: Logger, db: Db, now: () => Date): WatchObserver {
  const registers = [registry]
  const alarmsTotal = new Counter({
    name: 'svc_watching_alarms_total',
    help: 'Checks of rules that failed, by check and by whether the rule was paused',
    labelNames: ['check', 'paused'],
    registers,
  })
  const digestsTotal = new Counter({
    name: 'svc_watching_digests_total',
    help: 'Daily results that were sent',
    registers,
  })
  const failuresTotal = new Counter({
    name: 'svc_watching_failures_total',
    help: 'Snapshots that could not be judged; they are tried again',
    registers,
  })
  new Gauge({
    name: 'svc_watching_lag_seconds',
    help: 'Age of the oldest snapshot that was not judged; 0 if all snapshots were judged',
    registers,
    async collect() {
      const oldest = await oldestWaiting(db)
      this.set(oldest ? Math.max(0, (now().getTime() - oldest.getTime()) / 1000) : 0)
    },
  })
  return {
    told({ ruleId, flagId, envId }, { alarms, digest }) {
      for (const { check, paused } of alarms) {
        alarmsTotal.inc({ check, paused: String(paused) })
        log.warn({ ruleId, flagId, envId, check, paused }, 'a check of a rule failed')
      }
      if (digest) digestsTotal.inc()
    },
    failed({ ruleId, flagId, envId }, error) {
      failuresTotal.inc()
      log.error({ err: error, ruleId, flagId, envId }, 'a snapshot could not be judged')
    },
  }
}
