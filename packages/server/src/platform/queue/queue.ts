import type { Database } from '../db/index.ts'
import { type Claim, claimInto } from './claim.ts'
import { type Answer, type Attempted, attempt, type Job, type Kind, type Settlement } from './kind.ts'
import { type Claimed, lanes } from './lanes.ts'
import { hasTime } from './lease.ts'
import type { Ended } from './pace.ts'
import { rounds } from './rounds.ts'
import { settling } from './settle.ts'

/**
 * The table whose rows are the jobs. Its owner writes the SQL. Every statement must be safe when other workers run it
 * too.
 */
export interface QueueTable<J extends Job, A extends Answer, S extends Settlement> {
  /** A notice on this channel means that rows are due. */
  channel: string
  laneOf(job: J): string
  /** Takes due rows under a lease, with an equal share for each lane. */
  claim(claim: Claim): Promise<Claimed<J>>
  /** Writes results. A result of an older claim changes nothing. */
  settle(results: readonly Attempted<J, A, S>[]): Promise<void>
  /** Gives back jobs that were never begun, as if they had not been claimed. */
  release(jobs: readonly J[], now: Date): Promise<void>
  /** The same for all jobs of a process that has ended. Only called where no other process can hold any. */
  releaseAll(now: Date): Promise<void>
}

/** What an operator sees of the queue. */
export interface QueueObserver<J extends Job, A extends Answer, S extends Settlement> {
  attempted(attempted: Attempted<J, A, S>): void
  failed(error: unknown): void
}

export interface QueueOptions<J extends Job, Request, A extends Answer, S extends Settlement> {
  database: Pick<Database, 'kind' | 'listen'>
  table: QueueTable<J, A, S>
  kind: Kind<J, Request, A, S>
  /** Time limit of one attempt. The lease adds a margin. */
  timeoutMs: number
  observe: QueueObserver<J, A, S>
  now: () => Date
}

export interface QueueWorker {
  start(): Promise<void>
  /** Looks for due jobs now instead of at the next notice or second. */
  wake(): void
  /** Resolves when nothing is being claimed, sent or settled. */
  idle(): Promise<void>
  /** Claims nothing more, waits for attempts under way and settles them. */
  stop(): Promise<void>
}

const pollMs = 1_000

/** A worker of one node: claims due jobs into lanes, attempts them lane by lane and settles the results. */
export function queueWorker<J extends Job, Request, A extends Answer, S extends Settlement>(
  options: QueueOptions<J, Request, A, S>,
): QueueWorker {
  const { database, table, timeoutMs, observe, now } = options
  const held = lanes(table.laneOf)
  const underWay = new Set<Promise<void>>()
  const results = settling(settle, observe.failed, now)
  const claims = rounds(claim, observe.failed)
  const attemptOf = attempts(options, { add: results.add, released: claims.ask })
  let isStopping = false
  let poll: NodeJS.Timeout | undefined
  const rested = alarms(now, claims.ask)

  async function claim(): Promise<void> {
    if (isStopping) return
    await results.beforeClaim()
    if (!(await claimInto(held, table.claim, now(), timeoutMs))) return
    startReady()
    if (held.isLow()) claims.ask()
  }

  async function settle(attempted: readonly Attempted<J, A, S>[]): Promise<void> {
    await table.settle(attempted)
    for (const { settlement } of attempted) if (settlement.restsUntil && !isStopping) rested.set(settlement.restsUntil)
  }

  function startReady(): void {
    if (isStopping) return
    for (let job = held.next(); job; job = held.next()) start(job)
  }

  function start(job: J): void {
    const done: Promise<void> = attemptOf(job)
      .then((ended) => {
        held.ended(job, ended)
        startReady()
        if (held.isLow()) claims.ask()
      })
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  return {
    async start() {
      if (database.kind === 'embedded') await table.releaseAll(now())
      await database.listen(table.channel, claims.ask, claims.ask)
      poll = setInterval(() => {
        results.retry()
        claims.ask()
      }, pollMs).unref()
      claims.ask()
    },
    wake: claims.ask,
    async idle() {
      while (!claims.isIdle() || underWay.size > 0 || !results.isIdle())
        await Promise.all([claims.idle(), ...underWay, results.idle()])
    },
    async stop() {
      isStopping = true
      clearInterval(poll)
      rested.clear()
      await claims.idle()
      await table.release(held.clear(), now()).catch(observe.failed)
      await Promise.all(underWay)
      await results.stop()
    },
  }
}

/** Attempts one job. Never rejects. */
function attempts<J extends Job, Request, A extends Answer, S extends Settlement>(
  { table, kind, timeoutMs, observe, now }: QueueOptions<J, Request, A, S>,
  results: { add: (attempted: Attempted<J, A, S>) => void; released: () => void },
) {
  /** Returns undefined if the job was given back because its lease had become too short for an attempt. */
  async function attemptInTime(job: J): Promise<Ended | undefined> {
    if (!hasTime(job, now(), timeoutMs)) {
      await table.release([job], now())
      results.released()
      return undefined
    }
    const attempted = await attempt(kind, job, now)
    const { answer, settlement } = attempted
    observe.attempted(attempted)
    results.add(attempted)
    return { delivered: settlement.status === 'DELIVERED', durationMs: answer.durationMs }
  }

  /** Settles nothing: when the lease ends, a worker takes the job again. */
  function unknownEnd(error: unknown): Ended {
    observe.failed(error)
    return { delivered: false, durationMs: 0 }
  }

  return (job: J) => attemptInTime(job).catch(unknownEnd)
}

/** Claims when a lane has rested. Without it, a short rest would last until the next poll. */
function alarms(now: () => Date, ring: () => void) {
  const all = new Set<NodeJS.Timeout>()
  return {
    set(at: Date): void {
      const ms = at.getTime() - now().getTime()
      if (ms >= pollMs) return
      const alarm = setTimeout(
        () => {
          all.delete(alarm)
          ring()
        },
        // A timer can fire a moment before the clock shows its time.
        Math.max(0, ms) + 1,
      ).unref()
      all.add(alarm)
    },
    clear(): void {
      for (const alarm of all) clearTimeout(alarm)
    },
  }
}
