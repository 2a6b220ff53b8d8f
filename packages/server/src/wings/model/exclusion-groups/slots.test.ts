import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slotFor, type TakenSlot, wholeGroup } from './slots.ts'

const at = (ruleId: string, from: number, to: number): TakenSlot => ({ ruleId, from, to })
const quarters = [at('a', 0, 2500), at('b', 2500, 5000), at('c', 5000, 7500), at('d', 7500, 10_000)]

test.each<[string, Parameters<typeof slotFor>, number | undefined]>([
  ['the first rule gets the beginning', ['x', 2500, []], 0],
  ['the next rule gets the first free stretch', ['x', 2500, quarters.slice(0, 2)], 5000],
  ['a stretch that was freed is taken again', ['x', 2500, [quarters[0]!, quarters[2]!]], 2500],
  ['a full group has none', ['x', 2500, quarters], undefined],
  [
    'a rest that is too small is none',
    ['x', 3000, [at('a', 0, 3000), at('b', 3000, 6000), at('c', 6000, 9000)]],
    undefined,
  ],
  ['a rule keeps its own slot', ['c', 2500, quarters], 5000],
  ['a wanted slot that is free is given', ['x', 2500, quarters.slice(0, 1), { from: 7500, to: 10_000 }], 7500],
  ['a wanted slot that is taken is not', ['x', 2500, quarters.slice(0, 1), { from: 0, to: 2500 }], 2500],
  ['a wanted slot of another size is not', ['x', 2500, [], { from: 5000, to: 10_000 }], 0],
])('%s', (_case, given, from) => expect(slotFor(...given)?.from).toBe(from))

test('rules that come and go never overlap, and none moves', () => {
  const moves = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), joins: fc.boolean() }))
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: wholeGroup }), moves, (size, steps) => {
      let taken: TakenSlot[] = []
      for (const { id, joins } of steps) {
        const others = taken.filter(({ ruleId }) => ruleId !== id)
        const slot = joins ? slotFor(id, size, taken) : undefined
        if (joins && !slot) expect(taken.length).toBe(Math.floor(wholeGroup / size))
        const before = taken.find(({ ruleId }) => ruleId === id)
        if (slot && before) expect(slot).toEqual({ from: before.from, to: before.to })
        if (slot) expect(others.every(({ from, to }) => slot.to <= from || to <= slot.from)).toBe(true)
        taken = slot ? [...others, { ruleId: id, ...slot }] : joins ? taken : others
      }
    }),
  )
})
