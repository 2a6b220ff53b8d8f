import { Gauge, type Registry } from 'prom-client'
import type { Workers } from './workers.ts'

/** How many nodes do background work. Not a number while the database cannot say. */
export function observeWorkers(registry: Registry, workers: Pick<Workers, 'count'>): void {
  new Gauge({
    name: 'svc_workers',
    help: 'Nodes that do background work and were seen in the last minute',
    registers: [registry],
    async collect() {
      this.set(await workers.count().catch(() => Number.NaN))
    },
  })
}
