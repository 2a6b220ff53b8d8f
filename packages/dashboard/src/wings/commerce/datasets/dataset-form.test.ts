import { expect, test } from 'vitest'
import { actionFaults, creationOf, inputOf, newDataset, rules } from './dataset-form.ts'

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
  expect(actionFaults({ ...values, actions })).toEqual({
    'actions.1.key': 'Enter the key of an event.',
    'actions.1.weight': 'Enter more than 0, up to 1,000.',
    'actions.2.key': 'This event is there already.',
    'actions.2.weight': 'Enter more than 0, up to 1,000.',
  })
  expect(actionFaults({ ...values, kind: 'NEIGHBOURS', actions })).toEqual({})
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
  [['derivation', 'actions', 'gone'], undefined],
  [['schedule'], 'at'],
])('an issue at %j is at the input %s', (path, input) => expect(inputOf(path, values)).toBe(input))
