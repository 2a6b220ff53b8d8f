import { expect, it } from 'vitest'
import { type Change, type ChangeNames, changeSentence, experimentWords, sentenceOf } from './change-words.ts'

const names: ChangeNames = {
  rules: new Map([
    ['r-1', 'Beta users'],
    ['r-2', 'Old beta'],
  ]),
  audiences: new Map([['au', 'Staff']]),
}
const country = { attribute: 'country', operator: 'in', value: ['NL', 'BE'] }
const rollout = {
  ...{ name: 'Fresh', type: 'TARGETED_DELIVERY', audienceIds: [], conditions: { all: [country] } },
  ...{ trafficAllocation: 10_000, variationKey: 'on' },
}
const allowlist = (on: string[], off: string[] = []) => ({
  environmentAllowlist: [
    { variationKey: 'on', userIds: on },
    { variationKey: 'off', userIds: off },
  ],
  ruleAllowlists: [],
})

it.each<[Change, string]>([
  [{ path: 'defaultVariationKey', from: 'off', to: 'on' }, 'Everyone else: off → on'],
  [{ path: 'enabled', from: false, to: true }, 'Switch: paused → running'],
  [{ path: 'key', from: 'a', to: 'b' }, 'Key: a → b'],
  [{ path: 'rules.r-1.enabled', from: true, to: false }, 'Rule Beta users: switch: running → paused'],
  [{ path: 'pausedVariationKey', from: 'off', to: 'on' }, 'While paused: off → on'],
  [{ path: 'variations.on', from: { key: 'on', value: '1' }, to: { key: 'on', value: '2' } }, 'Variation on: 1 → 2'],
  [{ path: 'variations.a.b', from: null, to: { key: 'a.b', value: 'x' } }, 'Variation a.b: added with the value x'],
  [{ path: 'variations.on', from: { key: 'on', value: '1' }, to: null }, 'Variation on: deleted'],
  [
    { path: 'variations.on', from: { key: 'on', value: '1' }, to: { key: 'yes', value: '1' } },
    'Variation on: now called yes',
  ],
  [{ path: 'variationOrder', from: ['on', 'off'], to: ['off', 'on'] }, 'Order of the variations: on, off → off, on'],
  [
    { path: 'ruleOrder', from: ['r-1', 'r-2'], to: ['r-2', 'r-1', 'r-9'] },
    'Order of the rules: Beta users, Old beta → Old beta, Beta users, another rule',
  ],
  [
    { path: 'overrides', from: allowlist([]), to: allowlist(['a', 'b', 'c', 'd'], ['e']) },
    'Individual visitors: none → 4 visitors get on, 1 visitor gets off',
  ],
  [{ path: 'rules.r-1', from: null, to: { name: 'Beta users', type: 'AB_TEST' } }, 'Rule Beta users: new A/B test'],
  [{ path: 'rules.r-8', from: null, to: { name: 'Fresh', type: 'TARGETED_DELIVERY' } }, 'Rule Fresh: new rollout'],
  [
    { path: 'rules.r-8', from: null, to: { ...rollout, audienceIds: ['au'], trafficAllocation: 2500 } },
    'Rule Fresh: new rollout: in Staff and country is NL or BE: 25\u00a0% of them get on',
  ],
  [{ path: 'rules.r-8', from: rollout, to: null }, 'Rule Fresh: deleted rollout: country is NL or BE get on'],
  [
    {
      path: 'rules.r-1',
      from: null,
      to: {
        ...{ name: 'Prices', type: 'AB_TEST', audienceIds: [], conditions: { all: [] }, trafficAllocation: 10_000 },
        variations: [
          { variationKey: 'off', weight: 5000 },
          { variationKey: 'on', weight: 5000 },
        ],
      },
    },
    'Rule Beta users: new A/B test: everyone gets off 50\u00a0%, on 50\u00a0%',
  ],
  [{ path: 'rules.r-2', from: { name: 'Old beta' }, to: null }, 'Rule Old beta: deleted'],
  [{ path: 'rules.r-1.trafficAllocation', from: 2500, to: 5050 }, 'Rule Beta users: share: 25\u00a0% → 50.5\u00a0%'],
  [{ path: 'rules.r-1.variationKey', from: 'off', to: 'on' }, 'Rule Beta users: gives: off → on'],
  [
    { path: 'rules.r-1.conditions', from: { all: [] }, to: { all: [country] } },
    'Rule Beta users: conditions: none → country is NL or BE',
  ],
  [
    { path: 'rules.r-1.audienceIds', from: [], to: ['au', 'x'] },
    'Rule Beta users: audiences: none → Staff and an unknown audience',
  ],
  [
    {
      path: 'rules.r-1.variations',
      from: [{ variationKey: 'a', weight: 5000 }],
      to: [
        { variationKey: 'a', weight: 8000 },
        { variationKey: 'b', weight: 2000 },
      ],
    },
    'Rule Beta users: weights: a 50 → a 80, b 20',
  ],
  [
    { path: 'rules.r-1.bucketBy', from: 'targetingKey', to: 'company' },
    'Rule Beta users: bucketed by: targetingKey → company',
  ],
  [
    { path: 'rules.r-1.hypothesis', from: null, to: 'Shorter is better' },
    'Rule Beta users: hypothesis: nothing → Shorter is better',
  ],
  [
    {
      path: 'rules.r-1.statistics',
      from: { minUnits: 100, test: 'SEQUENTIAL', alpha: 0.05, correction: 'HOLM', cuped: false },
      to: { minUnits: 100, test: 'FIXED_HORIZON', alpha: 0.2, correction: 'NONE', cuped: false },
    },
    'Rule Beta users: statistics: test sequential, alpha 0.05, correction Holm → test fixed horizon, alpha 0.2, correction none',
  ],
  [
    { path: 'rules.r-1.metrics', from: { primary: [], guardrails: ['b'] }, to: { primary: ['a'], guardrails: ['b'] } },
    'Rule Beta users: metrics: primary none → primary a',
  ],
  [{ path: 'conditions', from: { all: [country] }, to: { any: [] } }, 'Conditions: country is NL or BE → nobody'],
  // An audience has nothing beside its conditions.
  [{ path: 'conditions', from: { all: [country] }, to: { all: [] } }, 'Conditions: country is NL or BE → everyone'],
  [{ path: 'somethingNew', from: false, to: true }, 'Something new: no → yes'],
  [{ path: 'some.deepField', from: '', to: [] }, 'Some, deep field: empty → none'],
  [{ path: 'note', from: 'x'.repeat(121), to: 1 }, `Note: ${'x'.repeat(120)}… → 1`],
])('%#: %j', (change, expected) => {
  expect(changeSentence(change, names)).toBe(expected)
})

