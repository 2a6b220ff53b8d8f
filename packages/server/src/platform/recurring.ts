/** Work that comes back by itself. */
export interface Recurring {
  /** The first time at once, then at every interval. */
  start(): void
  /** Begins nothing new and waits for what is under way. */
  stop(): Promise<void>
}

/** One at a time: an interval that passes while the work goes on adds nothing. The process may end between two. */
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
