import { expect, test } from 'vitest'
import { unavailable } from '../db/errors.ts'
import { settling } from './settle.ts'

const noon = new Date('2026-11-20T12:00:00.000Z')
const result = (id: string, leaseUntil = new Date(noon.getTime() + 30_000)) => ({ id, job: { leaseUntil } })
type Result = ReturnType<typeof result>

/** Writes results, unless `fails` returns an error. */
function written(fails: (ids: string[]) => Error | undefined = () => undefined) {
  const batches: string[][] = []
  const errors: unknown[] = []
  const write = async (results: readonly Result[]) => {
    const ids = results.map(({ id }) => id)
    const error = fails(ids)
    if (error) throw error
    batches.push(ids)
  }
  const work = settling<Result>(
    write,
    (error) => void errors.push(error),
    () => noon,
  )
  return { ...work, batches, errors }
}

test('results that arrive at about the same time are written together', async () => {
  const { add, idle, isIdle, batches } = written()
  expect(isIdle()).toBe(true)
  for (const id of ['a', 'b', 'c']) add(result(id))
  expect(isIdle()).toBe(false)
  await idle()
  expect(batches).toEqual([['a', 'b', 'c']])
})

test('results that arrive during a write are written after it', async () => {
  const held = Promise.withResolvers<void>()
  const batches: string[][] = []
  const { add, idle } = settling<Result>(
    async (results) => {
      batches.push(results.map(({ id }) => id))
      await held.promise
    },
    () => undefined,
    () => noon,
  )
  add(result('a'))
  await expect.poll(() => batches).toEqual([['a']])
  add(result('b'))
  add(result('c'))
  held.resolve()
  await idle()
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('a result that cannot be written does not delay others', async () => {
  const broken = new Error('not a UTF-8 text')
  const { add, idle, batches, errors } = written((ids) => (ids.includes('b') ? broken : undefined))
  for (const id of ['a', 'b', 'c']) add(result(id))
  await idle()
  expect(batches).toEqual([['a'], ['c']])
  expect(errors).toEqual([broken])
})

test('results wait in order while the database is unavailable, until they are retried', async () => {
  const away = unavailable('the database is away')
  let isAway = true
  const { add, idle, retry, stop, batches, errors } = written(() => (isAway ? away : undefined))
  add(result('a'))
  await idle()
  add(result('b'))
  await idle()
  expect([batches, errors]).toEqual([[], [away, away]])
  isAway = false
  retry()
  await idle()
  expect(batches).toEqual([['a', 'b']])
  retry()
  await stop()
  expect(batches).toHaveLength(1)
})

test('stopping tries once more', async () => {
  let isAway = true
  const { add, idle, stop, batches } = written(() => (isAway ? unavailable('the database is away') : undefined))
  add(result('a'))
  await idle()
  isAway = false
  await stop()
  expect(batches).toEqual([['a']])
})

test('before a claim, only results whose lease is over are written and awaited', async () => {
  const { add, beforeClaim, idle, batches } = written()
  add(result('fresh'))
  await beforeClaim()
  expect(batches).toEqual([])
  add(result('over', noon))
  await beforeClaim()
  expect(batches).toEqual([['fresh', 'over']])
  await idle()
})
