const longestLineCharacters = 10_000

/** What the client needs of an event stream. */
export interface StreamEvents {
  /** An event ended; `id` is the last one seen as a whole number, its revision. */
  onRevision(id: number): void
  /** How long to wait before the next connection. */
  onRetry(delayMs: number): void
}

/**
 * Reads text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) as far as the service uses
 * it: `id`, `retry` and the end of an event. Give it the text piece by piece; a line without an end throws.
 */
export function readEvents({ onRevision, onRetry }: StreamEvents): (text: string) => void {
  let unfinished = ''
  let id: number | undefined
  return (text) => {
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() as string
    if (unfinished.length > longestLineCharacters) throw new Error('a line without an end')
    for (const line of lines) {
      const [, field, digits] = /^(id|retry): ?(\d{1,15})\r?$/.exec(line) ?? []
      if (field === 'id') id = Number(digits)
      if (field === 'retry') onRetry(Number(digits))
      if (/^\r?$/.test(line) && id !== undefined) {
        onRevision(id)
        id = undefined
      }
    }
  }
}
