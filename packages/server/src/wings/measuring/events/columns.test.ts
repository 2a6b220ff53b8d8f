import { expect, test } from 'vitest'
import { exposureColumns, trackedColumns } from './columns.ts'
import type { Exposure, TrackedEvent } from './store.ts'

const exposure: Exposure = {
  type: 'exposure',
  envId: 'e1',
  id: 'a',
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
  id: 'a',
  eventKey: 'paid',
  unit: 'u1',
  value: null,
  at: 1000,
  kind: 0,
  clamped: false,
}

test('values are the texts of arrays', () => {
  const { ids, at, kinds, clamped } = exposureColumns([exposure, { ...exposure, id: 'b', at: 2000, clamped: true }])
  expect({ ids, at, kinds, clamped }).toEqual({
    ids: '{a,b}',
    at: '{1000,2000}',
    kinds: '{0,0}',
    clamped: '{false,true}',
  })
})

test('names that rows share are given once, and rows by their place', () => {
  const rows = ['r1', 'r2', 'r1'].map((ruleId) => ({ ...exposure, ruleId }))
  expect(exposureColumns(rows).rules).toEqual({ names: '{"r1","r2"}', places: '{1,2,1}' })
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
  expect(exposureColumns([])).toMatchObject({ ids: '{}', rules: { names: '{}', places: '{}' } })
})
