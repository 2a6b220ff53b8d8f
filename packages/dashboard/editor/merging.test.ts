import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Change, Draft } from './draft.ts'
import { mergeDrafts } from './merging.ts'

const change = (id: string, value: string): Change => ({
  ...{ id, type: 'TEXT', page: null, selector: `#${id}`, was: null, value },
})
const base: Draft = {
  changes: Array.from({ length: 20 }, (_none, at) => change(`c${at}`, 'before')),
  css: null,
}

type Edit =
  | { does: 'edit'; at: number; value: string }
  | { does: 'remove'; at: number }
  | { does: 'add'; value: string }
  | { does: 'css'; value: string }

const edits = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('edit' as const), at: fc.nat(19), value: fc.constantFrom('one', 'two', 'three') }),
    fc.record({ does: fc.constant('remove' as const), at: fc.nat(19) }),
    fc.record({ does: fc.constant('add' as const), value: fc.string({ maxLength: 3 }) }),
    fc.record({ does: fc.constant('css' as const), value: fc.constantFrom('a{}', 'b{}') }),
  ),
  { maxLength: 8 },
)

/** @param person whose ids new changes get */
function after(list: readonly Edit[], person: string): Draft {
  let { changes, css } = base
  for (const [nth, edit] of list.entries())
    if (edit.does === 'css') css = edit.value
    else if (edit.does === 'add') changes = [...changes, change(`${person}${nth}`, edit.value)]
    else if (edit.does === 'remove') changes = changes.filter(({ id }) => id !== `c${edit.at}`)
    else changes = changes.map((each) => (each.id === `c${edit.at}` ? change(each.id, edit.value) : each))
  return { changes, css }
}

const byId = ({ changes }: Draft) => new Map(changes.map((each) => [each.id, JSON.stringify(each)]))
const idsOf = (...drafts: Draft[]) => new Set(drafts.flatMap(({ changes }) => changes.map(({ id }) => id)))

test('two edits of a set of 20 changes lose nothing: each is in the result or in a conflict', () => {
  fc.assert(
    fc.property(edits, edits, (mineEdits, theirEdits) => {
      const [mine, theirs] = [after(mineEdits, 'm'), after(theirEdits, 't')]
      const { draft, conflicts } = mergeDrafts(base, mine, theirs)
      const inConflict = new Set(conflicts.map(({ field }) => field))
      const [was, my, their, now] = [base, mine, theirs, draft].map(byId)
      for (const id of idsOf(base, mine, theirs)) {
        if (inConflict.has(`change ${id}`)) continue
        const wanted = my!.get(id) === was!.get(id) ? their!.get(id) : my!.get(id)
        expect([id, now!.get(id)]).toEqual([id, wanted])
      }
      if (!inConflict.has('css')) expect(draft.css).toBe(mine.css ?? theirs.css)
    }),
  )
})

test('two edits agree in either order, up to the order of what both added', () => {
  fc.assert(
    fc.property(edits, edits, (mineEdits, theirEdits) => {
      const [mine, theirs] = [after(mineEdits, 'm'), after(theirEdits, 't')]
      const one = mergeDrafts(base, mine, theirs)
      const other = mergeDrafts(base, theirs, mine)
      expect(one.conflicts.map(({ field }) => field).sort()).toEqual(other.conflicts.map(({ field }) => field).sort())
      const choices = (side: 'mine' | 'theirs') => Object.fromEntries(one.conflicts.map(({ field }) => [field, side]))
      expect(sorted(one.choose(choices('mine')))).toEqual(sorted(other.choose(choices('theirs'))))
    }),
  )
})

const sorted = ({ changes, css }: Draft) => [[...byId({ changes, css }).values()].sort(), css]

test('a new order of one person and a new text of the other are both kept', () => {
  const [first, second, ...others] = base.changes as [Change, Change, ...Change[]]
  const mine = { ...base, changes: [second, first, ...others] }
  const theirs = { ...base, changes: [{ ...first, value: 'theirs' } as Change, second, ...others] }
  const { draft, conflicts } = mergeDrafts(base, mine, theirs)
  expect(conflicts).toEqual([])
  expect(draft.changes.slice(0, 2)).toEqual([second, theirs.changes[0]])
})

test('a change that one person removed and the other edited is a conflict, and comes back at its place', () => {
  const mine = { ...base, changes: base.changes.filter(({ id }) => id !== 'c5') }
  const theirs = { ...base, changes: base.changes.map((each) => (each.id === 'c5' ? change('c5', 'theirs') : each)) }
  const merged = mergeDrafts(base, mine, theirs)
  expect(merged.conflicts.map(({ field }) => field)).toEqual(['change c5'])
  expect(merged.draft.changes).toHaveLength(19)
  const kept = merged.choose({ 'change c5': 'theirs' })
  expect(kept.changes.map(({ id }) => id)).toEqual(base.changes.map(({ id }) => id))
})
