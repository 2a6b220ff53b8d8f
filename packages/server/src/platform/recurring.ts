/** Work that repeats by itself. */
export interface Recurring {
  /** Runs the work now, and then at every interval. */
  start(): void
  /** Begins nothing new and waits for work under way. */
  stop(): Promise<void>
}

/**
 * Runs one at a time: an interval that passes during the work is skipped. The timer does not keep the process alive.
 */
export function recurring(work: () => Promise<void>, intervalMs: number, onError: (error: unknown) => void): Recurring {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }
  return {
    start() {
      timer = setInterval(run, intervalMs).unref()
      run()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** The same, and once more at the end, for work that must not be lost. */
export function recurringToTheEnd(
  work: () => Promise<void>,
  intervalMs: number,
  onError: (error: unknown) => void,
): Recurring {
  const { start, stop } = recurring(work, intervalMs, onError)
  return {
    start,
    async stop() {
      await stop()
      await work().catch(onError)
    },
  }
}
