/** A client of a stream: reads it event by event. */
export interface TestStream {
  status: number
  headers: Headers
  /** The next block of the stream (an event, a comment or a hint); null when it has ended. */
  next(): Promise<string | null>
  close(): Promise<void>
}

export async function openStream(url: string, headers: Record<string, string> = {}): Promise<TestStream> {
  const response = await fetch(url, { headers })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader.read()
        if (done) return null
        text += value
      }
      const [block = '', ...rest] = text.split('\n\n')
      text = rest.join('\n\n')
      return block
    },
    close: () => reader.cancel(),
  }
}

/** Skips everything that is not an event. */
export async function nextEvent(stream: TestStream): Promise<{ id: number; data: unknown } | null> {
  for (;;) {
    const block = await stream.next()
    if (block === null) return null
    const event = /^id: (\d+)\ndata: (.*)$/.exec(block)
    if (event) return { id: Number(event[1]), data: JSON.parse(event[2]!) }
  }
}
