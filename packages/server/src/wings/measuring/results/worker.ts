import { isUnavailable, tookTooLong } from '../../../platform/db/index.ts'
import { type Recurring, recurring } from '../../../platform/recurring.ts'
import { traced } from '../../../platform/tracing/index.ts'
import { dueRules, enterRule, enterRules, type MeasuredRule } from '../counting/index.ts'
import { canHaveChanged, leaseEndAt, noteFailed, type Snapshots, takeSnapshot } from './actions.ts'

const pollMs = 30_000
const everyMs = 3_600_000
// Looking for rules reads every rule that was ever served, so it is rarer than looking for due ones.
const enterMs = 600_000

export interface SnapshotWorker extends Recurring {
  /** Takes all snapshots that are due. The worker calls this every 30 s. */
  run(): Promise<void>
  /**
   * Takes a snapshot of one rule now, or joins the one under way on this node. Resolves to false if another node is at
   * work on the rule.
   */
  refresh(rule: Pick<MeasuredRule, 'ruleId' | 'projectId' | 'flagId' | 'envId'>): Promise<boolean>
}

/**
 * Takes a snapshot of each measured rule on request, and every hour until no event can change its results. A claim
 * decides which node acts.
 */
export function snapshotWorker(
  context: Snapshots & {
    /** Is called after each snapshot, and never rejects. */
    judge: (ruleId: string) => Promise<void>
  },
  onError: (error: unknown) => void,
): SnapshotWorker {
  const { db, now, judge } = context
  const underWay = new Map<string, Promise<boolean>>()
  const later = (ms: number) => new Date(now().getTime() + ms)
  const claiming = () => ({ now: now(), until: leaseEndAt(now()) })

  async function snapshot(rule: MeasuredRule, isWanted: boolean): Promise<void> {
    let isNew = false
    let failed: unknown
    try {
      isNew = isWanted || (await canHaveChanged(context, rule))
      if (isNew)
        await traced('snapshot.make', { 'svc.environment.id': rule.envId }, async () => {
          for (const { kind, id, error } of await takeSnapshot(context, rule))
            onError(
              new Error(`A snapshot of the rule ${rule.ruleId} left out a ${kind.toLowerCase()}: ${id}`, {
                cause: error,
              }),
            )
        })
    } catch (error) {
      failed = error
      isNew = await noteFailed(context, rule, error).catch((other) => {
        onError(other)
        return false
      })
    } finally {
      // A database that was away is back before the next hour.
      if (isUnavailable(failed) && !tookTooLong(failed)) await dueRules.fail(db, rule, now())
      else await dueRules.release(db, rule, later(everyMs))
    }
    if (isNew) await judge(rule.ruleId)
    if (failed === undefined) return
    // Results say that they failed. What comes back by itself is told to the caller, who can try again.
    if (!isNew || isUnavailable(failed)) throw failed
    onError(failed)
  }

  let enteredAt = Number.NEGATIVE_INFINITY
  const run = async () => {
    if (now().getTime() - enteredAt >= enterMs) {
      enteredAt = now().getTime()
      await enterRules(db, now())
    }
    for (;;) {
      const rule = await dueRules.claim(db, claiming())
      if (!rule) return
      await snapshot(rule, false).catch(onError)
    }
  }

  return {
    ...recurring(run, pollMs, onError),
    run,
    refresh(wanted) {
      const join = underWay.get(wanted.ruleId)
      if (join) return join
      const refreshing = (async () => {
        await enterRule(db, wanted, now())
        const rule = await dueRules.claimOne(db, wanted.ruleId, claiming())
        if (!rule) return false
        await snapshot(rule, true)
        return true
      })().finally(() => underWay.delete(wanted.ruleId))
      underWay.set(wanted.ruleId, refreshing)
      return refreshing
    },
  }
}
