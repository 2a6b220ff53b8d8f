const everyMs = { terminal: 200, elsewhere: 10_000 }
const eraseLine = '\r\u001b[K'

interface Shown {
  /** In bytes; null if it is not known. */
  size: number | null
  isQuiet: boolean
}

/** Shows how much of a file was sent: on a terminal in one line that goes away, elsewhere in a line every 10 s. */
export function sentSoFar(
  stderr: NodeJS.WriteStream,
  { size, isQuiet }: Shown,
  now: () => number = () => performance.now(),
): { counted(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>; end(): void } {
  const stepMs = stderr.isTTY ? everyMs.terminal : everyMs.elsewhere
  let nextAt = now() + stepMs
  let isShown = false
  let sent = 0

  function show(): void {
    if (isQuiet || now() < nextAt) return
    nextAt = now() + stepMs
    const text = `Sent ${megabytes(sent)}${size === null ? '' : ` of ${megabytes(size)}`} MB`
    stderr.write(stderr.isTTY ? `${eraseLine}${text}` : `${text}.\n`)
    isShown = true
  }
  return {
    async *counted(bytes) {
      for await (const chunk of bytes) {
        sent += chunk.length
        show()
        yield chunk
      }
    },
    end() {
      if (isShown && stderr.isTTY) stderr.write(eraseLine)
    },
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
