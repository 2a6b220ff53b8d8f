import { describe, expect, test } from 'vitest'
import { boostInWords, newBoost } from './boost-form.ts'
import { firstCondition, itemConditionFault, refusedOf } from './item-conditions.ts'
import type { Placement } from './placement.ts'
import { creationOf, inputOf, newPlacement, partFaults, rules, updateOf, valuesOf } from './placement-form.ts'
import { leftOut, limitsInWords, needsProduct, pinInWords, strategiesInWords, variantNames } from './placement-words.ts'

const variant = {
  ...{ strategies: ['BOUGHT_TOGETHER', 'POPULAR'], sameCategory: false, excludeBought: true, maxPerBrand: 3 },
  ...{
    maxPerCategory: null,
    filter: { attribute: 'brand', operator: 'exists' },
    boosts: [{ sameAs: 'brand', factor: 1.3 }],
  },
  pins: [{ productId: 'G99', position: 0, from: null, until: '2026-12-01T00:00:00.000Z' }],
}
const placement = {
  ...{ id: 'a', projectId: 'p', key: 'product-page', name: 'Product page', limit: 8, history: false },
  ...{ includePreorder: false, measurement: null, createdAt: '', updatedAt: '' },
  variants: { default: variant, none: { ...variant, strategies: [], pins: [] } },
} as Placement
const values = valuesOf(placement, 'default')

describe('the form of a placement', () => {
  test('sends nothing that is as it was', () => expect(updateOf(values, placement, 'default')).toEqual({}))

  test('sends a variant as a whole, with what the form does not show, and keeps the others', () => {
    const pins = [...values.pins, { key: ' G4 ', position: '3' }]
    expect(updateOf({ ...values, name: 'Beside a product', maxPerBrand: '', pins }, placement, 'default')).toEqual({
      name: 'Beside a product',
      variants: {
        ...placement.variants,
        default: {
          ...{ ...variant, maxPerBrand: null },
          pins: [variant.pins[0], { productId: 'G4', position: 2, from: null, until: null }],
        },
      },
    })
  })

  test('of a new one makes a variant that shows nothing, for tests', () =>
    expect(creationOf({ ...newPlacement, name: 'Home' })).toMatchObject({
      ...{ name: 'Home', limit: 8 },
      variants: { default: { strategies: ['POPULAR'], pins: [] }, none: { strategies: [] } },
    }))

  test('names what is wrong', () => {
    const pins = [
      { key: '', position: '1' },
      { key: 'G4', position: '9' },
      { key: 'G5', position: '1' },
    ]
    expect(Object.keys(partFaults({ ...values, pins }))).toEqual(['pins.0.key', 'pins.1.position', 'pins.2.position'])
    expect([rules.limit('51'), rules.maxPerBrand(''), rules.maxPerBrand('0')].map(Boolean)).toEqual([true, false, true])
    expect(inputOf(['variants', 'default', 'pins', 1, 'productId'])).toBe('pins.1.key')
    expect(inputOf(['variants', 'default', 'strategies', 0])).toBe('strategies')
    expect(inputOf(['variants', 'default', 'boosts', 0, 'factor'])).toBe('boosts.0.factor')
    expect(inputOf(['variants', 'default', 'boosts', 0, 'when', 'all', 0])).toBe('boosts.0.when')
    expect(inputOf(['variants', 'default', 'boosts', 0, 'sameAs'])).toBe('boosts.0.attribute')
    expect(inputOf(['variants', 'default', 'filter', 'attribute'])).toBe('filter')
    expect(inputOf(['name'])).toBeUndefined()
  })

  const cheap = { attribute: 'price', operator: 'lessThan' as const, value: 100 }

  test.each([
    [{ filter: { all: [] } }, { filter: null }],
    [{ filter: { all: [cheap, { attribute: '', operator: 'in' as const, value: [] }] } }, { filter: { all: [cheap] } }],
    [{ boosts: [] }, { boosts: [] }],
    [
      {
        boosts: [
          { ...newBoost, for: 'CONDITIONS' as const, when: cheap, factor: '0.5' },
          { ...newBoost, for: 'ATTRIBUTE' as const, attribute: ' color ' },
          { ...newBoost, for: 'CATEGORY' as const, factor: '2' },
        ],
      },
      {
        boosts: [
          { when: cheap, factor: 0.5 },
          { sameAs: 'attributes.color', factor: 1.3 },
          { sameAs: 'category', factor: 2 },
        ],
      },
    ],
  ])('sends filter and boosts as the service has them: %#', (change, sent) => {
    const edited = updateOf({ ...values, ...change }, placement, 'default').variants!.default!
    expect(edited).toEqual({ ...variant, ...sent })
    const again = valuesOf({ ...placement, variants: { default: edited } } as never, 'default')
    expect(updateOf(again, { ...placement, variants: { default: edited } } as never, 'default')).toEqual({})
  })

  test('names what is wrong with a boost', () =>
    expect(
      partFaults({
        ...values,
        boosts: [
          { ...newBoost, factor: '0' },
          { ...newBoost, for: 'ATTRIBUTE' },
          { ...newBoost, for: 'CONDITIONS', when: firstCondition },
        ],
      }),
    ).toEqual({
      'boosts.0.factor': 'Enter 0.1 to 10.',
      'boosts.1.attribute': 'Enter the name of a field.',
      'boosts.2.when': 'Add a condition.',
    }))

  test.each([
    [{ all: [] }, undefined],
    [cheap, undefined],
    [{ not: { ...cheap, attribute: 'attributes.size' } }, undefined],
    [{ any: [{ ...cheap, attribute: 'brnd' }] }, '“brnd” is no field of an item. Did you mean brand?'],
    [
      { ...cheap, attribute: 'waterproofing' },
      '“waterproofing” is no field of an item. Own fields are called attributes.waterproofing.',
    ],
    [{ ...cheap, value: '' }, 'Enter a number.'],
  ])('says what is wrong with conditions about items: %#', (conditions, fault) =>
    expect(itemConditionFault(conditions)).toBe(fault),
  )

  test('finds what the service refuses of its conditions', () => {
    const issue = (...path: (string | number)[]) => ({ path, message: 'm' })
    const issues = [
      issue('variants', 'default', 'filter', 'all', 0, 'value'),
      issue('variants', 'default', 'boosts', 1, 'when', 'attribute'),
      issue('name'),
    ]
    expect(refusedOf(issues, ['filter'])).toEqual([issue('conditions', 'all', 0, 'value')])
    expect(refusedOf(issues, ['boosts', 1, 'when'])).toEqual([issue('conditions', 'attribute')])
  })

  test('says boosts of a conflict in words', () => {
    expect(boostInWords(newBoost)).toBe('× 1.3 for the same brand')
    expect(boostInWords({ ...newBoost, for: 'CONDITIONS' })).toBe('× 1.3 if conditions hold')
  })
})

