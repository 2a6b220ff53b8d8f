import type { Sweep } from '../../../platform/retention/index.ts'
import { sweepChanges, sweepOrders } from './queries.ts'

const everyMs = 3_600_000

/**
 * Deletes what is noted of changes when the events of the same time are gone, and orders whose environment was deleted.
 * Others stay with their project.
 */
export const orderSweeps = (eventsKeptForMs: number): Sweep[] => [
  { name: 'order_changes', everyMs, keepForMs: eventsKeptForMs, sweep: sweepChanges },
  { name: 'orders', everyMs, keepForMs: 0, sweep: (db, _before, limit) => sweepOrders(db, limit) },
]
