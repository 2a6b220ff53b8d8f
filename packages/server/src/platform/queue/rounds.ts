/** Work in rounds: one at a time, and another right after it if someone asked meanwhile. */
export interface Rounds {
  ask(): void
  /** Whether no round is under way and none has been asked for. */
  isIdle(): boolean
  /** Resolves when that is so. */
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
      // In the same turn as the last look at `isAsked`, so that no one asks in between.
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
