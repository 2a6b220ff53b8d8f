import { type Dice, diceOf } from './dice.ts'
import { report } from './lab.ts'
import { searchSites } from './site.ts'

/** What one fault has shown: what it broke, and what was measured. */
export interface Fault {
  violations: string[]
  numbers: Record<string, number>
}

export type Faults = Record<string, Fault>

const dice = diceOf(Number(process.env.LAB_SEED))

type Group = Record<string, (dice: Dice) => Promise<Fault>>

/**
 * Inside of the lab: runs faults one after the other, several groups of them side by side, looks for secrets that were
 * kept, ends, and reports. What one throws is its violation.
 */
export async function runEach(
  groups: Group | Group[],
  end: () => Promise<void> = async () => undefined,
): Promise<void> {
  const seen: Faults = {}
  const run = async (group: Group) => {
    for (const [id, fault] of Object.entries(group)) {
      const fromMs = performance.now()
      const { violations, numbers } = await fault(dice).catch(broken)
      seen[id] = { violations, numbers: { ...numbers, seconds: Math.round(since(fromMs) / 1_000) } }
    }
  }
  await Promise.all([groups].flat().map(run))
  await run({ secrets: async () => ({ violations: [], numbers: { noted: await searchSites() } }) })
  await end()
  report(seen)
}

const broken = (error: Error): Fault => ({ violations: [String(error?.stack ?? error)], numbers: {} })

export const since = (startMs: number): number => Math.round(performance.now() - startMs)

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, next) => one - next)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
