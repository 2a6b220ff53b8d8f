import { expect, test } from 'vitest'
import { BrokenFile, readPairs } from './rows.ts'

/** The text in pieces of some bytes, as it could come. */
async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size)
}
const read = (text: string, size = 7) => Array.fromAsync(readPairs(inPieces(text, size)))

const pairs = [
  { productId: 'G1', relatedId: 'é, "2"', score: 0.5 },
  { productId: 'G1', relatedId: 'G3', score: 2 },
]

test.each<[string, string]>([
  ['CSV', 'productId,relatedId,score\nG1,"é, ""2""",0.5\nG1,G3,2\n'],
  [
    'CSV with a mark, other columns and blank lines',
    '\ufeffscore,x,relatedId,productId\r\n0.5,,"é, ""2""",G1\r\n\r\n2,y,G3,G1',
  ],
  ['JSON lines', pairs.map((pair) => JSON.stringify(pair)).join('\n')],
  ['JSON lines with blank ones', `${pairs.map((pair) => JSON.stringify({ ...pair, more: 1 })).join('\r\n\r\n')}\n\n`],
])('%s', async (_what, text) => {
  for (const size of [1, 7, 10_000]) expect(await read(text, size)).toEqual(pairs)
})

test('nothing is no pair', async () => expect(await read('')).toEqual([]))

test.each<[string, string]>([
  ['productId,relatedId,score\nG1,G2,free', 'Line 2: score must be a number above 0, from about 1e-45 to 3e38.'],
  ['productId,relatedId\nG1,G2', 'Line 2: score must be a number above 0, from about 1e-45 to 3e38.'],
  ['productId,relatedId,score\nG1,,1', 'Line 2: relatedId must be the id of a product.'],
  ['{"productId":"G1","relatedId":"G2","score":1}\n{"productId":', 'Line 2: Must be a JSON object.'],
  ['{"productId":17,"relatedId":"G2","score":1}', 'Line 1: productId must be the id of a product.'],
  ['{"productId":"G1","relatedId":"G2","score":-1}', 'Line 1: score must be a number above 0'],
  ['productId,relatedId,score\nG1,G2,1e39', 'Line 2: score must be a number above 0'],
  ['productId,relatedId,score\nG1,G2,1e-46', 'Line 2: score must be a number above 0'],
  [`{"productId":"${'x'.repeat(5_000)}"}`, 'Line 1: A line can have up to 4096 characters.'],
])('%j: %s', async (text, message) => {
  await expect(read(text)).rejects.toThrow(BrokenFile)
  await expect(read(text)).rejects.toThrow(message)
})

test('a quote that does not end is refused with its line', async () => {
  await expect(read('productId,relatedId,score\nG1,"G2,1\n')).rejects.toThrow(/^Line \d/)
})
