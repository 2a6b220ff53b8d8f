import { expect, test } from 'vitest'
import type { Dataset } from './dataset.ts'
import { creationOf, inputOf, newDataset, partRules, rules, shown, updateOf, valuesOf } from './dataset-form.ts'

const zone = 'Europe/Amsterdam'
const values = { ...newDataset(zone, 'e'), name: 'Behaviour' }

test('a dataset of interactions has events with weights, an environment and a schedule', () => {
  expect(creationOf(values)).toEqual({
    ...{ name: 'Behaviour', kind: 'INTERACTIONS', schedule: { every: 'DAY', at: '02:45', timezone: zone } },
    derivation: { envId: 'e', actions: { product_viewed: 1, added_to_cart: 3, order: 5 } },
  })
  expect(creationOf({ ...values, windowDays: ' 30 ' })).toMatchObject({ derivation: { windowDays: 30 } })
})

test('a dataset of pairs has a name alone', () => {
  expect(creationOf({ ...values, kind: 'NEIGHBOURS' })).toEqual({ name: 'Behaviour', kind: 'NEIGHBOURS' })
})

test('an event has a key of its own and a weight above 0', () => {
  const actions = [
    { key: 'order', weight: '5' },
    { key: '', weight: '0' },
    { key: ' order ', weight: 'much' },
  ]
  expect(partRules({ ...values, actions })).toEqual({
    'actions.1.key': 'Enter the key of an event.',
    'actions.1.weight': 'Enter more than 0, up to 1,000.',
    'actions.2.key': 'This event is there already.',
    'actions.2.weight': 'Enter more than 0, up to 1,000.',
  })
  expect(partRules({ ...values, kind: 'NEIGHBOURS', actions })).toEqual({})
  expect(rules.actions([], values)).toBe('Add an event.')
  expect(rules.actions([], { ...values, kind: 'NEIGHBOURS' })).toBeUndefined()
})

test.each([
  ['', undefined],
  ['30', undefined],
  ['0', 'Enter a number of days, or nothing.'],
  ['a month', 'Enter a number of days, or nothing.'],
])('days of “%s”', (text, fault) => expect(rules.windowDays(text)).toBe(fault))

test.each([
  [['derivation', 'windowDays'], 'windowDays'],
  [['derivation', 'actions', 'order'], 'actions.2.weight'],
  [['derivation', 'actions', 'gone'], 'actions'],
  [['derivation', 'actions'], 'actions'],
  [['guards', 'maxRowDrop'], 'maxRowDrop'],
  [['schedule'], 'at'],
])('an issue at %j is at the input %s', (path, input) => expect(inputOf(path, values)).toBe(input))

const dataset: Dataset = {
  ...{ id: 'd', projectId: 'p', key: 'behaviour', name: 'Behaviour', kind: 'INTERACTIONS', activeVersion: null },
  derivation: { envId: 'e', actions: { product_viewed: 1, order: 5 }, windowDays: 90 },
  ...{ guards: { maxRowDrop: 0.5, maxUnknownShare: 0.2 }, schedule: null, createdAt: '', updatedAt: '' },
}
const edited = valuesOf(dataset, zone)

test.each([
  [{}, {}],
  [{ name: 'All' }, { name: 'All' }],
  [{ windowDays: '30' }, { derivation: { ...dataset.derivation, windowDays: 30 } }],
  [{ windowDays: ' ' }, { derivation: { envId: 'e', actions: { product_viewed: 1, order: 5 } } }],
  [{ actions: [{ key: ' order ', weight: '2' }] }, { derivation: { ...dataset.derivation, actions: { order: 2 } } }],
  [{ maxRowDrop: 2_500 }, { guards: { maxRowDrop: 0.25, maxUnknownShare: 0.2 } }],
])('an edit sends what has changed: %j', (change, body) =>
  expect(updateOf({ ...edited, ...change }, dataset, zone)).toEqual(body),
)

test('an edit of pairs has no events', () => {
  const pairs: Dataset = { ...dataset, kind: 'NEIGHBOURS', derivation: null }
  expect(updateOf({ ...valuesOf(pairs, zone), maxUnknownShare: 0 }, pairs, zone)).toEqual({
    guards: { maxRowDrop: 0.5, maxUnknownShare: 0 },
  })
})

test('values of a conflict are said in words', () =>
  expect([shown('actions', edited.actions), shown('maxRowDrop', 2_500), shown('windowDays', '30')]).toEqual([
    ...['product_viewed × 1, order × 5', '25\u00a0%', undefined],
  ]))
