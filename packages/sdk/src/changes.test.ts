import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../test/datafile.ts'
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
  ['an altered flag', datafileOf(2, { a: off, b: inAudience }, { audiences: beta }), ['a']],
  ['a flag added', datafileOf(2, { a: on, b: inAudience, 'a-0': on }, { audiences: beta }), ['a-0']],
  ['a flag removed', datafileOf(2, { b: inAudience }, { audiences: beta }), ['a']],
  ['an audience, by the flags that use one', datafileOf(2, { a: on, b: inAudience }, { audiences: nobody }), ['b']],
  [
    'a segment, by the flags that may use one',
    datafileOf(2, { a: on, b: inAudience }, { audiences: beta, segments: { s: { salt: '', ids: '' } } }),
    ['b'],
  ],
  ['everything, sorted', datafileOf(2, { c: on }), ['a', 'b', 'c']],
  [
    'a flag named as an inherited property',
    datafileOf(2, { a: on, b: inAudience, constructor: on }, { audiences: beta }),
    ['constructor'],
  ],
])('names %s', (_name, after, expected) => {
  expect(changedFlags(before, after)).toEqual(expected)
})
