const flushIntervalMs = 2_000

/** Collects the latest note of each subject and writes them together, so that requests do not wait for a write. */
export interface WriteBehind<Note> {
  note(subject: string, note: Note): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export function writeBehind<Note>(
  save: (notes: readonly Note[]) => Promise<void>,
  onError: (error: unknown) => void,
): WriteBehind<Note> {
  let pending = new Map<string, Note>()
  const flush = async () => {
    if (pending.size === 0) return
    const notes = pending
    pending = new Map()
    try {
      await save([...notes.values()])
    } catch (error) {
      // Kept for the next flush; newer notes win.
      pending = new Map([...notes, ...pending])
      throw error
    }
  }
  const timer = setInterval(() => void flush().catch(onError), flushIntervalMs).unref()
  return {
    note: (subject, note) => void pending.set(subject, note),
    flush,
    async stop() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
