const portionBytes = 4 * 1024 * 1024
const newline = 10

/**
 * Gathers COPY text into portions of whole lines, of about 4 MB unless a single line is longer. A line of COPY text is a
 * row: a line break in a value is escaped.
 */
export async function* portions(pieces: AsyncIterable<Buffer>, bytes = portionBytes): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    if (length < bytes) continue
    const all = Buffer.concat(waiting, length)
    const end = all.lastIndexOf(newline) + 1
    if (end > 0) yield all.subarray(0, end)
    waiting = [all.subarray(end)]
    length = all.length - end
  }
  if (length > 0) yield Buffer.concat(waiting, length)
}

export function rowsIn(text: Buffer): number {
  let rows = 0
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) rows++
  return rows
}
