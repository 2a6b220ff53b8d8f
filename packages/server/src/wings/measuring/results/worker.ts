import { isUnavailable, type Tx, tookTooLong } from '../../../platform/db/index.ts'
import { type Recurring, recurring } from '../../../platform/recurring.ts'
import { traced } from '../../../platform/tracing/index.ts'
import { inTurnByKey } from '../../../turns.ts'
import { dueRules, enterRule, enterRules, type MeasuredPlace, type MeasuredRule } from '../counting/index.ts'
import { canHaveChanged, leaseEndAt, noteFailed, type Snapshots, takeSnapshot } from './actions.ts'

const pollMs = 30_000
const everyMs = 3_600_000
// Looking for rules reads every rule that was ever served, so it is rarer than looking for due ones.
const enterMs = 600_000
/**
 * Everybody who reads results can ask for those of every rule at once, and each takes the database and the processor for a
 * while. Snapshots that are due, and what watches over them, have no turn: they never wait for what people ask for. A
 * caller in the line has been told that its results are being computed, so the line is short but nobody has to leave it.
 */
const refreshes = { atOnce: 1, waitingAtMost: 20 }

export interface SnapshotWorker extends Recurring {
  /** Takes all snapshots that are due. The worker calls this every 30 s. */
  run(): Promise<void>
  /**
   * Takes a snapshot of one rule when it is the turn of the caller in the project, or joins the one under way on this node.
   * Resolves to false if another node is at work on the rule.
   *
   * @throws TooBusy if too many rules of the project wait
   */
  refresh(rule: MeasuredPlace): Promise<boolean>
  /**
   * Takes a snapshot of one rule, and then does this work before any node can take another one. Resolves to false if
   * another node is at work on the rule.
   */
  refreshThen(rule: MeasuredPlace, work: (tx: Tx) => Promise<void>): Promise<boolean>
  /** Does this work while no node can take a snapshot of the rule. Otherwise like `refreshThen`. */
  withoutSnapshots(rule: MeasuredPlace, work: (tx: Tx) => Promise<void>): Promise<boolean>
}

interface Context extends Snapshots {
  /** Is called after each snapshot, and never rejects. */
  judge: (ruleId: string) => Promise<void>
}

/**
 * Takes a snapshot of each measured rule on request, and every hour until no event can change its results. A claim
 * decides which node acts.
 */
export function snapshotWorker(context: Context, onError: (error: unknown) => void): SnapshotWorker {
  const { db, now } = context
  const snapshot = snapshots(context, onError)
  const underWay = new Map<string, Promise<boolean>>()
  const inProject = inTurnByKey(refreshes)
  const claiming = () => ({ now: now(), until: leaseEndAt(now()) })

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

  /** Does this work with a rule that no other node has. */
  async function claimed(place: MeasuredPlace, work: (rule: MeasuredRule) => Promise<void>): Promise<boolean> {
    await enterRule(db, place, now())
    const rule = await dueRules.claimOne(db, place.ruleId, claiming())
    if (rule) await work(rule)
    return rule !== undefined
  }
  const held = (rule: MeasuredRule, work: (tx: Tx) => Promise<void>) =>
    db.transaction().execute(async (tx) => {
      await dueRules.renew(tx, rule, leaseEndAt(now()))
      await work(tx)
    })

  return {
    ...recurring(run, pollMs, onError),
    run,
    refresh(wanted) {
      const join = underWay.get(wanted.ruleId)
      if (join) return join
      const work = () => claimed(wanted, (rule) => snapshot(rule, true))
      const refreshing = inProject(wanted.projectId, work).finally(() => underWay.delete(wanted.ruleId))
      underWay.set(wanted.ruleId, refreshing)
      return refreshing
    },
    refreshThen: (place, work) => claimed(place, (rule) => snapshot(rule, true, () => held(rule, work))),
    withoutSnapshots: (place, work) =>
      claimed(place, async (rule) => {
        try {
          await held(rule, work)
        } finally {
          await dueRules.release(db, rule, inAnHour(now))
        }
      }),
  }
}

/** Takes one snapshot. `then` is what to do before the rule is given back, unless the database is away. */
function snapshots(context: Context, onError: (error: unknown) => void) {
  const { db, now, judge } = context
  return async (rule: MeasuredRule, isWanted: boolean, then?: () => Promise<void>): Promise<void> => {
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
    }
    const isAway = isUnavailable(failed) && !tookTooLong(failed)
    try {
      if (!isAway) await then?.()
    } finally {
      // A database that was away is back before the next hour.
      if (isAway) await dueRules.fail(db, rule, now())
      else await dueRules.release(db, rule, inAnHour(now))
    }
    if (isNew) await judge(rule.ruleId)
    if (failed === undefined) return
    // Results say that they failed. Faults that pass by themselves are reported to the caller, who can try again.
    if (!isNew || isUnavailable(failed)) throw failed
    onError(failed)
  }
}

const inAnHour = (now: () => Date) => new Date(now().getTime() + everyMs)
