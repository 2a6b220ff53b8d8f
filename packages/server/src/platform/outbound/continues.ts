import type { Duplex } from 'node:stream'

const headMaxBytes = 16_384
const start = Buffer.from('HTTP/1.1 100')
const end = '\r\n\r\n'
const statusAt = 'HTTP/1.1 '.length

/**
 * Removes `100 Continue` from what undici reads from a socket. A client may discard one that it did not ask for (RFC
 * 9110, 15.2.1), and old servers send it unasked, but undici would end the connection. Call the returned function
 * before each request: it watches the socket until the first byte of anything else.
 */
export function discardContinues(socket: Duplex): () => void {
  const read = socket.read.bind(socket)
  let isWatching = false
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    // Streams call `read(0)` only to fill their buffer; whatever it returned would be lost.
    if (!isWatching || size === 0) return read(size)
    for (let chunk = read() as Buffer | null; chunk !== null; chunk = read() as Buffer | null) {
      if (held === undefined && isAnswer(chunk)) {
        isWatching = false
        return chunk
      }
      held = withoutContinues(held ? Buffer.concat([held, chunk]) : chunk)
      if (couldBeContinue(held)) continue
      isWatching = false
      return take()
    }
    return null
  }
  const take = () => {
    const rest = held
    held = undefined
    return rest
  }
  return () => {
    isWatching = true
  }
}

/** Whether its status begins differently than that of a `100 Continue`, as in nearly every response. */
const isAnswer = (bytes: Buffer): boolean => bytes.length > statusAt && bytes[statusAt] !== start[statusAt]

function withoutContinues(bytes: Buffer): Buffer {
  let rest = bytes
  while (startsLike(rest) && rest.length >= start.length) {
    const at = rest.indexOf(end)
    if (at < 0) break
    rest = rest.subarray(at + end.length)
  }
  return rest
}

const couldBeContinue = (bytes: Buffer): boolean =>
  bytes.length <= headMaxBytes && (bytes.length === 0 || startsLike(bytes))

const startsLike = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, start.length)
  return bytes.compare(start, 0, length, 0, length) === 0
}
