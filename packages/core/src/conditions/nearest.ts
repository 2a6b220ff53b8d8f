const maxDistance = 2

/**
 * The word that was probably meant: it differs in at most two letters, regardless of letter case, or begins with what
 * was typed. Words of a different length are not compared, so a long text costs nothing.
 */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .filter((word) => Math.abs(word.length - typed.length) <= maxDistance)
    .map((word) => ({ word, distance: distanceOf(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= maxDistance && distance < lettersIn(word) / 2)
    .sort((one, other) => one.distance - other.distance)
  return best?.word ?? words.find((word) => typed.length > 1 && word.startsWith(typed))
}

/** The dashes of an option make no word alike. */
const lettersIn = (word: string): number => word.replaceAll(/[^\p{L}\p{N}]/gu, '').length

/** Letters to insert, to remove, to replace or to swap with the next. */
function distanceOf(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) => {
    const cells = Array<number>(other.length + 1).fill(0)
    cells[0] = row
    return cells
  })
  for (let column = 0; column <= other.length; column++) rows[0]![column] = column
  for (let row = 1; row <= one.length; row++)
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      rows[row]![column] = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        swapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
  return rows[one.length]![other.length]!
}
