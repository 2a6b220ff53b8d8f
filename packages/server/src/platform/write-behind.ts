const flushIntervalMs = 2_000

/** Collects a note of each subject and writes them together, so that requests do not wait for a write. */
export interface WriteBehind<Note> {
  note(subject: string, note: Note): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export function writeBehind<Note>(
  save: (notes: readonly Note[]) => Promise<void>,
  onError: (error: unknown) => void,
  /** Two notes of one subject become one. By default, the later one stays. */
  join: (earlier: Note, later: Note) => Note = (_earlier, later) => later,
): WriteBehind<Note> {
  const add = (notes: Map<string, Note>, subject: string, note: Note): void => {
    const earlier = notes.get(subject)
    notes.set(subject, earlier === undefined ? note : join(earlier, note))
  }
  let pending = new Map<string, Note>()
  const flush = async () => {
    if (pending.size === 0) return
    const notes = pending
    pending = new Map()
    try {
      await save([...notes.values()])
    } catch (error) {
      // Kept for the next flush.
      for (const [subject, note] of pending) add(notes, subject, note)
      pending = notes
      throw error
    }
  }
  const timer = setInterval(() => void flush().catch(onError), flushIntervalMs).unref()
  return {
    note: (subject, note) => add(pending, subject, note),
    flush,
    async stop() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
