import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merge, resolved } from './merge.ts'

describe('a merge', () => {
  it.each([
    ['of different fields keeps both', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 2 }, []],
    ['of the same change is no conflict', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }, []],
    ['of the same field asks', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }, ['a']],
    ['of lists keeps what both added', { l: ['x'] }, { l: ['x', 'm'] }, { l: ['x', 't'] }, { l: ['x', 'm', 't'] }, []],
    [
      'of lists drops what either removed',
      { l: ['x', 'y', 'z'] },
      { l: ['x', 'y'] },
      { l: ['y', 'z'] },
      { l: ['y'] },
      [],
    ],
    [
      'of lists follows the side that moved entries',
      { l: ['x', 'y'] },
      { l: ['x', 'y', 'm'] },
      { l: ['y', 'x'] },
      { l: ['y', 'x', 'm'] },
      [],
    ],
    [
      'of lists that both moved asks',
      { l: ['x', 'y', 'z'] },
      { l: ['y', 'x', 'z'] },
      { l: ['x', 'z', 'y'] },
      { l: ['y', 'x', 'z'] },
      ['l'],
    ],
    [
      'of entries with ids merges edits of different ones',
      {
        l: [
          { id: 1, v: 'a' },
          { id: 2, v: 'b' },
        ],
      },
      {
        l: [
          { id: 1, v: 'mine' },
          { id: 2, v: 'b' },
        ],
      },
      {
        l: [
          { id: 1, v: 'a' },
          { id: 2, v: 'theirs' },
        ],
      },
      {
        l: [
          { id: 1, v: 'mine' },
          { id: 2, v: 'theirs' },
        ],
      },
      [],
    ],
    [
      'of an entry that one removed and the other edited asks',
      { l: [{ id: 1, v: 'a' }] },
      { l: [{ id: 1, v: 'mine' }] },
      { l: [] },
      { l: [{ id: 1, v: 'mine' }] },
      ['l'],
    ],
    [
      'does not mind the order of fields',
      { o: { a: 1, b: 2 } },
      { o: { b: 2, a: 1 } },
      { o: { a: 9, b: 2 } },
      { o: { a: 9, b: 2 } },
      [],
    ],
  ])('%s', (_, base, mine, theirs, values, conflicts) => {
    const merged = merge<Record<string, unknown>>(base, mine, theirs)
    expect(merged.values).toEqual(values)
    expect(merged.conflicts.map(({ field }) => field)).toEqual(conflicts)
  })

  it('takes the chosen side of a conflict', () => {
    const merged = merge<Record<string, unknown>>({ a: 1, b: 1 }, { a: 2, b: 2 }, { a: 3, b: 3 })
    expect(resolved(merged, { a: 'theirs' })).toEqual({ a: 3, b: 2 })
  })

  it('names what either changed, for the words of the result', () => {
    const merged = merge<Record<string, unknown>>(
      { same: 1, mine: 1, theirs: 1, both: 1, alike: 1 },
      { same: 1, mine: 2, theirs: 1, both: 2, alike: 3 },
      { same: 1, mine: 1, theirs: 2, both: 3, alike: 3 },
    )
    expect(merged.changed).toEqual(['mine', 'theirs', 'both', 'alike'])
  })

  const value = fc.oneof(
    fc.nat(3),
    fc.string({ maxLength: 2 }),
    fc.constant(null),
    fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
  )
  const fields = fc.record({ a: value, b: value, c: value })

  it('never loses a typed value: it is in the result or in a conflict', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, mine, theirs) => {
        const { values, conflicts } = merge<Record<string, unknown>>(base, mine, theirs)
        for (const field of ['a', 'b', 'c'] as const) {
          const [was, my] = [base[field], mine[field]]
          const conflict = conflicts.find((each) => each.field === field)
          if (conflict) expect([conflict.mine, conflict.theirs]).toEqual([my, theirs[field]])
          else if (Array.isArray(was) && Array.isArray(my) && Array.isArray(values[field])) {
            for (const added of my.filter((entry) => !was.includes(entry))) expect(values[field]).toContain(added)
            for (const removed of was.filter((entry) => !my.includes(entry)))
              expect(values[field]).not.toContain(removed)
          } else if (JSON.stringify(my) !== JSON.stringify(was)) expect(values[field]).toEqual(my)
        }
      }),
    )
  })

  it('never loses their value either, and is the same for both up to the order of lists', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, mine, theirs) => {
        const one = merge<Record<string, unknown>>(base, mine, theirs)
        const other = merge<Record<string, unknown>>(base, theirs, mine)
        expect(one.conflicts.map(({ field }) => field)).toEqual(other.conflicts.map(({ field }) => field))
        for (const field of ['a', 'b', 'c']) {
          if (one.conflicts.some((each) => each.field === field)) continue
          expect(sorted(one.values[field])).toEqual(sorted(other.values[field]))
        }
      }),
    )
  })
})

const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value)
