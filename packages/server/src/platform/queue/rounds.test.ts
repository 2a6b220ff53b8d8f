import { expect, test } from 'vitest'
import { rounds } from './rounds.ts'

/** Rounds that end when the test ends them, or at once. */
function heldRounds({ endAtOnce = false } = {}) {
  const begun: ReturnType<typeof Promise.withResolvers<void>>[] = []
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const work = rounds(() => {
    const round = Promise.withResolvers<void>()
    begun.push(round)
    if (endAtOnce) round.resolve()
    return round.promise
  }, onError)
  return { ...work, begun, errors, begin: () => expect.poll(() => begun.length) }
}

test('nothing runs until a round is asked for', async () => {
  const { begun, idle } = heldRounds()
  await idle()
  expect(begun).toHaveLength(0)
})

test('requests during a round share one more round', async () => {
  const { ask, begin, begun, idle } = heldRounds()
  ask()
  ask()
  await begin().toBe(1)
  ask()
  ask()
  ask()
  begun[0]!.resolve()
  await begin().toBe(2)
  begun[1]!.resolve()
  await idle()
  expect(begun).toHaveLength(2)
})

test('a request after the end starts a new round', async () => {
  const { ask, begin, begun, idle } = heldRounds()
  for (const count of [1, 2, 3]) {
    ask()
    await begin().toBe(count)
    begun.at(-1)!.resolve()
    await idle()
  }
  expect(begun).toHaveLength(3)
})

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a request %i turns after another is never lost', async (turns) => {
  const { ask, begun, idle } = heldRounds({ endAtOnce: true })
  ask()
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  const before = begun.length
  ask()
  await idle()
  expect(begun.length).toBeGreaterThan(before)
})

test('a failed round is reported, and the next one runs anyway', async () => {
  const { ask, begin, begun, errors, idle } = heldRounds()
  ask()
  await begin().toBe(1)
  ask()
  begun[0]!.reject(new Error('away'))
  await begin().toBe(2)
  begun[1]!.resolve()
  await idle()
  expect(errors).toEqual([new Error('away')])
})

test('idle waits for rounds that were asked for in the meantime', async () => {
  const { ask, begin, begun, idle } = heldRounds()
  ask()
  await begin().toBe(1)
  let isIdle = false
  const waited = idle().then(() => {
    isIdle = true
  })
  ask()
  begun[0]!.resolve()
  await begin().toBe(2)
  expect(isIdle).toBe(false)
  begun[1]!.resolve()
  await waited
})
