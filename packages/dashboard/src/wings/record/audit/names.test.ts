import { expect, it } from 'vitest'
import { idsIn, inBatches, nameInWords, pageOf, placeInWords, type VisibleName } from './names.ts'

const id = (end: number) => `0190aaaa-0000-7000-8000-${String(end).padStart(12, '0')}`
const project = { id: id(1), shortId: 3, key: 'web-shop', name: 'Web shop' }
const flag = { id: id(2), shortId: 7, key: 'checkout', name: 'Checkout' }
const production = { id: id(3), key: 'production', name: 'Production' }
const named = (values: Partial<VisibleName>): VisibleName => ({
  id: id(9),
  visible: true,
  kind: 'flag',
  name: 'Checkout',
  key: 'checkout',
  shortId: 7,
  project,
  environment: null,
  flag: null,
  deleted: false,
  ...values,
})

it('the log finds the ids of entries once each, in values, lists and keys', () => {
  const entries = [
    { object: { id: id(1) }, projectId: id(2), before: { ruleId: id(3) }, after: { order: [id(4), id(3)] } },
    { object: { id: id(1) }, projectId: null, before: null, after: { [id(5)]: { name: 'no id', hash: 'ab12' } } },
  ]
  expect(idsIn(entries)).toEqual([1, 2, 3, 4, 5].map(id))
})

it.each([
  [0, []],
  [1, [1]],
  [100, [100]],
  [250, [100, 100, 50]],
])('the log asks for %i names in batches of %j', (count, sizes) => {
  expect(inBatches(Array.from({ length: count }, (_, end) => id(end))).map(({ length }) => length)).toEqual(sizes)
})

it('the log says what was deleted, and nothing about what the reader cannot see', () => {
  expect(nameInWords(named({}))).toBe('Checkout')
  expect(nameInWords(named({ deleted: true }))).toBe('Checkout (deleted)')
  expect(nameInWords({ id: id(9), visible: false })).toBeUndefined()
})

it.each<[Partial<VisibleName>, string]>([
  [{}, ''],
  [{ kind: 'rule', flag, environment: production }, 'Checkout, Production'],
  [{ kind: 'environment', environment: production }, ''],
])('%j is in "%s"', (values, expected) => {
  expect(placeInWords(named(values))).toBe(expected)
})

it.each<[Partial<VisibleName>, string | undefined]>([
  [{ kind: 'flag' }, '/3-web-shop/flags/checkout'],
  [{ kind: 'rule', key: null, flag }, '/3-web-shop/flags/checkout'],
  [{ kind: 'rule', key: null }, undefined],
  [{ kind: 'project' }, '/3-web-shop'],
  [{ kind: 'environment', key: 'production' }, '/3-web-shop/environments/production'],
  [{ kind: 'audience', shortId: 4 }, '/3-web-shop/audiences/4'],
  [{ kind: 'segment', shortId: 5 }, '/3-web-shop/segments/5'],
  [{ kind: 'metric', key: 'order_paid' }, '/3-web-shop/metrics/order_paid'],
  [{ kind: 'experiment', shortId: 6 }, '/3-web-shop/experiments/6'],
  [{ kind: 'exclusion_group' }, '/3-web-shop/exclusion-groups'],
  [{ kind: 'holdout' }, '/3-web-shop/holdouts'],
  [{ kind: 'webhook' }, `/3-web-shop/integrations/webhooks/${id(9)}`],
  [{ kind: 'role', project: null }, '/settings/roles'],
  [{ kind: 'member', project: null }, '/settings/members'],
  [{ kind: 'service_token', project: null }, '/settings/tokens'],
  [{ kind: 'organization', project: null }, '/settings/general'],
  [{ kind: 'session', project: null }, undefined],
  [{ kind: 'flag', project: null }, undefined],
  [{ kind: 'flag', deleted: true }, undefined],
])('the page of %j is %s', (values, expected) => {
  expect(pageOf(named(values))?.path).toBe(expected)
})
