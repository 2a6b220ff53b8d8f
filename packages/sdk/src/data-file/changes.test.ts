import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../../test/datafile.ts'
import { changedFlags } from './changes.ts'

const on = flagOf(true)
const off = flagOf(false)
const inAudience = flagOf(false, {
  rules: [
    {
      id: 'r-1',
      type: 'TARGETED_DELIVERY',
      when: { audience: 'beta' },
      bucketBy: ['targetingKey'],
      hashVersion: 1,
      salt: 'r-1',
      traffic: 10_000,
      variation: 'on',
    },
  ],
})
const beta = { beta: { all: [] } }
const nobody = { beta: { any: [] } }
const before = datafileOf(1, { a: on, b: inAudience }, { audiences: beta })

it.each([
  ['nothing', before, []],
  ['a changed flag', datafileOf(2, { a: off, b: inAudience }, { audiences: beta }), ['a']],
  ['an added flag', datafileOf(2, { a: on, b: inAudience, 'a-0': on }, { audiences: beta }), ['a-0']],
  ['a removed flag', datafileOf(2, { b: inAudience }, { audiences: beta }), ['a']],
  ['the flags that use a changed audience', datafileOf(2, { a: on, b: inAudience }, { audiences: nobody }), ['b']],
  [
    'the flags that can use a changed segment',
    datafileOf(2, { a: on, b: inAudience }, { audiences: beta, segments: { s: { salt: '', ids: '' } } }),
    ['b'],
  ],
  ['all differences, sorted', datafileOf(2, { c: on }), ['a', 'b', 'c']],
  [
    'a flag with the name of an inherited property',
    datafileOf(2, { a: on, b: inAudience, constructor: on }, { audiences: beta }),
    ['constructor'],
  ],
])('names %s', (_name, after, expected) => {
  expect(changedFlags(before, after)).toEqual(expected)
})
