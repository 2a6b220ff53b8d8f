import { Gauge, type Registry } from 'prom-client'
import { type EventQuota, stopReasons } from './quota.ts'

export function observeQuota(registry: Registry, quota: EventQuota): void {
  new Gauge({
    name: 'svc_events_stopped_environments',
    help: 'Environments whose events are refused, by reason: the daily quotas or the disk space',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      const stopped = quota.stopped()
      for (const reason of stopReasons) this.set({ reason }, stopped.filter((each) => each.reason === reason).length)
    },
  })
}
