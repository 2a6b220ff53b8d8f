import { type Refusal, refuse } from './catalogue/refusals.ts'

/** Too much work is waiting, or it has waited for too long. */
export class TooBusy extends Error {
  constructor() {
    super('too much work is waiting already')
  }
}

export interface Waiting {
  /** How many callers can wait. Further callers are refused. */
  waitingAtMost: number
  /** How long a caller can wait before it is refused. */
  patienceMs?: number
}

/** The waiting callers, in order of arrival. */
export interface Line {
  /** Resolves when it is the caller's turn. */
  join(): Promise<void>
  /** Lets the first waiting caller run. False if no caller waits. */
  callNext(): boolean
  /** Refuses all waiting callers. */
  dismiss(error: Error): void
}

/** @param turnedAway the error for callers that are refused or have waited too long */
export function waitingLine(
  { waitingAtMost, patienceMs }: Waiting,
  turnedAway: (why: 'full' | 'late') => Error = () => new TooBusy(),
): Line {
  const waiting = new Set<{ begin(): void; leave(error: Error): void }>()

  const join = () => {
    if (waiting.size >= waitingAtMost) return Promise.reject(turnedAway('full'))
    return new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(waiter)
      }
      const waiter = {
        begin() {
          end()
          resolve()
        },
        leave(error: Error) {
          end()
          reject(error)
        },
      }
      const timer =
        patienceMs === undefined ? undefined : setTimeout(() => waiter.leave(turnedAway('late')), patienceMs)
      waiting.add(waiter)
    })
  }

  return {
    join,
    callNext() {
      const [next] = waiting
      next?.begin()
      return next !== undefined
    },
    dismiss(error) {
      for (const { leave } of waiting) leave(error)
    },
  }
}

/** Runs work when it is its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Runs a few tasks at a time, in order of arrival. If there is no room for a task, it does not run and fails with
 * `TooBusy`.
 */
export function inTurn({ atOnce, ...waiting }: Waiting & { atOnce: number }): InTurn {
  const line = waitingLine(waiting)
  let running = 0
  return async (work) => {
    if (running < atOnce) running += 1
    else await line.join()
    try {
      return await work()
    } finally {
      if (!line.callNext()) running -= 1
    }
  }
}

/** Runs work of one key in turn. Work of other keys does not wait for it. */
export type InTurnOf = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Like `inTurn`, with a line for each key. A key that has no more work is forgotten. */
export function inTurnByKey(limits: Waiting & { atOnce: number }): InTurnOf {
  const lines = new Map<string, { take: InTurn; callers: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { take: inTurn(limits), callers: 0 }
    lines.set(key, line)
    line.callers += 1
    try {
      return await line.take(work)
    } finally {
      line.callers -= 1
      if (line.callers === 0) lines.delete(key)
    }
  }
}

/** What work in turn comes to. If there is no room for it, a refusal that asks the caller to come back. */
export async function orTooBusy<Result>(reason: string, work: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TooBusy) return refuse('unavailable', `${reason} Try again shortly.`)
    throw error
  }
}
