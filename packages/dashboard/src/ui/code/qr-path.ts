import { encode } from 'uqr'

/** The light margin that readers expect, in modules. */
const quietZone = 4

/** The path of a QR code in a square of `size` units, with one rectangle for each run of dark modules. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const runs = data.flatMap((row, y) =>
    [...runsIn(row)].map(({ from, length }) => `M${from} ${y}h${length}v1h-${length}z`),
  )
  return { path: runs.join(''), size }
}

function* runsIn(row: readonly boolean[]): Generator<{ from: number; length: number }> {
  let from = -1
  for (let x = 0; x <= row.length; x += 1) {
    if (row[x] && from < 0) from = x
    if (!row[x] && from >= 0) {
      yield { from, length: x - from }
      from = -1
    }
  }
}