it.each<[Change, string]>([
  [{ path: 'trafficAllocation', from: 10_000, to: 5000 }, 'Who takes part: 100\u00a0% → 50\u00a0%'],
  [{ path: 'baselineVariationKey', from: 'original', to: 'price' }, 'Baseline: original → price'],
  [{ path: 'audienceIds', from: [], to: ['au'] }, 'Audiences: none → Staff'],
  [{ path: 'conditions', from: { all: [] }, to: { all: [country] } }, 'Conditions: none → country is NL or BE'],
  [
    { path: 'allowlist', from: [], to: [{ variationKey: 'price', userIds: ['qa-1', 'qa-2'] }] },
    'Individual visitors: none → 2 visitors get price',
  ],
  [
    { path: 'allowlist', from: [{ variationKey: 'price', userIds: ['qa-1'] }], to: [] },
    'Individual visitors: 1 visitor gets price → none',
  ],
  ...(['key', 'variationKey'] as const).map((field): [Change, string] => [
    {
      path: 'variations',
      from: ['original', 'price'].map((key) => ({ [field]: key, weight: 5000 })),
      to: [
        { [field]: 'original', weight: 2000 },
        { [field]: 'price', weight: 8000 },
      ],
    },
    'Weights: original 50, price 50 → original 20, price 80',
  ]),
  [{ path: 'sticky', from: false, to: true }, 'Sticky: no → yes'],
  [{ path: 'enabled', from: true, to: false }, 'Experiment: running → paused'],
  [{ path: 'winner', from: null, to: 'price' }, 'Winner: price, in place of the test'],
])('a change of a web experiment has words of its own: %j', (change, sentence) => {
  expect(sentenceOf(experimentWords(change, names))).toBe(sentence)
})
