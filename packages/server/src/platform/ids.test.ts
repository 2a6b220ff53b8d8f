import { expect, test } from 'vitest'
import { isId, newId, newIngestSecret } from './ids.ts'

test('ids sort in the order in which they were made, however fast', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})

test('ids contain the time at which they were made', () => {
  const before = Date.now()
  const madeAt = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  expect(madeAt).toBeGreaterThanOrEqual(before)
  expect(madeAt).toBeLessThanOrEqual(Date.now())
})

test('the last four characters of an ingest key never look like an option of a command line', () => {
  for (let times = 0; times < 2_000; times += 1)
    expect(newIngestSecret()).toMatch(/^svc_ing_[\w-]{39}[A-Za-z0-9][\w-]{3}$/)
})
