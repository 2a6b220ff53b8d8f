type Listener = (payload: never) => unknown

/** Calls the listeners of an event. */
export type Emit<Events> = <Name extends keyof Events>(event: Name, payload: Events[Name]) => void

/**
 * Makes a list of listeners by event name. Errors of a listener, thrown or rejected, go to `onFault` and affect
 * neither the other listeners nor the caller.
 */
export function createEmitter<Events extends object>(onFault: (fault: unknown) => void) {
  const entries = new Set<{ event: unknown; listener: Listener }>()

  return {
    /** Adds a listener and returns a function that removes it. */
    on<Name extends keyof Events>(event: Name, listener: (payload: Events[Name]) => unknown): () => void {
      const entry = { event, listener: listener as Listener }
      entries.add(entry)
      return () => {
        entries.delete(entry)
      }
    },

    emit<Name extends keyof Events>(event: Name, payload: Events[Name]): void {
      for (const entry of [...entries]) {
        if (entry.event === event) void call(entry.listener, payload as never, onFault)
      }
    },

    clear(): void {
      entries.clear()
    },
  }
}

/** Runs synchronously up to the listener's first `await`. Catches both throws and rejections. */
async function call(listener: Listener, payload: never, onFault: (fault: unknown) => void): Promise<void> {
  try {
    await listener(payload)
  } catch (fault) {
    onFault(fault)
  }
}
