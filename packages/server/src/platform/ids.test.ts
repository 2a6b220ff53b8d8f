import { expect, test } from 'vitest'
import { isId, newId } from './ids.ts'

test('ids sort in the order of their making, however fast they are made', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})

test('ids carry the moment of their making', () => {
  const before = Date.now()
  const madeAt = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  expect(madeAt).toBeGreaterThanOrEqual(before)
  expect(madeAt).toBeLessThanOrEqual(Date.now())
})
