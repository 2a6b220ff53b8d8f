import { expect, it } from 'vitest'
import { onlyOnce, randomKey } from './idempotency.ts'

it('makes keys that differ, without what only secure contexts have', () => {
  const keys = Array.from({ length: 1_000 }, randomKey)
  expect(new Set(keys).size).toBe(1_000)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(onlyOnce('mine')).toEqual({ 'idempotency-key': 'mine' })
})
