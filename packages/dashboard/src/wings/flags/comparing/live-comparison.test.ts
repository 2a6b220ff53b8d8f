import { expect, it } from 'vitest'
import { type LiveFlag, liveDifferences } from './live-comparison.ts'

const flag = (more: Partial<LiveFlag> = {}): LiveFlag => ({
  enabled: true,
  defaultVariation: 'off',
  variations: { on: 'true', off: 'false' },
  ...more,
})

it.each<[string, LiveFlag | undefined, LiveFlag | undefined, unknown]>([
  ['the same', flag(), flag(), undefined],
  [
    'rules with other ids, salts and hashes',
    flag({ rules: [{ id: '1', salt: 'a', variation: 'on', overrides: { x: 'on' } }] }),
    flag({ rules: [{ id: '2', salt: 'b', variation: 'on', overrides: { y: 'on' } }] }),
    undefined,
  ],
  [
    'switch and default',
    flag(),
    flag({ enabled: false, defaultVariation: 'on' }),
    ['Switch, Everyone else', 'Running, no rules, otherwise off', 'Paused, no rules, otherwise on'],
  ],
  [
    'a rule',
    flag({ rules: [{ id: '1', traffic: 5 }] }),
    flag({ rules: [{ id: '1' }] }),
    ['Rules', 'Running, 1 rule, otherwise off', 'Running, 1 rule, otherwise off'],
  ],
  ['only there', undefined, flag(), ['Flag', 'Not there', 'Running, no rules, otherwise off']],
])('%s', (_, left, right, expected) => {
  const [row] = liveDifferences(left ? { price: left } : {}, right ? { price: right } : {})
  expect(row && [row.what, ...row.words]).toEqual(expected)
})