test('a variant is said in words', () => {
  expect(strategiesInWords(variant)).toBe('Bought together, then Popular')
  expect(strategiesInWords({ ...variant, strategies: [] })).toBe('Only pins')
  expect(strategiesInWords({ strategies: ['my-model'], pins: [] })).toBe('my-model')
  expect(limitsInWords(placement.variants.default!, placement)).toEqual([
    'Without what the visitor has bought.',
    'At most 3 products of a brand.',
    'Only what is in stock.',
  ])
  expect(pinInWords(variant.pins[0]!)).toBe('Position 1, until 1 Dec 2026')
})

test('the variant of pages that name none comes first', () =>
  expect(variantNames({ variants: { none: {}, b: {}, default: {} } as never })).toEqual(['default', 'b', 'none']))

test('what is left out is counted by reason', () => {
  const candidates = [{ reason: 'CAP' }, { reason: null }, { reason: 'LIMIT' }, { reason: 'LIMIT' }] as const
  expect(leftOut([...candidates]).map(({ reason, count }) => [reason, count])).toEqual([
    ['LIMIT', 2],
    ['CAP', 1],
  ])
})

test.each([
  [['SIMILAR', 'RECENTLY_VIEWED'], [], true],
  [['SIMILAR', 'POPULAR'], [], false],
  [['my-model'], [], false],
  [[], [], false],
  [['SIMILAR'], variant.pins, false],
])('a list of %j with the pins %j has nothing before there is a product: %s', (strategies, pins, expected) =>
  expect(needsProduct({ strategies, pins })).toBe(expected),
)
