import { expect, test } from 'vitest'
import { batchOf } from './batch.ts'

const due = (count: number, safety: readonly number[] = [], heldBack: readonly number[] = []) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    isSafety: safety.includes(index),
    isHeldBack: heldBack.includes(index),
  }))
const taken = (...[waiting, folds]: Parameters<typeof batchOf>) => batchOf(waiting, folds).length

test.each([
  ['nothing', due(0), true, 0],
  ['one', due(1), true, 1],
  ['three, one by one', due(3), true, 1],
  ['four, in one message', due(4), true, 4],
  ['fifty, in one message', due(50), true, 50],
  ['many, to a kind that does not fold', due(50), false, 1],
  ['two of a digest, in one message', due(2, [], [0, 1]), true, 2],
  ['one of a digest', due(1, [], [0]), true, 1],
  ['what is due with one of quiet hours, in one message', due(3, [], [1]), true, 3],
  ['a safety event before a digest', due(3, [0], [1, 2]), true, 1],
  ['a digest, to a kind that does not fold', due(3, [], [0, 1, 2]), false, 1],
  ['a safety event first, alone', due(50, [0]), true, 1],
])('takes of %s', (_, waiting, folds, count) => {
  expect(taken(waiting, folds)).toBe(count)
})
