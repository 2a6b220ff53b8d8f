/**
 * Reads a body as text.
 *
 * @throws Error if the body exceeds `limitBytes` after decompression, is not UTF-8, or breaks off
 */
export async function readBody(response: Response, limitBytes: number): Promise<string> {
  const reader = response.body?.getReader?.()
  // Without web streams, as in React Native and with node-fetch, the body is read as a whole.
  if (!reader) return within(limitBytes, await response.text())
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  while (true) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    if (bytes > limitBytes) throw new Error(`the response has more than ${limitBytes} bytes`)
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

function within(limitBytes: number, text: string): string {
  if (text.length > limitBytes) throw new Error(`the response has more than ${limitBytes} bytes`)
  return text
}
