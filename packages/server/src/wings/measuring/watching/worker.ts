import type { Db } from '../../../platform/db/index.ts'
import { type Recurring, recurring } from '../../../platform/recurring.ts'
import { judgeRule, leaseEnd, type Told, type Watching } from './actions.ts'
import { claimWatched, giveBack, noteFailure, type WaitingRule, waitingRules } from './queries.ts'

const pollMs = 30_000
const maxAtOnce = 1000

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
  const judgeOne = async (rule: WaitingRule) => {
    const claim = await claimWatched(db, rule.ruleId, { now: now(), until: leaseEnd(now()) })
    if (!claim) return
    try {
      const told = await judgeRule(context, rule, claim)
      await giveBack(db, claim, null)
      if (told) observe.told(rule, told)
    } catch (error) {
      observe.failed(rule, error)
      await noteFailure(db, claim, now())
    }
  }
  /** A snapshot that is taken while an older one is being judged is judged right after it. */
  const underWay = new Map<string, Promise<void>>()
  const judgeInTurn = (rule: WaitingRule) => {
    const { ruleId } = rule
    const judging = (underWay.get(ruleId) ?? Promise.resolve())
      .then(() => judgeOne(rule))
      .finally(() => {
        if (underWay.get(ruleId) === judging) underWay.delete(ruleId)
      })
    underWay.set(ruleId, judging)
    return judging
  }
  const judgeAll = async (rules: readonly WaitingRule[]) => {
    for (const rule of rules) await judgeInTurn(rule)
  }
  const run = async () => judgeAll(await waitingRules(db, now(), { limit: maxAtOnce }))
  return {
    ...recurring(run, pollMs, onError),
    run,
    judge: async (ruleId) => waitingRules(db, now(), { ruleId, limit: 1 }).then(judgeAll).catch(onError),
  }
}
