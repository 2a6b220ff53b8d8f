type Listener = (payload: never) => unknown

/** Calls the listeners of an event. */
export type Emit<Events> = <Name extends keyof Events>(event: Name, payload: Events[Name]) => void

/**
 * Makes a list of listeners by event name. Errors of a listener, thrown or rejected, go to `onFault` and affect
 * neither the other listeners nor the caller.
 */
export function createEmitter<Events extends object>(onFault: (fault: unknown) => void) {
  const entries = new Set<[event: unknown, listener: Listener]>()

  return {
    /** Adds a listener and returns a function that removes it. */
    on<Name extends keyof Events>(event: Name, listener: (payload: Events[Name]) => unknown): () => void {
      const entry: [Name, Listener] = [event, listener]
      entries.add(entry)
      return () => {
        entries.delete(entry)
      }
    },

    emit<Name extends keyof Events>(event: Name, payload: Events[Name]): void {
      // Runs synchronously up to the listener's first `await`. Catches both throws and rejections.
      const call = async ([name, listener]: [unknown, Listener]) => {
        try {
          if (name === event) await listener(payload as never)
        } catch (fault) {
          onFault(fault)
        }
      }
      for (const entry of [...entries]) call(entry)
    },

    clear(): void {
      entries.clear()
    },
  }
}
