import type { Db } from '../db/index.ts'
import { type Recurring, recurring } from '../recurring.ts'
import type { RetentionObserver } from './metrics.ts'
import { keptSince, nextInMs, type Sweep } from './sweep.ts'

export interface Retention extends Recurring {
  /** Sweeps every table now. This also happens at the start, and for each table at its interval. */
  run(): Promise<void>
}

export interface RetentionOptions {
  db: Db
  /** Sweeps run one after another in this order. A table that refers to rows of a second table must come before it. */
  sweeps: readonly Sweep[]
  observe: RetentionObserver
  now: () => Date
  /** A monotonic clock for the intervals. */
  elapsedMs?: () => number
  random?: () => number
}

/** How often to check whether a sweep is due. */
const lookIntervalMs = 60_000
const deletedAtOnce = 1_000

/** Runs the sweeps on this node. A failed sweep is reported and does not stop the others. */
export function retention({
  db,
  sweeps,
  observe,
  now,
  elapsedMs = () => performance.now(),
  random = Math.random,
}: RetentionOptions): Retention {
  const dueAtMs = new Map<Sweep, number>()
  let isStopping = false

  /** Deletes in batches, so that locks are short and other work gets its turn in between. */
  async function run(sweep: Sweep): Promise<void> {
    try {
      const before = keptSince(sweep, now())
      for (let deleted = 1; deleted > 0 && !isStopping; ) {
        deleted = await sweep.sweep(db, before, deletedAtOnce)
        observe.swept(sweep.name, deleted)
      }
    } catch (error) {
      observe.failed(sweep.name, error)
    }
  }

  async function runDue(): Promise<void> {
    for (const sweep of sweeps) {
      if (elapsedMs() < (dueAtMs.get(sweep) ?? 0)) continue
      dueAtMs.set(sweep, elapsedMs() + nextInMs(sweep, random()))
      await run(sweep)
    }
  }

  // `run` handles its own errors.
  const looking = recurring(runDue, lookIntervalMs, () => undefined)
  return {
    async run() {
      for (const sweep of sweeps) await run(sweep)
    },
    start: looking.start,
    async stop() {
      isStopping = true
      await looking.stop()
    },
  }
}
