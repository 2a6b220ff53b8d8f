const everyMs = { terminal: 200, elsewhere: 10_000 }
const eraseLine = '\r\u001b[K'

interface Shown {
  /** In bytes; null if it is not known. */
  size: number | null
  isQuiet: boolean
  erases: boolean
}

/** Shows how much of a file was sent: where a line can be erased, in one that goes away; elsewhere in a line every 10 s. */
export function sentSoFar(
  stderr: NodeJS.WriteStream,
  { size, isQuiet, erases }: Shown,
  now: () => number = () => performance.now(),
): { counted(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>; end(): void } {
  const stepMs = erases ? everyMs.terminal : everyMs.elsewhere
  let nextAt = now() + stepMs
  let isShown = false
  let sent = 0

  function show(): void {
    if (isQuiet || now() < nextAt) return
    nextAt = now() + stepMs
    const text = `Sent ${megabytes(sent)}${size === null ? '' : ` of ${megabytes(size)}`} MB`
    stderr.write(erases ? `${eraseLine}${text}` : `${text}.\n`)
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
      if (isShown && erases) stderr.write(eraseLine)
    },
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
