import { describe, expect, test } from 'vitest'
import type { EndedWith, MetricUse } from '../../model/metrics/index.ts'
import { type MetricContent, refusesDefinition, refusesDeletion, refusesRedefinition } from './metric.ts'

const metric: MetricContent = {
  name: 'Paid orders',
  archived: false,
  type: 'PROPORTION',
  eventKey: 'order_paid',
  valueFrom: null,
  denominator: null,
  direction: 'INCREASE',
  unit: null,
  conversionWindowHours: 168,
  winsorizeAt: null,
  nonInferiorityMargin: null,
  trigger: null,
}
const mean = { type: 'MEAN', valueFrom: 'value' } as const
const denominator = { eventKey: 'visit', valueFrom: null } as const

describe('a definition has exactly the fields of its type', () => {
  test.each<[string, Partial<MetricContent>, string[]]>([
    ['a share of visitors', {}, []],
    ['a share of values', { valueFrom: 'value' }, ['valueFrom']],
    ['a share with a denominator', { denominator }, ['denominator']],
    ['a capped share', { winsorizeAt: 0.99 }, ['winsorizeAt']],
    ['a number of events', { type: 'MEAN' }, []],
    ['a capped mean', { ...mean, winsorizeAt: 0.999 }, []],
    ['a mean with a denominator', { ...mean, denominator }, ['denominator']],
    ['a ratio', { type: 'RATIO', valueFrom: 'value', denominator }, []],
    ['a ratio without a denominator', { type: 'RATIO' }, ['denominator']],
    ['a capped ratio', { type: 'RATIO', denominator, winsorizeAt: 0.99 }, ['winsorizeAt']],
    [
      'orders by a click',
      { eventKey: 'order.margin', trigger: { on: 'PAGE_VIEW', selector: null, conditions: null } },
      ['trigger'],
    ],
    ['two faults', { valueFrom: 'value', winsorizeAt: 0.99 }, ['valueFrom', 'winsorizeAt']],
  ])('%s', (_case, more, refused) => {
    const issues = refusesDefinition({ ...metric, ...more })?.details?.issues as { path: string[] }[] | undefined
    expect(issues?.flatMap(({ path }) => path) ?? []).toEqual(refused)
  })
})

const use = (begun: boolean): MetricUse => ({
  use: { type: 'rule', id: begun ? 'begun' : 'drafted', flagId: 'f', envId: 'e' },
  named: 'order_paid',
  begun,
})
const ended = (ruleId: string): EndedWith => ({ id: 'ended', ruleId, flagId: 'f', envId: 'e', named: 'order_paid' })
const began = [{ type: 'rule', id: 'begun', flagId: 'f', envId: 'e' }]

describe('a metric of a test that has started', () => {
  test.each<[string, Partial<MetricContent>]>([
    ['renamed', { name: 'Orders' }],
    ['archived', { archived: true }],
  ])('can be %s', (_verb, edit) => {
    expect(
      refusesRedefinition(metric, { ...metric, ...edit }, { uses: [use(true)], ended: [ended('gone')] }),
    ).toBeUndefined()
  })

  test.each<Partial<MetricContent>>([
    { type: 'MEAN' },
    { eventKey: 'order_placed' },
    { direction: 'DECREASE' },
    { unit: 'EUR' },
    { conversionWindowHours: 24 },
    { nonInferiorityMargin: 0.02 },
    { trigger: { on: 'CLICK', selector: 'a.cta', conditions: null } },
  ])('cannot become %j', (edit) => {
    const refused = (uses: MetricUse[], experiments: EndedWith[] = []) =>
      refusesRedefinition(metric, { ...metric, ...edit }, { uses, ended: experiments })
    expect(refused([use(false), use(true)])).toMatchObject({
      refusal: 'invalid_state',
      details: { references: began },
    })
    expect(refused([use(false)])).toBeUndefined()
    const experiment = { type: 'experiment', id: 'ended', flagId: 'f', envId: 'e' }
    expect(refused([], [ended('gone')])?.details).toEqual({ references: [experiment] })
    expect(refused([use(true)], [ended('begun')])?.details).toEqual({ references: began })
  })
})

test.each<[string, MetricUse[], boolean, boolean]>([
  ['that nothing ever used', [], false, false],
  ['of a drafted rule', [use(false)], false, true],
  ['of a test', [use(true)], true, true],
  ['of a past test', [], true, true],
])('the deletion of a metric %s is refused: %#', (_case, uses, was, isRefused) => {
  expect(refusesDeletion(uses, was) !== undefined).toBe(isRefused)
})
