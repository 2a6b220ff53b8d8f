import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../../../platform/db/index.ts'
import { type Claim, LeaseLost } from '../../../../platform/due-rows.ts'
import { type Recurring, recurring } from '../../../../platform/recurring.ts'
import type { EventStore } from '../../events/index.ts'
import { continueRecount } from './actions.ts'
import { dueRecounts, recountOf } from './queries.ts'

const everyMs = 5_000
const leaseMs = 60_000

interface Recounting {
  db: Database['db']
  events: Pick<EventStore, 'numberIn'>
  now: () => Date
}

/** What settings have left to do with orders, each by one node at a time. `run` does all that is due. */
export function recounting(
  { db, events, now }: Recounting,
  onError: (error: unknown) => void,
): Recurring & { run(): Promise<void> } {
  const until = () => new Date(now().getTime() + leaseMs)
  let isStopping = false

  const step = (claim: Claim): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const recount = recountOf(await dueRecounts.renew(tx, claim, until()))
      return continueRecount(tx, recount, { batch: () => events.numberIn(tx), now: now() })
    })

  async function run(): Promise<void> {
    for (;;) {
      const claim = await dueRecounts.claim(db, { now: now(), until: until() })
      if (!claim) return
      try {
        while (await step(claim)) {
          if (isStopping) return void (await dueRecounts.release(db, claim, now()))
          // Others come in between.
          await setImmediate()
        }
      } catch (error) {
        // The project was deleted, or another node has it.
        if (error instanceof LeaseLost) continue
        await dueRecounts.fail(db, claim, now())
        onError(error)
      }
    }
  }
  const work = recurring(run, everyMs, onError)
  return {
    run,
    start: work.start,
    async stop() {
      isStopping = true
      await work.stop()
    },
  }
}
