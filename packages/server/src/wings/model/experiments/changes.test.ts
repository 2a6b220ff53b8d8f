import { expect, test } from 'vitest'
import type { AbTestRule, Version } from '../versions/index.ts'
import { testChanges } from './changes.ts'

const rule: AbTestRule = {
  ...{
    id: 'r',
    key: 'test',
    shortId: 1,
    type: 'AB_TEST',
    name: 'Test',
    description: null,
    hypothesis: null,
    salt: 's',
    hashVersion: 1,
  },
  ...{ audienceIds: [], conditions: { all: [] }, bucketBy: 'targetingKey', trafficAllocation: 10_000, sticky: false },
  variations: [
    { variationId: 'a', weight: 5000 },
    { variationId: 'b', weight: 5000 },
  ],
  baselineVariationId: 'a',
  metrics: { primary: [], secondary: [], guardrails: [] },
  statistics: { test: 'SEQUENTIAL', alpha: 0.05, correction: 'HOLM', cuped: false, conversionWindowHours: null },
  exclusion: null,
  holdout: null,
}
const live: Version = {
  variations: [
    { id: 'a', key: 'off', value: 'false' },
    { id: 'b', key: 'on', value: 'true' },
  ],
  pausedVariationId: 'a',
  defaultVariationId: 'a',
  overrides: { environmentAllowlist: [], ruleAllowlists: [] },
  rules: [rule, { ...rule, id: 'other' }],
}
const allowed = (ruleId: string) => ({
  overrides: {
    environmentAllowlist: [],
    ruleAllowlists: [{ ruleId, entries: [{ variationId: 'b', userIds: ['u'] }] }],
  },
})

test.each<[string, Partial<Version>, string[]]>([
  ['nothing', {}, []],
  ['a field of the rule', { rules: [{ ...rule, trafficAllocation: 1 }, live.rules[1]!] }, ['trafficAllocation']],
  ['a different rule', { rules: [rule, { ...rule, id: 'other', trafficAllocation: 1 }] }, []],
  ['the default', { defaultVariationId: 'b' }, []],
  ['the allowlist', allowed('r'), ['allowlist']],
  ['the allowlist of a different rule', allowed('other'), []],
])('%s', (_what, change, paths) => {
  expect(testChanges('r', live, { ...live, ...change }).map(({ path }) => path)).toEqual(paths)
})

test('the visitors of the allowlist are not named', () => {
  expect(testChanges('r', live, { ...live, ...allowed('r') })).toEqual([{ path: 'allowlist', from: null, to: null }])
})
