/** Work in rounds: one at a time, and another one directly after it if it was asked for in the meantime. */
export interface Rounds {
  ask(): void
  /** Whether no round is running or asked for. */
  isIdle(): boolean
  /** Resolves when `isIdle` is true. */
  idle(): Promise<void>
}

export function rounds(round: () => Promise<void>, onError: (error: unknown) => void): Rounds {
  let isAsked = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      while (isAsked) {
        isAsked = false
        await round().catch(onError)
      }
    } finally {
      // In the same turn as the last check of `isAsked`, so that no request can come in between.
      running = undefined
    }
  }

  return {
    ask() {
      isAsked = true
      running ??= Promise.resolve().then(run)
    },
    isIdle: () => running === undefined,
    async idle() {
      while (running) await running
    },
  }
}
