/**
 * Reads a body as text and refuses to read on after `limitBytes`, counted after decompression.
 * Throws an Error then and where the bytes are no UTF-8, and what the stream throws when it breaks.
 */
export async function readBody(response: Response, limitBytes: number): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    if (bytes > limitBytes) throw new Error(`more than ${limitBytes} bytes`)
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}
