/** How much of a response is kept by default. */
export const bodyMaxBytes = 1024

/**
 * The beginning of a response body as text that any database can store: at most `maxBytes`, cut between characters,
 * with invalid UTF-8 replaced and NUL removed. `isWhole`: `bytes` is the complete body.
 */
export function responseText(bytes: Buffer, isWhole: boolean, maxBytes = bodyMaxBytes): string {
  if (bytes.length === 0) return ''
  const isCut = !isWhole || bytes.length > maxBytes
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  // With `stream`, the decoder leaves out the first bytes of a character that was cut.
  const text = decoder.decode(bytes.subarray(0, maxBytes), { stream: isCut }).replaceAll('\0', '')
  return withinBytes(text, maxBytes)
}

// A replacement character takes three bytes in place of one.
function withinBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true })
}
