import { describe, expect, it } from 'vitest'
import { matching } from './matching.ts'
import { definitionOf, fresh, keyFrom, type MetricValues, rules, valuesOf } from './metric-form.ts'
import { type Metric, sentenceOf } from './metric-words.ts'

const paid: MetricValues = { ...fresh, name: 'Paid orders', key: 'paid_orders', eventKey: 'order_paid' }
const ratio = { type: 'RATIO', denominator: 'visit' } as const

describe('what is typed', () => {
  it.each<[string, Partial<MetricValues>]>([
    ['Share of visitors with order_paid within 7 days', {}],
    ['Share of visitors with order_paid within 36 hours', { conversionWindowHours: '36', windowIn: 'hours' }],
    ['Share of visitors with order_paid within 1 day', { conversionWindowHours: '24', windowIn: 'hours' }],
    ['Number of order_paid per visitor within 7 days', { type: 'COUNT', valueFrom: 'value' }],
    ['Total value of order_paid in EUR per visitor within 7 days', { type: 'VALUE', unit: ' EUR ' }],
    ['Number of order_paid divided by number of visit, within 7 days', ratio],
    ['Share of visitors with order_paid within 7 days', { 'trigger.on': 'SEEN', 'trigger.selector': 'p' }],
    [
      'Total value of order_paid divided by total value of visit, within 7 days',
      { ...ratio, valueFrom: 'value', denominatorFrom: 'value' },
    ],
  ])('reads: %s', (sentence, typed) => {
    const definition = definitionOf({ ...paid, ...typed })
    expect(sentenceOf(definition)).toBe(sentence)
    const read = valuesOf({ ...definition, name: paid.name, key: paid.key } as Metric)
    expect(definitionOf(read)).toEqual(definition)
  })

  it.each<[Partial<MetricValues>, object]>([
    [{ type: 'VALUE', winsorizeAt: '99.9' }, { winsorizeAt: 0.999 }],
    [{ type: 'VALUE', winsorizeAt: '99,9 %' }, { winsorizeAt: 0.999 }],
    [
      { winsorizeAt: '99.9', unit: 'EUR' },
      { winsorizeAt: null, unit: null },
    ],
    [{ nonInferiorityMargin: '2' }, { nonInferiorityMargin: 0.02 }],
    [{ denominator: 'visit' }, { denominator: null }],
    [
      { 'trigger.on': 'CLICK', 'trigger.selector': ' a ' },
      { trigger: { on: 'CLICK', selector: 'a', conditions: null } },
    ],
    [{ 'trigger.on': 'PAGE_VIEW', 'trigger.selector': 'a' }, { trigger: { selector: null } }],
    [{ 'trigger.selector': 'a' }, { trigger: null }],
  ])('%j becomes %j', (typed, definition) => {
    expect(definitionOf({ ...paid, ...typed })).toMatchObject(definition)
  })

  it.each<[keyof MetricValues, Partial<MetricValues>, boolean]>([
    ['name', { name: ' ' }, true],
    ['eventKey', { eventKey: '' }, true],
    ['denominator', { denominator: '' }, false],
    ['denominator', { type: 'RATIO' }, true],
    ['conversionWindowHours', { conversionWindowHours: '90' }, false],
    ['conversionWindowHours', { conversionWindowHours: '91' }, true],
    ['conversionWindowHours', { conversionWindowHours: '' }, true],
    ['conversionWindowHours', { conversionWindowHours: '0' }, true],
    ['conversionWindowHours', { conversionWindowHours: '1.5', windowIn: 'hours' }, true],
    ['winsorizeAt', { type: 'COUNT', winsorizeAt: '100' }, true],
    ['winsorizeAt', { type: 'COUNT', winsorizeAt: 'high' }, true],
    ['winsorizeAt', { winsorizeAt: 'high' }, false],
    ['nonInferiorityMargin', { nonInferiorityMargin: '0' }, true],
    ['trigger.selector', { 'trigger.on': 'SEEN' }, true],
    ['trigger.selector', { 'trigger.on': 'PAGE_VIEW' }, false],
  ])('%s of %j is a fault: %s', (field, typed, isFault) => {
    const values = { ...paid, ...typed }
    const message = rules[field]?.(values[field] as never, values)
    expect(message !== undefined).toBe(isFault)
  })
})

it.each([
  ['Paid orders', 'paid_orders'],
  ['  Größe & Preis! ', 'gro_e_preis'],
  ['…', ''],
])('the key of %s is %s', (name, key) => expect(keyFrom(name)).toBe(key))

it('a list finds names, keys and events, with archived metrics last', () => {
  const metric = (name: string, more: Partial<Metric>) => ({ name, key: name, eventKey: 'x', ...more }) as Metric
  const list = [
    metric('Old', { archived: true, eventKey: 'order' }),
    metric('Revenue', { archived: false, eventKey: 'ORDER' }),
    metric('Errors', { archived: false }),
  ]
  expect(matching(list, 'order').map(({ name }) => name)).toEqual(['Revenue', 'Old'])
  expect(matching(list, '').map(({ name }) => name)).toEqual(['Revenue', 'Errors', 'Old'])
})
