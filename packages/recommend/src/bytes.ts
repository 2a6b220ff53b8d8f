import type { Ranked } from './best.ts'
import type { Neighbours } from './neighbours.ts'
import type { Lists } from './rows.ts'
import type { SessionIndex } from './sessions.ts'

/** A model as it is stored. Its numbers of products are places in `ids`, which are in ascending order. */
export type Model =
  | { kind: 'NEIGHBOURS'; ids: readonly string[]; neighbours: Neighbours }
  | { kind: 'SESSIONS'; ids: readonly string[]; index: SessionIndex }
  | { kind: 'RANKED'; ids: readonly string[]; ranked: Ranked }

/** The bytes are no model that this version can read. */
export class NotAModel extends Error {}

const magic = 0x72637653
const version = 1
const kinds = ['NEIGHBOURS', 'SESSIONS', 'RANKED'] as const
const headerBytes = 16
/** An array of eight bytes each must begin at a multiple of eight. */
const step = 8

type Stored = Uint8Array | Uint32Array | Float32Array | Float64Array

const arrayTypes = [Uint8Array, Uint32Array, Float32Array, Float64Array] as const

/**
 * A model as bytes: a header (magic, version, kind, number of arrays), then each array with its type and length. Equal
 * models have equal bytes. All numbers are little-endian.
 */
export function bytesOf(model: Model): Uint8Array {
  const arrays = [...idArrays(model.ids), ...arraysOf(model)]
  const size = arrays.reduce((sum, array) => sum + step + padded(array.byteLength), headerBytes)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  for (const [n, value] of [magic, version, kinds.indexOf(model.kind), arrays.length].entries())
    view.setUint32(4 * n, value, true)
  let at = headerBytes
  for (const array of arrays) {
    view.setUint32(
      at,
      arrayTypes.findIndex((type) => array instanceof type),
      true,
    )
    view.setUint32(at + 4, array.length, true)
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at + step)
    at += step + padded(array.byteLength)
  }
  return bytes
}

/**
 * Reads a model. Nothing is taken on trust: a number that names no product would otherwise answer with nonsense, or end
 * the node that serves it.
 *
 * @throws {NotAModel}
 */
export function modelOf(bytes: Uint8Array): Model {
  const { kind, arrays } = arraysIn(bytes)
  const next = <Type extends Stored>(type: new (length: number) => Type): Type => {
    const array = arrays.shift()
    if (!(array instanceof type)) throw new NotAModel('An array is missing or has a different type.')
    return array
  }
  const lists = (numbersBelow: number): Lists => {
    const [starts, numbers] = [next(Uint32Array), next(Uint32Array)]
    requireLists(starts, numbers, numbersBelow)
    return { starts, numbers }
  }
  const ids = idsOf(next(Uint32Array), next(Uint8Array))
  const model = readAs(kind, ids, { next, lists })
  require(arrays.length === 0, 'There are more arrays than the model has.')
  return model
}

interface Reading {
  next<Type extends Stored>(type: new (length: number) => Type): Type
  lists(numbersBelow: number): Lists
}

function readAs(kind: Model['kind'], ids: readonly string[], { next, lists }: Reading): Model {
  if (kind === 'NEIGHBOURS') {
    const of = lists(ids.length)
    const scores = next(Float32Array)
    require(of.starts.length === ids.length + 1, 'There is not one list for each product.')
    requireScores(scores, of.numbers.length)
    return { kind, ids, neighbours: { ...of, scores } }
  }
  if (kind === 'SESSIONS') {
    const sessions = lists(ids.length)
    const ofProducts = lists(sessions.starts.length - 1)
    const idf = next(Float32Array)
    require(ofProducts.starts.length === ids.length + 1, 'There is not one list for each product.')
    requireScores(idf, ids.length)
    return { kind, ids, index: { sessions, ofProducts, idf } }
  }
  const [numbers, scores] = [next(Uint32Array), next(Float64Array)]
  requireBelow(numbers, ids.length)
  requireScores(scores, numbers.length)
  return { kind, ids, ranked: { numbers, scores } }
}

