import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { idFault } from '../../../model/catalog/index.ts'

/** One product goes with another one: the larger the score, the better. */
export interface Pair {
  productId: string
  relatedId: string
  score: number
}

/** A file that cannot be read, in words for people. Nothing of it is kept. */
export class BrokenFile extends Error {
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}`)
  }
}

/** How large a line can be. Two ids and a number have less. */
const maxLineBytes = 4_096

/**
 * Reads pairs from JSON lines, or from CSV whose first line names the columns `productId`, `relatedId` and `score`. A file
 * that begins with a brace is JSON lines.
 *
 * @throws {BrokenFile}
 */
export async function* readPairs(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Pair> {
  const reader = bytes[Symbol.asyncIterator]()
  const first = await reader.next()
  if (first.done) return
  const whole = { [Symbol.asyncIterator]: () => after(first.value, reader) }
  const opening = new TextDecoder().decode(first.value.subarray(0, 64)).trimStart()
  yield* opening.startsWith('{') ? jsonLines(whole) : csvLines(whole)
}

async function* after(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (;;) {
    const next = await rest.next()
    if (next.done) return
    yield next.value
  }
}

async function* csvLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Pair> {
  const parser = parse({
    ...{ bom: true, columns: true, info: true, skip_empty_lines: true, trim: true, max_record_size: maxLineBytes },
  })
  const piped = Readable.from(bytes, { objectMode: false })
  piped.on('error', (error) => parser.destroy(error))
  piped.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: Told; info: { lines: number } }>)
      yield pairIn(record, info.lines)
  } catch (error) {
    if (!(error instanceof Error && 'lines' in error)) throw error
    throw new BrokenFile(Number(error.lines), error.message)
  } finally {
    piped.destroy()
  }
}

async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Pair> {
  let line = 0
  let rest = ''
  const decoder = new TextDecoder('utf-8')
  const read = (text: string): Pair | undefined => {
    line += 1
    if (text.length > maxLineBytes) throw new BrokenFile(line, `A line can have up to ${maxLineBytes} characters.`)
    return text.trim() === '' ? undefined : pairIn(parsed(text, line), line)
  }
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    if (rest.length > maxLineBytes) read(rest)
    for (const text of lines) {
      const pair = read(text)
      if (pair) yield pair
    }
  }
  const last = read(rest + decoder.decode())
  if (last) yield last
}

type Told = Record<string, unknown>

function parsed(text: string, line: number): Told {
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told === 'object' && told !== null) return told as Told
  } catch {
    // Said below.
  }
  throw new BrokenFile(line, 'Must be a JSON object.')
}

function pairIn({ productId, relatedId, score }: Told, line: number): Pair {
  const number = typeof score === 'string' && score !== '' ? Number(score) : score
  // Models have scores of 32 bits. What is no number there could not be read by any node.
  if (typeof number !== 'number' || !Number.isFinite(Math.fround(number)) || !(Math.fround(number) > 0))
    throw new BrokenFile(line, 'score must be a number above 0, from about 1e-45 to 3e38.')
  return { productId: idIn('productId', productId, line), relatedId: idIn('relatedId', relatedId, line), score: number }
}

function idIn(field: string, value: unknown, line: number): string {
  if (typeof value !== 'string' || value === '') throw new BrokenFile(line, `${field} must be the id of a product.`)
  const fault = idFault(value)
  if (fault !== undefined) throw new BrokenFile(line, `${field}: ${fault}`)
  return value
}
