import { type Dice, diceOf } from './dice.ts'
import { report } from './lab.ts'
import { searchSites } from './site.ts'

/** The result of one fault: violations and measured numbers. */
export interface Fault {
  violations: string[]
  numbers: Record<string, number>
}

export type Faults = Record<string, Fault>

const dice = diceOf(Number(process.env.LAB_SEED))

type Group = Record<string, (dice: Dice) => Promise<Fault>>

/**
 * Inside the lab: runs faults one after the other, and several groups side by side. Then it searches for stored
 * secrets, ends, and reports. An error that a fault throws is a violation.
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

/** The value that this percentage of the values does not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, next) => one - next)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
