import { type Figures, figures } from './figures.ts'
import type { HealthStatus } from './srm.ts'

export const crossoverFailsFrom = 0.01
const minUnits = 100

/**
 * The share of units that were seen in more than one variation. They are left out of all metrics; from 1 % on, something
 * other than chance moves units, and the rest cannot be trusted either.
 * Source of the limit: GrowthBook.
 *
 * @param total all units, those that crossed included
 */
export function crossoverCheck({ crossed, total }: { crossed: number; total: number }): Figures<{
  status: HealthStatus
  rate: number
  threshold: number
}> {
  const rate = crossed / total
  const status = !(total >= minUnits) ? 'not_enough_data' : rate >= crossoverFailsFrom ? 'failed' : 'ok'
  return figures({ status, rate, threshold: crossoverFailsFrom })
}
