/** More work waits than there is room for. */
export class TooBusy extends Error {
  constructor() {
    super('too much work waits already')
  }
}

/** Runs work at most `atOnce` at a time, in the order it came; beyond `waitingAtMost` it is turned away. */
export function inTurn(
  atOnce: number,
  waitingAtMost: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running += 1
    else {
      if (waiting.length >= waitingAtMost) throw new TooBusy()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
