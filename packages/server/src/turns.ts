/** More work waits than there is room for, or has waited for too long. */
export class TooBusy extends Error {
  constructor() {
    super('too much work waits already')
  }
}

export interface Waiting {
  /** Beyond, whoever comes is turned away. */
  waitingAtMost: number
  /** Who has waited so long is turned away as well. */
  patienceMs?: number
}

/** Those who wait, in the order they came. */
export interface Line {
  /** Resolves when it is the caller's turn. */
  join(): Promise<void>
  /** Gives the first his turn; false where nobody waits. */
  callNext(): boolean
  /** Turns everybody away. */
  dismiss(error: Error): void
}

/** @param turnedAway what those hear for whom there is no room, or no patience left */
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

/** Runs work in its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs work in the order it came, a few at once. Where there is no room for it, it is not run: `TooBusy`. */
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
