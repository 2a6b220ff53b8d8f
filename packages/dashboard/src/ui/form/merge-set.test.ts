import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolved } from './merge.ts'
import { type MergeableSet, mergeSets } from './merge-set.ts'

interface Change {
  id: string
  value: string
}
type ChangeSet = MergeableSet<Change>

const set = (text: string, css: string | null = null): ChangeSet => ({
  changes: [...text.matchAll(/(\w)(\w*)/g)].map(([, id, value]) => ({ id: id!, value: value! })),
  css,
})
const textOf = ({ changes }: ChangeSet) => changes.map(({ id, value }) => `${id}${value}`).join(' ')

describe('two edits of a set of changes', () => {
  it.each([
    ['of different changes keep both', 'a b c', 'a1 b c', 'a b2 c', 'a1 b2 c'],
    ['keep what both add, each in its place', 'a b', 'a x b', 'a b y', 'a x b y'],
    ['keep what both add in the same place', 'a b', 'a x b', 'a y b', 'a x y b'],
    ['drop what either deletes', 'a b c', 'a b', 'b c', 'b'],
    ['keep an edit beside a new order', 'a b c', 'a1 b c', 'c b a', 'c b a1'],
    ['keep a deletion beside a new order', 'a b c', 'a c', 'c b a', 'c a'],
    ['agree where both did the same', 'a b', 'a1', 'a1', 'a1'],
  ])('%s', (_what, base, mine, theirs, expected) => {
    const merged = mergeSets(set(base), set(mine), set(theirs))
    expect(merged.conflicts).toEqual([])
    expect(textOf(merged.setOf(merged.values))).toBe(expected)
  })

  it.each([
    ['of one change', 'a b', 'a1 b', 'a2 b', 'change a', 'a1 b', 'a2 b'],
    ['that delete it and edit it', 'a b c', 'a c', 'a b2 c', 'change b', 'a c', 'a b2 c'],
    ['that edit it and delete it', 'a b c', 'a b1 c', 'a c', 'change b', 'a b1 c', 'a c'],
    ['that move changes differently', 'a b c', 'b a c', 'a c b', 'order', 'b a c', 'a c b'],
  ])('ask %s', (_what, base, mine, theirs, field, chosenMine, chosenTheirs) => {
    const merged = mergeSets(set(base), set(mine), set(theirs))
    expect(merged.conflicts.map((conflict) => conflict.field)).toEqual([field])
    const chosen = (side: 'mine' | 'theirs') => textOf(merged.setOf(resolved(merged, { [field]: side })))
    expect([chosen('mine'), chosen('theirs')]).toEqual([chosenMine, chosenTheirs])
  })

  it('merge the CSS as one field', () => {
    const merged = mergeSets(set('a', 'p {}'), set('a1', 'p {}'), set('a', 'q {}'))
    expect(merged.setOf(merged.values)).toEqual(set('a1', 'q {}'))
    expect(mergeSets(set('a', 'p {}'), set('a', 'm {}'), set('a', 'q {}')).conflicts).toMatchObject([{ field: 'css' }])
  })
})

/** An edit of a set: some changes with another value, some deleted, some new, perhaps in another order. */
const edits = fc.record({
  values: fc.dictionary(fc.constantFrom(...'abcdefghijklmnopqrst'), fc.string({ maxLength: 3 })),
  deleted: fc.subarray([...'abcdefghijklmnopqrst'], { maxLength: 6 }),
  added: fc.subarray(['1', '2', '3']),
  at: fc.nat(20),
  css: fc.constantFrom(null, 'p {}', 'q {}'),
})
const base: ChangeSet = { changes: [...'abcdefghijklmnopqrst'].map((id) => ({ id, value: '' })), css: null }

function edited(
  who: string,
  { values, deleted, added, at, css }: typeof edits extends fc.Arbitrary<infer E> ? E : never,
) {
  const changes = base.changes
    .filter(({ id }) => !deleted.includes(id))
    .map(({ id, value }) => ({ id, value: values[id] ?? value }))
  changes.splice(at, 0, ...added.map((id) => ({ id: `${who}${id}`, value: who })))
  return { changes, css }
}

it('loses nothing of two random edits of twenty changes, and agrees in either order', () => {
  fc.assert(
    fc.property(edits, edits, (one, other) => {
      const [mine, theirs] = [edited('m', one), edited('t', other)]
      const merged = mergeSets(base, mine, theirs)
      const reverse = mergeSets(base, theirs, mine)
      const asked = new Set(merged.conflicts.map(({ field }) => field))
      expect(new Set(reverse.conflicts.map(({ field }) => field))).toEqual(asked)
      const result = merged.setOf(merged.values)
      const valueIn = ({ changes }: ChangeSet, id: string) => changes.find((change) => change.id === id)?.value
      for (const id of new Set([base, mine, theirs].flatMap(({ changes }) => changes.map((change) => change.id)))) {
        if (asked.has(`change ${id}`)) continue
        const was = valueIn(base, id)
        const expected = valueIn(mine, id) === was ? valueIn(theirs, id) : valueIn(mine, id)
        expect(valueIn(result, id), id).toBe(expected)
      }
      // What only one of them added can come in either order, where both added it in the same place.
      const old = ({ changes }: ChangeSet) => changes.filter(({ id }) => id.length === 1)
      if (asked.size === 0) expect(old(reverse.setOf(reverse.values))).toEqual(old(result))
    }),
  )
})
