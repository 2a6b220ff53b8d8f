import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { interactionsFrom, productCount, runs, someActions } from '../testing/naive.ts'
import { bytesOf, type Model, modelOf, NotAModel } from './bytes.ts'
import { neighbours } from './neighbours.ts'
import { popular } from './popularity.ts'
import { numbered, rowsOf } from './rows.ts'
import { sessionIndex, sessionsOf } from './sessions.ts'

const { ids } = numbered(['É', '😀', 'a b', ...Array.from({ length: productCount - 3 }, (_, n) => `G${n}`)])

function modelsOf(actions: Parameters<typeof interactionsFrom>[0]): Model[] {
  const interactions = interactionsFrom(actions)
  const counts = { unitCount: 6, productCount }
  return [
    { kind: 'NEIGHBOURS', ids, neighbours: neighbours(rowsOf(interactions, counts), { beta: 0.3, gamma: 0.5 }) },
    { kind: 'SESSIONS', ids, index: sessionIndex(sessionsOf(interactions, counts)) },
    { kind: 'RANKED', ids, ranked: popular(interactions, { now: Date.now(), most: 5 }) },
  ]
}

const shop = modelsOf(
  Array.from({ length: 40 }, (_, n) => ({ unit: n % 6, product: (n * 5) % productCount, at: (n % 7) * 60_000 })),
)

it('models are read as they were written, wherever their bytes are', () => {
  fc.assert(
    fc.property(someActions, fc.nat(9), (actions, offset) => {
      for (const model of modelsOf(actions)) {
        const bytes = bytesOf(model)
        const moved = new Uint8Array(bytes.length + offset).subarray(offset)
        moved.set(bytes)
        expect(modelOf(moved)).toEqual(model)
      }
    }),
    { ...runs, numRuns: 200 },
  )
})

test('equal data has equal bytes', () => {
  const again = modelsOf(
    Array.from({ length: 40 }, (_, n) => ({
      unit: n % 6,
      product: (n * 5) % productCount,
      at: (n % 7) * 60_000,
    })).toReversed(),
  )
  for (const [n, model] of shop.entries())
    if (model.kind !== 'RANKED') expect(bytesOf(again[n]!)).toEqual(bytesOf(model))
})

describe('bytes of others', () => {
  it('that are changed anywhere are refused, or are another model that can be served', () => {
    const changes = fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.nat(2), changes, (of, changed) => {
        const bytes = bytesOf(shop[of]!)
        for (const [at, byte] of changed) bytes[at % bytes.length] = byte
        let model: Model
        try {
          model = modelOf(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(NotAModel)
          return
        }
        expect(modelOf(bytesOf(model))).toEqual(model)
      }),
      runs,
    )
  })

  it('that end anywhere are refused', () => {
    fc.assert(
      fc.property(fc.nat(2), fc.nat(5_000), (of, end) => {
        const bytes = bytesOf(shop[of]!)
        expect(() => modelOf(bytes.subarray(0, end % bytes.length))).toThrow(NotAModel)
      }),
      runs,
    )
  })

  const header = (...values: number[]) => {
    const bytes = new Uint8Array(4 * values.length)
    for (const [n, value] of values.entries()) new DataView(bytes.buffer).setUint32(4 * n, value, true)
    return bytes
  }
  test.each([
    ['none', new Uint8Array(0), 'The header is cut off.'],
    ['a picture', new Uint8Array(64).fill(0x89), 'The first bytes are not those of a model.'],
    ['a later version', header(0x72637653, 2, 0, 0), 'The version is 2; this service reads 1.'],
    ['an unknown kind', header(0x72637653, 1, 3, 0), 'The kind is unknown.'],
    ['an array of four billion', header(0x72637653, 1, 0, 1, 3, 0xff_ff_ff_ff), 'An array is cut off.'],
    ['four billion arrays', header(0x72637653, 1, 0, 0xff_ff_ff_ff), 'An array is cut off.'],
    ['an unknown type', header(0x72637653, 1, 0, 1, 9, 0), 'The type of an array is unknown.'],
    ['no array', header(0x72637653, 1, 0, 0), 'An array is missing or has a different type.'],
    ['more', Uint8Array.from([...bytesOf(shop[0]!), 0]), 'There are bytes after the last array.'],
  ])('with %s are refused with a reason', (_name, bytes, message) => {
    expect(() => modelOf(bytes)).toThrow(message)
  })

  const [model] = shop as [Extract<Model, { kind: 'NEIGHBOURS' }>]
  const { neighbours: found } = model
  test.each<[string, Model, string]>([
    [
      'a product that there is not',
      { ...model, neighbours: { ...found, numbers: found.numbers.map(() => 99) } },
      'A number names nothing.',
    ],
    ['lists that overlap', { ...model, neighbours: { ...found, starts: found.starts.with(2, 0) } }, 'Lists overlap.'],
    [
      'a score that is none',
      { ...model, neighbours: { ...found, scores: found.scores.map(() => Number.NaN) } },
      'A score is no number.',
    ],
    [
      'too few scores',
      { ...model, neighbours: { ...found, scores: found.scores.subarray(1) } },
      'There is not one score for each number.',
    ],
    ['ids in disorder', { ...model, ids: ids.toReversed() }, 'The ids are not in order.'],
    ['ids of more products', { ...model, ids: [...ids, '😀😀'] }, 'There is not one list for each product.'],
  ])('with %s are refused', (_name, wrong, message) => {
    expect(() => modelOf(bytesOf(wrong))).toThrow(message)
  })
})
