import type { ServerResponse } from 'node:http'

/** An answer of server-sent events, which stays open. At most one write to it is under way. */
export interface EventStream {
  response: ServerResponse
  /** True while a write has not left the process. */
  writing: boolean
  /** Whether the client was already blocked at the last ping. */
  stalled: boolean
}

export const eventStream = (response: ServerResponse): EventStream => ({ response, writing: false, stalled: false })

/** Writes to a stream that is not writing. `onWritten` is called when the bytes have left the process. */
export function write(stream: EventStream, bytes: Buffer | string, onWritten: () => void): void {
  const { response } = stream
  // `writable` of a response stays true after its end.
  if (response.writableEnded || response.destroyed) return
  stream.writing = true
  response.write(bytes, () => {
    stream.writing = false
    stream.stalled = false
    onWritten()
  })
}

/** Shows proxies that the stream is alive. Ends a stream whose client has taken nothing since the last ping. */
export function ping(stream: EventStream, onWritten: () => void): void {
  if (!stream.writing) write(stream, pingFrame, onWritten)
  else if (stream.stalled) stream.response.destroy()
  else stream.stalled = true
}

/** A comment, not an event. */
const pingFrame = Buffer.from(':\n\n')

/** Sends how long a client waits before it reconnects. The time varies, so that clients do not return all at once. */
export const retryFrame = (random: number): string =>
  `retry: ${Math.round(minRetryMs + random * (maxRetryMs - minRetryMs))}\n\n`

const minRetryMs = 1_000
const maxRetryMs = 5_000
