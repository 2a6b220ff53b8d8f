import { expect, it } from 'vitest'
import { inTurns } from './in-turns.ts'

it('calls for every item, four at a time, and collects failures', async () => {
  let running = 0
  let most = 0
  const progress: number[] = []
  const failed = await inTurns(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    async (item) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      if (item % 5 === 0) throw new Error(`not ${item}`)
    },
    (done) => progress.push(done),
  )
  expect(most).toBe(4)
  expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(failed.map(({ item }) => item)).toEqual([5, 10])
})
