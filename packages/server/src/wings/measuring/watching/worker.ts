import type { Db } from '../../../platform/db/index.ts'
import { type Recurring, recurring } from '../../../platform/recurring.ts'
import { judgeRule, type Told, type Watching } from './actions.ts'
import { noteFailure, type WaitingRule, waitingRules } from './queries.ts'

const pollMs = 30_000
const maxAtOnce = 1000
const retry = { firstMs: 60_000, mostMs: 3_600_000 }

export interface Watcher extends Recurring {
  /** Judges every snapshot that was not judged. The worker calls this every 30 s. */
  run(): Promise<void>
  /** Judges the newest snapshot of one rule now. A failure is noted, and tried again later. */
  judge(ruleId: string): Promise<void>
}

export interface WatchObserver {
  told(rule: WaitingRule, told: Told): void
  failed(rule: WaitingRule, error: unknown): void
}

/**
 * Snapshots are judged when they are taken. The worker finds those that were not, for example after a crash. A rule that
 * fails waits, and the others go on.
 */
export function watcher(
  context: Watching & { db: Db; now: () => Date; observe: WatchObserver },
  onError: (error: unknown) => void,
): Watcher {
  const { db, now, observe } = context
  const judgeAll = async (rules: readonly WaitingRule[]) => {
    for (const rule of rules)
      try {
        const told = await judgeRule(context, rule)
        if (told) observe.told(rule, told)
      } catch (error) {
        observe.failed(rule, error)
        await noteFailure(db, rule.ruleId, { now: now(), ...retry })
      }
  }
  const run = async () => judgeAll(await waitingRules(db, now(), { limit: maxAtOnce }))
  return {
    ...recurring(run, pollMs, onError),
    run,
    judge: async (ruleId) => waitingRules(db, now(), { ruleId, limit: 1 }).then(judgeAll).catch(onError),
  }
}
