const longestLineCharacters = 10_000

/** What the client needs of an event stream. */
export interface StreamEvents {
  /** An event ended; `id` is the last one seen as a whole number, its revision, `data` what it says. */
  onRevision(id: number, data: string): void
  /** How long to wait before the next connection. */
  onRetry(delayMs: number): void
}

/**
 * Reads text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) as far as the service uses
 * it: `id`, `data` in one line, `retry` and the end of an event. Give it the text piece by piece; a line without an end
 * throws.
 */
export function readEvents({ onRevision, onRetry }: StreamEvents): (text: string) => void {
  let unfinished = ''
  let id: number | undefined
  let data = ''
  return (text) => {
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() as string
    if (unfinished.length > longestLineCharacters) throw new Error('a line without an end')
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
