const longestLineCharacters = 10_000

/** The events that the client needs from an event stream. */
export interface StreamEvents {
  /** Called at the end of an event. `id` is its last integer id, a revision; `data` is its data. */
  onRevision(id: number, data: string): void
  /** Called when the service says how long to wait before the next connection. */
  onRetry(delayMs: number): void
}

/**
 * Reads the part of text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) that the service
 * uses: `id`, `data` in one line, `retry` and the end of an event. The returned function takes the text in pieces.
 *
 * @throws Error (from the returned function) if a line is too long
 */
export function readEvents({ onRevision, onRetry }: StreamEvents): (text: string) => void {
  let unfinished = ''
  let id: number | undefined
  let data = ''
  return (text) => {
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() as string
    if (unfinished.length > longestLineCharacters) throw new Error('a line is too long')
    for (const line of lines) {
      const [, field, value = ''] = /^(id|data|retry): ?(.*?)\r?$/s.exec(line) ?? []
      const number = /^\d{1,15}$/.test(value) ? Number(value) : undefined
      if (field === 'id' && number !== undefined) id = number
      if (field === 'data') data = value
      if (field === 'retry' && number !== undefined) onRetry(number)
      if (/^\r?$/.test(line)) {
        if (id !== undefined) onRevision(id, data)
        id = undefined
        data = ''
      }
    }
  }
}
