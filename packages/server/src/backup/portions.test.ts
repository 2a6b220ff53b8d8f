import { expect, test } from 'vitest'
import { portions, rowsIn } from './portions.ts'

async function gathered(pieces: string[], bytes: number): Promise<string[]> {
  async function* given() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  const all: string[] = []
  for await (const portion of portions(given(), bytes)) all.push(portion.toString())
  return all
}

test.each<[string, string[], number, string[]]>([
  ['nothing', [], 4, []],
  ['small pieces together', ['a\n', 'b\n', 'c\n'], 4, ['a\nb\n', 'c\n']],
  ['a piece that ends inside a line', ['a\nb', 'b\nc', 'c\n'], 3, ['a\n', 'bb\n', 'cc\n']],
  ['a line that is longer than a portion', ['aaaa', 'aaaa', '\nb\n'], 3, ['aaaaaaaa\nb\n']],
  ['characters that are cut between pieces', ['é\n', 'ü\n'], 2, ['é\n', 'ü\n']],
])('gathers %s', async (_what, pieces, bytes, expected) => {
  expect(await gathered(pieces, bytes)).toEqual(expected)
})

test('counts the rows of a portion', () => {
  expect(['', 'a\n', 'a\nb\\nb\n\n'].map((text) => rowsIn(Buffer.from(text)))).toEqual([0, 1, 3])
})
