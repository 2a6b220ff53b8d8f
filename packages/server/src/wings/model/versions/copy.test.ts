import { expect, test } from 'vitest'
import { abTest, deliveryRule, on, versionOf } from '../../../../testing/versions.ts'
import { copyRules, copyVersion } from './copy.ts'
import { defaultSalt } from './salt.ts'

function numbered() {
  let count = 0
  const newId = () => {
    count += 1
    return `new-${count}`
  }
  return { newId, firstShortId: 11 }
}

test('copies have new ids, mapped from the old ones', () => {
  const { rules, newIds } = copyRules([deliveryRule('a'), abTest('b')], numbered())
  expect(rules.map(({ id, shortId }) => [id, shortId])).toEqual([
    ['new-1', 11],
    ['new-2', 12],
  ])
  expect([...newIds]).toEqual([
    ['a', 'new-1'],
    ['b', 'new-2'],
  ])
})

test('a copy has its own buckets unless its salt was chosen', () => {
  const originals = [
    deliveryRule('a', { salt: defaultSalt('a') }),
    deliveryRule('b', { salt: 'chosen' }),
    // Old rules have this longer salt.
    deliveryRule('c', { salt: 'c' }),
  ]
  const { rules } = copyRules(originals, numbered())
  expect(rules.map(({ salt }) => salt)).toEqual([defaultSalt('new-1'), 'chosen', defaultSalt('new-3')])
})

test('all other fields of a rule are copied unchanged', () => {
  const source = abTest('a', { trafficAllocation: 1234 })
  const { rules } = copyRules([source], numbered())
  expect(rules).toEqual([{ ...source, id: 'new-1', shortId: 11, salt: defaultSalt('new-1') }])
})

test('the allowlists of a copied version use the new ids of its rules', () => {
  const entries = [{ variationId: on.id, userIds: ['u-1'] }]
  const overrides = { environmentAllowlist: entries, ruleAllowlists: [{ ruleId: 'a', entries }] }
  const { version } = copyVersion(versionOf([deliveryRule('a')], { overrides }), numbered())
  expect(version.overrides).toEqual({ environmentAllowlist: entries, ruleAllowlists: [{ ruleId: 'new-1', entries }] })
})

test('the source is unchanged', () => {
  const source = versionOf([deliveryRule('a')])
  const before = structuredClone(source)
  copyVersion(source, numbered())
  expect(source).toEqual(before)
})
