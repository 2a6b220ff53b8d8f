import type { Flag } from '@svc/core'
import { expect, it } from 'vitest'
import { differences } from './env.ts'

const flag: Flag = {
  id: 'f',
  type: 'BOOLEAN',
  enabled: true,
  variations: { on: 'true', off: 'false' },
  defaultVariation: 'off',
  rules: [{ type: 'TARGETED_DELIVERY', id: 'r-1', salt: 'x', variation: 'on', traffic: 2500 }],
}
const different = (changes: Partial<Flag>) =>
  differences({ flags: { a: flag } }, { flags: { a: { ...flag, ...changes } } })[0]?.differences

it('ids and salts of rules do not count', () => {
  expect(different({ rules: [{ ...flag.rules![0]!, id: 'r-2', salt: 'y' }] })).toBeUndefined()
})

it.each<[string, Partial<Flag>]>([
  ['switch', { enabled: false }],
  ['default', { defaultVariation: 'on' }],
  ['variations', { variations: { on: 'true', off: 'false', maybe: 'true' } }],
  ['overrides', { overrides: { 'u-1': 'on' } }],
  ['rules', { rules: [] }],
])('the comparison finds another %s', (part, changes) => expect(different(changes)).toEqual([part]))

it('a flag that is only in one of them is missing in the other', () => {
  expect(differences({ flags: { constructor: flag } }, { flags: {} })).toEqual([
    { key: 'constructor', a: 'on', b: 'missing', differences: ['presence'] },
  ])
})
