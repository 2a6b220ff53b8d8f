import { expect, it } from 'vitest'
import { negations } from './conditions/negations.ts'
import type { Operator } from './conditions/operators.ts'
import { operators } from './conditions/operators.ts'
import type { DataFile, DeliveryRule, Flag } from './datafile.ts'
import { needsRare } from './needs-rare.ts'
import { tests } from './rare-parts.ts'

const rule: DeliveryRule = { id: 'r1', type: 'TARGETED_DELIVERY', salt: 's', variation: 'on' }
const fileOf = (given: Partial<DeliveryRule>, flag: Partial<Flag> = {}) =>
  ({ flags: { checkout: { rules: [{ ...rule, ...given }], ...flag } } }) as unknown as DataFile

it.each(Object.keys(operators) as Operator[])('the page script knows whether %s is in the second file', (operator) => {
  const positive = (negations as Partial<Record<Operator, Operator>>)[operator] ?? operator
  const when = { any: [{ attribute: 'segment.before', operator, value: 'x' }] }
  expect(needsRare(fileOf({ when }))).toBe(Object.hasOwn(tests, positive))
})

it('the page script needs the second file for hashed ids: of segments and of overrides', () => {
  expect(needsRare(fileOf({ when: { not: { segment: 's1' } } }))).toBe(true)
  expect(needsRare(fileOf({ overrides: { '2fe248cd4e0b': 'on' } }, { overrideSalt: 's.' }))).toBe(true)
  expect(needsRare(fileOf({ overrides: { 'u-1': 'on' } }))).toBe(false)
})
