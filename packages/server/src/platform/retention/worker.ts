import type { Db } from '../db/index.ts'
import { type Recurring, recurring } from '../recurring.ts'
import type { RetentionObserver } from './metrics.ts'
import { keptSince, nextInMs, type Sweep } from './sweep.ts'

export interface Retention extends Recurring {
  /** Sweeps every table at once, as happens at the start and then to each at its interval. */
  run(): Promise<void>
}

export interface RetentionOptions {
  db: Db
  /** In this order, one after another: what refers to rows of a second table comes before it. */
  sweeps: readonly Sweep[]
  observe: RetentionObserver
  now: () => Date
  /** A clock that only goes forward, for the intervals. */
  elapsedMs?: () => number
  random?: () => number
}

/** How often it is looked whether a sweep is due. */
const lookIntervalMs = 60_000
const deletedAtOnce = 1_000

/** Runs the table of sweeps on this node. A sweep that fails is told, and stops no other. */
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

  /** In batches, so that it holds no lock for long and others get their turn between them. */
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

  // `run` answers for its errors, so none comes here.
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
