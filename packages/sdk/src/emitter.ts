type Listener = (payload: never) => unknown

/** Tells the listeners of an event. */
export type Emit<Events> = <Name extends keyof Events>(event: Name, payload: Events[Name]) => void

/**
 * A list of listeners by event name. A listener that throws or rejects is reported to `onFault`
 * and disturbs neither the other listeners nor the caller.
 */
export function createEmitter<Events extends object>(onFault: (fault: unknown) => void) {
  const entries = new Set<{ event: unknown; listener: Listener }>()

  return {
    /** Adds a listener; the function returned removes it. */
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

/** Runs at once up to the listener's first `await`; being async itself, it catches throws and rejections alike. */
async function call(listener: Listener, payload: never, onFault: (fault: unknown) => void): Promise<void> {
  try {
    await listener(payload)
  } catch (fault) {
    onFault(fault)
  }
}
