import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edited, type History, historyOf, redone, undone } from './history.ts'

const step = fc.oneof(
  fc.record({ edit: fc.nat(5), subject: fc.constantFrom(null, 'a', 'b') }),
  fc.constant('undo' as const),
  fc.constant('redo' as const),
)
type Step = { edit: number; subject: string | null } | 'undo' | 'redo'

const after = (history: History<number>, each: Step): History<number> =>
  each === 'undo' ? undone(history) : each === 'redo' ? redone(history) : edited(history, each.edit, each.subject)

test('what is undone comes back when it is redone, whatever a person did before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(60), (steps, back) => {
      const history = steps.reduce(after, historyOf(0))
      const times = Math.min(back, history.past.length)
      let moved = history
      for (let count = 0; count < times; count += 1) moved = undone(moved)
      for (let count = 0; count < times; count += 1) moved = redone(moved)
      expect([moved.past, moved.present, moved.future]).toEqual([history.past, history.present, history.future])
    }),
  )
})

test('everything undone, the first version is shown, as long as there were at most 100 steps', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      let history = steps.reduce(after, historyOf(-1))
      while (history.past.length > 0) history = undone(history)
      expect(history.present).toBe(-1)
    }),
  )
})

test('a history keeps 100 steps, and the oldest go', () => {
  let history = historyOf(0)
  for (let version = 1; version <= 150; version += 1) history = edited(history, version)
  expect([history.past.length, history.past[0]]).toEqual([100, 50])
})

test('letters typed one after the other are one step, until a person does something else', () => {
  let history = historyOf('')
  for (const text of ['N', 'Ne', 'New']) history = edited(history, text, 'text h1')
  history = edited(history, 'New, hidden')
  history = edited(history, 'Newer', 'text h1')
  expect(history.past).toEqual(['', 'New', 'New, hidden'])
})
