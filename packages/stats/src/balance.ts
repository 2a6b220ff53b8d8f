import { meanArm } from './arm.ts'
import type { Moments } from './moments.ts'
import type { HealthStatus } from './srm.ts'
import { welchTest } from './welch.ts'

const warnsBelow = 0.001

/** Whether the arms differed already before the first exposure: Welch's t-test of the covariate, p < 0.001. */
export function prePeriodBalance(
  control: Moments,
  treatment: Moments,
): { status: HealthStatus; pValue: number | null } {
  const { pValue } = welchTest(meanArm(control), meanArm(treatment), warnsBelow)
  return { status: pValue === null ? 'not_enough_data' : pValue < warnsBelow ? 'warning' : 'ok', pValue }
}
