import { Counter, type Registry } from 'prom-client'
import type { Log } from '../db/database.ts'

/** What an operator sees of the sweeps. */
export interface RetentionObserver {
  swept(name: string, rows: number): void
  failed(name: string, error: unknown): void
}

export function observeRetention(registry: Registry, log: Log): RetentionObserver {
  const registers = [registry]
  const labelNames = ['table']
  const rowsTotal = new Counter({
    name: 'svc_retention_deleted_rows_total',
    help: 'Rows that were deleted because they were past their retention',
    labelNames,
    registers,
  })
  const failuresTotal = new Counter({
    name: 'svc_retention_failures_total',
    help: 'Sweeps that failed; each is tried again at its next turn',
    labelNames,
    registers,
  })
  return {
    swept: (table, rows) => rowsTotal.inc({ table }, rows),
    failed(table, error) {
      failuresTotal.inc({ table })
      log.error({ err: error, table }, 'deleting rows past their retention failed')
    },
  }
}
