/** More work waits than there is room for, or has waited for too long. */
export class TooBusy extends Error {
  constructor() {
    super('too much work waits already')
  }
}

/** Runs work in its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface Turns {
  atOnce: number
  /** Beyond, work is turned away. */
  waitingAtMost: number
  /** Work that has waited so long is turned away as well. */
  patienceMs?: number
}

/** Runs work in the order it came, a few at once. Where there is no room for it, it is not run: `TooBusy`. */
export function inTurn({ atOnce, waitingAtMost, patienceMs }: Turns): InTurn {
  let running = 0
  const waiting = new Set<() => void>()

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve()
      }
      const leave = () => {
        waiting.delete(begin)
        reject(new TooBusy())
      }
      const timer = patienceMs === undefined ? undefined : setTimeout(leave, patienceMs)
      waiting.add(begin)
    })

  return async (work) => {
    if (running < atOnce) running += 1
    else if (waiting.size < waitingAtMost) await turn()
    else throw new TooBusy()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else running -= 1
    }
  }
}
