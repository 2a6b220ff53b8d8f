import { type Dice, diceOf } from './dice.ts'
import { report } from './lab.ts'

/** What one fault has shown: what it broke, and what was measured. */
export interface Fault {
  violations: string[]
  numbers: Record<string, number>
}

export type Faults = Record<string, Fault>

const dice = diceOf(Number(process.env.LAB_SEED))

/** Inside of the lab: runs faults one after the other, ends, and reports. What one throws is its violation. */
export async function runEach(
  faults: Record<string, (dice: Dice) => Promise<Fault>>,
  end: () => Promise<void> = async () => undefined,
): Promise<void> {
  const seen: Faults = {}
  for (const [id, fault] of Object.entries(faults))
    seen[id] = await fault(dice).catch((error) => ({ violations: [String(error?.stack ?? error)], numbers: {} }))
  await end()
  report(seen)
}

export const since = (startMs: number): number => Math.round(performance.now() - startMs)

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, next) => one - next)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
