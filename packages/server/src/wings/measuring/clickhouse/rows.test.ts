import { expect, test } from 'vitest'
import { isPast, productOf, rowOf } from './rows.ts'

const received = new Date('2026-01-31T23:59:59.500Z')
const common = { envId: 'env', id: 'id', unit: 'user-1', at: 1_000, clamped: false } as const

test('an exposure is stored by its rule, and a tracked event by its key, on the day of receipt', () => {
  const rest = { batch: 7, day: 20260131, env_id: 'env', id: 'id', unit: 'user-1', at: 1_000, clamped: 0 }
  expect(
    rowOf({ ...common, type: 'exposure', ruleId: 'rule', variationId: 'on', kind: 2, dimensions: null }, 7, received),
  ).toEqual({
    ...{ ...rest, type: 'exposure', name: 'rule', variation_id: 'on', kind: 2, value: null, details: '' },
    received_at: received.getTime(),
  })
  expect(rowOf({ ...common, type: 'track', eventKey: 'paid', value: 1.5, kind: 0 }, 7, received)).toEqual({
    ...{ ...rest, type: 'track', name: 'paid', variation_id: '', kind: 0, value: 1.5, details: '' },
    received_at: received.getTime(),
  })
  const viewed = { ...common, type: 'track', eventKey: 'viewed', value: null, kind: 0, productId: 'G"17' } as const
  expect(productOf(rowOf(viewed, 7, received).details)).toBe('G"17')
  expect(productOf('{"color":"red","productId":17}')).toBeNull()
})

test.each([
  ['2026-02-01T00:00:00.000Z', true],
  ['2026-01-31T23:59:59.999Z', false],
  ['2026-03-01T10:00:00.000Z', true],
  ['2026-01-30T10:00:00.000Z', false],
])('a day in January ends with it: before %s it is past: %s', (before, expected) => {
  expect(isPast(20260131, new Date(before))).toBe(expected)
})
