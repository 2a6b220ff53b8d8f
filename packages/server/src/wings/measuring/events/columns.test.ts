import { expect, test } from 'vitest'
import { valuesOf } from '../../../platform/db/testing/column.ts'
import { exposureColumns, trackedColumns } from './columns.ts'
import type { Exposure, TrackedEvent } from './store.ts'

const exposure: Exposure = {
  type: 'exposure',
  envId: 'e1',
  id: '019de000-0000-7000-8000-00000000000a',
  ruleId: 'r1',
  variationId: 'v1',
  unit: 'u1',
  at: 1000,
  kind: 0,
  clamped: false,
  dimensions: null,
}
const tracked: TrackedEvent = {
  type: 'track',
  envId: 'e1',
  id: '019de000-0000-7000-8000-00000000000a',
  eventKey: 'paid',
  unit: 'u1',
  value: null,
  at: 1000,
  kind: 0,
  clamped: false,
}

test('names that rows share are given once, and rows by their place', () => {
  const rows = ['r1', 'r2', 'r1'].map((ruleId) => ({ ...exposure, ruleId }))
  const { names, places } = exposureColumns(rows).rules
  expect(names).toBe('{"r1","r2"}')
  expect(valuesOf(places, (bytes) => bytes.readInt32BE())).toEqual([1, 2, 1])
})

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['null', '"null"'],
  ['a,b}', '"a,b}"'],
  ['say "hi"', '"say \\"hi\\""'],
  ['back\\slash', '"back\\\\slash"'],
])('a unit named %j is quoted', (unit, quoted) => {
  expect(exposureColumns([{ ...exposure, unit }]).units).toBe(`{${quoted}}`)
})

test('objects are quoted, and what is missing is null', () => {
  expect(trackedColumns([tracked, { ...tracked, value: 1.5 }]).values).toBe('{null,1.5}')
  const { dimensions } = exposureColumns([exposure, { ...exposure, dimensions: '{"plan":"pro"}' }])
  expect(dimensions).toBe('{null,"{\\"plan\\":\\"pro\\"}"}')
})

test('no rows are empty arrays', () => {
  const { ids, units, rules } = exposureColumns([])
  expect({ units, names: rules.names }).toEqual({ units: '{}', names: '{}' })
  expect([ids, rules.places].map((column) => valuesOf(column, (bytes) => bytes.length))).toEqual([[], []])
})
