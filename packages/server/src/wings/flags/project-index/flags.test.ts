import { expect, it } from 'vitest'
import { servingOf } from './flags.ts'
import type { Served } from './queries.ts'

it.each<[string, Served, object]>([
  ['no rule', [0, null, null, 'off', true], { rules: 0, variationKey: 'off', everyone: true }],
  [
    'a rollout to everyone',
    [1, 'TARGETED_DELIVERY', null, 'on', true],
    { rules: 1, variationKey: 'on', everyone: true },
  ],
  [
    'a share of everyone',
    [1, 'TARGETED_DELIVERY', 500, 'on', true],
    { rules: 1, variationKey: 'on', share: 500, everyone: true },
  ],
  ['a rollout to some', [1, 'TARGETED_DELIVERY', null, 'on', false], { rules: 1, variationKey: 'on' }],
  ['an A/B test', [1, 'AB_TEST', 2000, null, false], { rules: 1, abTest: true, share: 2000 }],
  ['several rules', [3, 'TARGETED_DELIVERY', 500, 'on', true], { rules: 3 }],
  [
    'rules below one that everyone gets',
    [3, 'TARGETED_DELIVERY', null, 'on', true],
    { rules: 1, variationKey: 'on', everyone: true },
  ],
])('what is served by %s', (_what, served, expected) => {
  expect(servingOf(served)).toEqual(expected)
})
