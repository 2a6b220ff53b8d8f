import { describe, expect, it } from 'vitest'
import type { ExperimentOnPages } from '../experiment.ts'
import { labels, selectorRule, type TargetingValues, updateOf, valuesOf, wordsOf } from './targeting.ts'

const experiment = {
  pages: [
    {
      ...{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' },
      conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
    },
  ],
  ...{ audienceIds: ['a1'], conditions: { all: [] }, trafficAllocation: 5000, exclusionGroupId: null, holdoutId: 'h1' },
  ...{ activation: 'SEEN', activationSelector: '.plans', applyAt: 'AUTO' },
} as unknown as ExperimentOnPages

const values = valuesOf(experiment)
const names = {
  audiences: new Map([['a1', 'Beta users']]),
  groups: new Map(),
  holdouts: new Map([['h1', 'Of this year']]),
}

describe('an edit of the targeting', () => {
  it.each<[string, Partial<TargetingValues>, object]>([
    ['nothing', {}, {}],
    ['the traffic', { trafficAllocation: 10_000 }, { trafficAllocation: 10_000 }],
    ['a group that is taken away', { holdoutId: '' }, { holdoutId: null }],
    [
      'a page without an address',
      { pages: [{ ...values.pages[0]!, url: ' ' }] },
      { pages: [{ ...(experiment.pages as object[])[0], url: null }] },
    ],
    ['the activation', { activation: 'PAGE' }, { activation: 'PAGE', activationSelector: null }],
    ['the element', { activationSelector: ' .all ' }, { activation: 'SEEN', activationSelector: '.all' }],
    ['rows in which nothing was entered', { conditions: { all: [{ attribute: '', operator: 'in', value: [] }] } }, {}],
  ])('sends %s', (_what, more, body) => {
    expect(updateOf({ ...values, ...more }, values)).toEqual(body)
  })
})

it('every field has words for people who only look', () => {
  const fields = Object.keys(labels) as (keyof TargetingValues)[]
  expect(fields.map((field) => wordsOf(field, values[field], names))).toEqual([
    'Pricing: path is /pricing',
    'Beta users',
    'Everyone',
    '50\u00a0%',
    'None',
    'Of this year',
    'When an element is seen',
    '.plans',
    'Automatic',
  ])
})

it.each([
  ['SEEN', '', false],
  ['SEEN', '.plans', true],
  ['PAGE', '', true],
] as const)('with %s, the selector “%s” is right: %s', (activation, selector, isRight) => {
  expect(selectorRule(selector, { ...values, activation }) === undefined).toBe(isRight)
})