function arraysOf(model: Model): Stored[] {
  switch (model.kind) {
    case 'NEIGHBOURS':
      return [model.neighbours.starts, model.neighbours.numbers, model.neighbours.scores]
    case 'SESSIONS': {
      const { sessions, ofProducts, idf } = model.index
      return [sessions.starts, sessions.numbers, ofProducts.starts, ofProducts.numbers, idf]
    }
    case 'RANKED':
      return [model.ranked.numbers, model.ranked.scores]
  }
}

function arraysIn(bytes: Uint8Array): { kind: Model['kind']; arrays: Stored[] } {
  require(bytes.length >= headerBytes, 'The header is cut off.')
  // Arrays of four and eight bytes must begin at a multiple of that.
  const buffer = bytes.byteOffset % step === 0 ? bytes.buffer : bytes.slice().buffer
  const from = bytes.byteOffset % step === 0 ? bytes.byteOffset : 0
  const view = new DataView(buffer, from, bytes.length)
  const [read, of, kind, count] = [0, 4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ]
  require(read === magic, 'The first bytes are not those of a model.')
  require(of === version, `The version is ${of}; this service reads ${version}.`)
  const kindName = kinds[kind]
  if (!kindName) throw new NotAModel('The kind is unknown.')
  const arrays: Stored[] = []
  let at = headerBytes
  for (let n = 0; n < count; n += 1) {
    require(at + step <= bytes.length, 'An array is cut off.')
    const type = arrayTypes[view.getUint32(at, true)]
    const length = view.getUint32(at + 4, true)
    if (!type) throw new NotAModel('The type of an array is unknown.')
    const size = length * type.BYTES_PER_ELEMENT
    require(at + step + padded(size) <= bytes.length, 'An array is cut off.')
    arrays.push(new type(buffer as ArrayBuffer, from + at + step, length))
    at += step + padded(size)
  }
  require(at === bytes.length, 'There are bytes after the last array.')
  return { kind: kindName, arrays }
}

/** Where each id begins, and the text of all of them. */
function idArrays(ids: readonly string[]): [Uint32Array, Uint8Array] {
  const encoder = new TextEncoder()
  const texts = ids.map((id) => encoder.encode(id))
  const starts = new Uint32Array(ids.length + 1)
  for (const [n, text] of texts.entries()) starts[n + 1] = starts[n]! + text.length
  const all = new Uint8Array(starts[ids.length]!)
  for (const [n, text] of texts.entries()) all.set(text, starts[n])
  return [starts, all]
}

function idsOf(starts: Uint32Array, text: Uint8Array): string[] {
  requireStarts(starts, text.length)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const ids: string[] = []
  try {
    for (let n = 0; n + 1 < starts.length; n += 1) ids.push(decoder.decode(text.subarray(starts[n], starts[n + 1])))
  } catch {
    throw new NotAModel('The ids are not in UTF-8.')
  }
  for (let n = 1; n < ids.length; n += 1) require(ids[n - 1]! < ids[n]!, 'The ids are not in order.')
  return ids
}

const padded = (size: number): number => Math.ceil(size / step) * step

function requireLists(starts: Uint32Array, numbers: Uint32Array, numbersBelow: number): void {
  requireStarts(starts, numbers.length)
  requireBelow(numbers, numbersBelow)
}

function requireStarts(starts: Uint32Array, end: number): void {
  require(starts.length > 0 && starts[0] === 0 && starts.at(-1) === end, 'Lists do not cover their array.')
  for (let n = 1; n < starts.length; n += 1) require(starts[n]! >= starts[n - 1]!, 'Lists overlap.')
}

function requireBelow(numbers: Uint32Array, limit: number): void {
  for (const number of numbers) if (number >= limit) throw new NotAModel('A number names nothing.')
}

function requireScores(scores: Float32Array | Float64Array, length: number): void {
  require(scores.length === length, 'There is not one score for each number.')
  for (const score of scores) if (!Number.isFinite(score)) throw new NotAModel('A score is no number.')
}

function require(holds: boolean, message: string): void {
  if (!holds) throw new NotAModel(message)
}
