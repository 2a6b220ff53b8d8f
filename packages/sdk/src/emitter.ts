type Listener = (payload: never) => unknown

/** Calls the listeners of an event. */
export type Emit<Events> = <Name extends keyof Events>(event: Name, payload: Events[Name]) => void

/**
 * Makes a list of listeners by event name. Errors of a listener, thrown or rejected, go to `onFault` and affect
 * neither the other listeners nor the caller.
 *
 * @param once an event that fires once. A listener that is added later is called too, as soon as it has been added.
 */
export function createEmitter<Events extends object>(onFault: (fault: unknown) => void, once?: keyof Events) {
  const entries = new Set<[event: unknown, listener: Listener]>()
  let fired: [payload?: unknown] = []

  // Runs synchronously up to the listener's first `await`. Catches both throws and rejections.
  const call = async (entry: [unknown, Listener], event: unknown, payload: unknown) => {
    try {
      if (entry[0] === event && entries.has(entry)) await entry[1](payload as never)
    } catch (fault) {
      onFault(fault)
    }
  }

  return {
    /** Adds a listener and returns a function that removes it. */
    on<Name extends keyof Events>(event: Name, listener: (payload: Events[Name]) => unknown): () => void {
      const entry: [Name, Listener] = [event, listener]
      entries.add(entry)
      const [payload] = fired
      if (fired.length && event === once) queueMicrotask(() => call(entry, once, payload))
      return () => {
        entries.delete(entry)
      }
    },

    emit<Name extends keyof Events>(event: Name, payload: Events[Name]): void {
      if (event === once) fired = [payload]
      for (const entry of [...entries]) call(entry, event, payload)
    },

    clear(): void {
      entries.clear()
      fired = []
    },
  }
}
