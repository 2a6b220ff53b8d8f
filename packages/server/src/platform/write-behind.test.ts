import { afterEach, expect, test } from 'vitest'
import { type WriteBehind, writeBehind } from './write-behind.ts'

let notes: WriteBehind<number>
afterEach(() => notes.stop())

const fail = (error: unknown) => {
  throw error
}

test.each([
  ['the later note stays', undefined, [3]],
  ['both become one', (earlier: number, later: number) => earlier + later, [6]],
])('of two notes of a subject, %s, also after a write that failed', async (_what, join, expected) => {
  const written: number[] = []
  let isDown = true
  notes = writeBehind<number>(
    async (saving) => {
      if (isDown) {
        // A note that comes while the write is under way.
        notes.note('one', 3)
        throw new Error('down')
      }
      written.push(...saving)
    },
    fail,
    join,
  )
  for (const note of [1, 2]) notes.note('one', note)
  await expect(notes.flush()).rejects.toThrow('down')
  isDown = false
  await notes.flush()
  await notes.flush()
  expect(written).toEqual(expected)
})
