import { describe, expect, it } from 'vitest'
import {
  addVariation,
  creationOfWeb,
  inputOf,
  type NewWebValues,
  newWebExperiment,
  panelOf,
  redirectFaults,
  removeVariation,
  rulesOf,
  stepOf,
  webStepIn,
  webSteps,
} from './new-web-form.ts'

const values: NewWebValues = { ...newWebExperiment('production'), name: 'Price in the headline' }
const address = 'https://shop.example/pricing'

const faultsOf = (step: (typeof webSteps)[number]['step'], given: NewWebValues) =>
  Object.entries(rulesOf(step)).flatMap(([field, rule]) =>
    (rule as (value: unknown, values: NewWebValues) => unknown)(given[field as keyof NewWebValues], given) === undefined
      ? []
      : [field],
  )

describe('a new web experiment', () => {
  it('is created with a name alone', () => {
    expect(faultsOf('size', values)).toEqual([])
    expect(creationOfWeb(values)).toMatchObject({
      envId: 'production',
      name: 'Price in the headline',
      baselineVariationKey: 'original',
      variations: [
        { key: 'original', name: 'Original', weight: 5000 },
        { key: 'variation-1', name: 'Variation 1', weight: 5000 },
      ],
    })
    expect(creationOfWeb(values)).not.toHaveProperty('pages')
  })

  it('has the page that a person has chosen, and none from the address by itself', () => {
    expect(creationOfWeb({ ...values, address })).not.toHaveProperty('pages')
    expect(creationOfWeb({ ...values, address, where: 'path' })).toMatchObject({
      pages: [
        {
          ...{ key: 'pricing', name: 'Pricing', url: address },
          conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
        },
      ],
    })
  })

  it('has up to four variations in equal shares, whose keys follow their places', () => {
    const three = { ...values, ...addVariation(values) }
    expect(three.variations.map(({ weight }) => weight)).toEqual([3334, 3333, 3333])
    const two = {
      ...three,
      ...removeVariation(
        { names: ['Original', 'Short', 'Long'], redirects: ['', 'a', ' https://shop.example/long '] },
        1,
      ),
    }
    expect(creationOfWeb(two)).toMatchObject({
      variations: [
        { key: 'original', name: 'Original' },
        { key: 'variation-1', name: 'Long', redirect: { url: 'https://shop.example/long' } },
      ],
    })
    expect(creationOfWeb(three).variations).not.toContainEqual(expect.objectContaining({ redirect: expect.anything() }))
  })
})

it.each<[string, Partial<NewWebValues>, string[]]>([
  ['nothing, if there is no address', {}, []],
  ['a name', { name: ' ' }, ['name']],
  ['a whole address', { address: 'shop.example/pricing' }, ['address']],
  ['a choice, if there is an address', { address }, ['where']],
  ['nothing after the choice', { address, where: 'later' }, []],
  [
    'another choice, if the address no longer suggests it',
    { address: 'https://shop.example', where: 'below' },
    ['where'],
  ],
])('the first step asks for %s', (_what, more, fields) => {
  expect(faultsOf('page', { ...values, ...more })).toEqual(fields)
  expect(faultsOf('goals', { ...values, ...more })).toEqual([])
  expect(faultsOf('size', { ...values, ...more })).toEqual(fields)
})

it('the step of the variations asks for whole addresses of redirects', () => {
  const given = { ...values, redirects: ['', ` ${address} `, 'shop.example/b', ''] }
  const fieldsOf = (step: (typeof webSteps)[number]['step']) => Object.keys(redirectFaults(step, given))
  expect(webSteps.map(({ step }) => fieldsOf(step))).toEqual([[], ['redirects.2'], [], ['redirects.2']])
})

it('each step has an address of its own', () => {
  for (const { step } of webSteps) expect(webStepIn(panelOf(step))).toBe(step)
  expect(webStepIn('create:elsewhere')).toBe('page')
})

it.each([
  ['name', 'page'],
  ['where', 'page'],
  ['names.1', 'variations'],
  ['redirects.1', 'variations'],
  ['metrics', 'goals'],
  ['plannedUnits', 'size'],
])('the field %s is in the step %s', (field, step) => {
  expect(stepOf(field)).toBe(step)
})

it.each([
  [['pages', 0, 'url'], 'address'],
  [['pages', 0, 'conditions', 'value'], 'where'],
  [['variations', 1, 'name'], 'names.1'],
  [['variations', 1, 'redirect', 'url'], 'redirects.1'],
  [['envId'], 'envKey'],
  [['name'], undefined],
])('an issue at %j is shown at %s', (path, field) => {
  expect(inputOf(path)).toBe(field)
})
