import { Gauge, type Registry } from 'prom-client'
import type { ClickHouse } from '../../../platform/clickhouse.ts'

export function observeClickHouse(registry: Registry, { answers }: ClickHouse): void {
  new Gauge({
    name: 'svc_clickhouse_up',
    help: '1 if ClickHouse answers this node, otherwise 0',
    registers: [registry],
    async collect() {
      this.set((await answers()) ? 1 : 0)
    },
  })
}
