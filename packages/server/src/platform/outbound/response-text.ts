export const bodyMaxBytes = 1024

/**
 * The beginning of a response body as text that any database can hold: at most 1,024 bytes, cut at a character,
 * what is not UTF-8 replaced, NUL removed. `isWhole` says that `bytes` are all there was.
 */
export function responseText(bytes: Buffer, isWhole: boolean): string {
  if (bytes.length === 0) return ''
  const isCut = !isWhole || bytes.length > bodyMaxBytes
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  // Left unfinished, the decoder keeps the first bytes of a character that was cut to itself.
  const text = decoder.decode(bytes.subarray(0, bodyMaxBytes), { stream: isCut }).replaceAll('\0', '')
  return withinBytes(text)
}

// A replacement takes three bytes where the bad byte took one.
function withinBytes(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bodyMaxBytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, bodyMaxBytes), { stream: true })
}
