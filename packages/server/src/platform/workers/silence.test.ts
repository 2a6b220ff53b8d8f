import { expect, test } from 'vitest'
import { listen, type Watch } from './silence.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 27, 12, 0, second))
const watch = (heardSecond: number, isTold = false): Watch => ({ heardAt: at(heardSecond), isTold })

test.each([
  ['a node that has just started waits', watch(0), null, 59, undefined],
  ['nobody was heard for a minute', watch(0), null, 60, 'missing'],
  ['it is said once', watch(0, true), null, 120, undefined],
  ['a worker was heard in time', watch(0), 1, 60, undefined],
  ['the last worker has left since', watch(30), null, 60, undefined],
  ['the last worker left a minute ago', watch(30), null, 90, 'missing'],
  ['a row of long ago counts for nothing', watch(30), 0, 90, 'missing'],
  ['a worker is back', watch(0, true), 100, 110, 'back'],
] as const)('%s', (_name, before, heard, now, say) => {
  const after = listen(before, heard === null ? null : at(heard), at(now))
  expect(after.say).toBe(say)
  expect(after.isTold).toBe(say === undefined ? before.isTold : say === 'missing')
})
