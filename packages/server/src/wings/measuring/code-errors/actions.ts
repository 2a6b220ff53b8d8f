import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Db } from '../../../platform/db/index.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { lastSnapshot } from '../results/index.ts'
import { tellCodeError, type Watching, type WatchObserver } from '../watching/index.ts'
import { type ErrorNote, pausesFor, visitorsToReport } from './error.ts'
import { addError, type DueError, dueErrors, lockExperiment, noteTold } from './queries.ts'

export interface Judging extends Watching {
  now: () => Date
  observe: Pick<WatchObserver, 'told'>
}

/** Writes what was noted, together, so that nothing counts twice. Returns the ids of the errors. */
export async function saveErrors(db: Db, notes: readonly ErrorNote[], now: Date): Promise<string[]> {
  // All nodes lock in the same order.
  const rules = [...Map.groupBy(notes, ({ ruleId }) => ruleId)].sort(([one], [other]) => (one < other ? -1 : 1))
  const saved = await inTransaction(db, async (tx) => {
    const ids: string[] = []
    for (const [ruleId, mine] of rules) {
      const experiment = await lockExperiment(tx, ruleId)
      for (const note of experiment ? mine : []) {
        const id = await addError(tx, experiment!, note, now)
        if (id !== undefined) ids.push(id)
      }
    }
    return ids
  })
  return isRefusal(saved) ? [] : saved
}

/** Reports what enough visitors have met, and pauses experiments. With ids, only these errors are looked at. */
export async function judgeErrors(context: Judging, ids?: readonly string[]): Promise<void> {
  for (const error of await dueErrors(context.db, context.now(), ids)) await judgeError(context, error)
}

async function judgeError(context: Judging, error: DueError): Promise<void> {
  const { db, now, observe } = context
  const reported = !error.isReported && error.recent >= visitorsToReport
  const paused = error.mayPause && pausesFor(error.visitors, await unitsOf(db, error.ruleId, error.variationId))
  if (!reported && !paused) return
  const told = await tellCodeError(context, error, {
    ...{ error, reports: reported, pauses: paused },
    mark: (tx, done) => noteTold(tx, error.id, done, now()),
  })
  if (told) observe.told(error, { alarms: [{ check: 'CODE_ERROR', paused: told.paused }], digest: false })
}

/** Visitors of a variation in the last snapshot. */
export async function unitsOf(db: Db, ruleId: string, variationId: string): Promise<number | undefined> {
  const snapshot = await lastSnapshot(db, ruleId)
  return snapshot?.document.units.variations.find((each) => each.variationId === variationId)?.units
}
