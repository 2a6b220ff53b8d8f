import { expect, test } from 'vitest'
import type { Model } from './model.ts'
import { creationOf, inputOf, newModel, partRules, rules, updateOf, valuesOf } from './model-form.ts'

const zone = 'Europe/Amsterdam'

test('a new model is popular and runs every hour', () => {
  expect(creationOf({ ...newModel(zone, 'e'), name: 'Popular' })).toEqual({
    ...{ name: 'Popular', strategy: 'POPULAR' },
    settings: { envId: 'e', actions: { product_viewed: 1, added_to_cart: 3, order: 5 } },
    schedule: { every: 'HOUR', at: '00:45', timezone: zone },
  })
})

test('a dataset is sent by a strategy that learns from one alone', () => {
  const typed = { ...newModel(zone), datasetId: 'd', every: 'NONE' as const }
  expect(creationOf({ ...typed, strategy: 'FOR_YOU' })).toMatchObject({ datasetId: 'd', schedule: null })
  expect(creationOf({ ...typed, strategy: 'SIMILAR' })).not.toHaveProperty('datasetId')
  expect(rules.datasetId('', { ...typed, strategy: 'FOR_YOU' })).toBe('Choose a dataset.')
  expect(rules.datasetId('', { ...typed, strategy: 'SIMILAR' })).toBeUndefined()
})

const model = (more: Partial<Model>): Model => ({
  ...{ id: 'm', projectId: 'p', key: 'm', name: 'Popular', strategy: 'POPULAR', datasetId: null, schedule: null },
  ...{ settings: { envId: 'e', actions: { order: 5 } }, activeRun: null, createdAt: '', updatedAt: '' },
  ...more,
})
const learned = { strategy: 'FOR_YOU', datasetId: 'd', settings: {} } as const

test.each([
  [model({}), {}, {}],
  [model({}), { name: 'Best' }, { name: 'Best' }],
  [model({}), { actions: [{ key: 'order', weight: '2' }] }, { settings: { envId: 'e', actions: { order: 2 } } }],
  [model({}), { envId: 'f' }, { settings: { envId: 'f', actions: { order: 5 } } }],
  [model(learned), { datasetId: 'other' }, { datasetId: 'other' }],
  [model(learned), { actions: [] }, {}],
  [model({ strategy: 'SIMILAR', settings: {} }), { datasetId: 'd' }, {}],
])('an edit sends what has changed, by strategy: %#', (before, change, body) =>
  expect(updateOf({ ...valuesOf(before, zone), ...change }, before, zone)).toEqual(body),
)

test('events are checked where a strategy reads them', () => {
  const values = { ...valuesOf(model({}), zone), actions: [{ key: '', weight: '1' }] }
  expect(partRules(values)).toEqual({ 'actions.0.key': 'Enter the key of an event.' })
  expect(partRules({ ...values, strategy: 'SIMILAR' })).toEqual({})
  expect(rules.actions([], values)).toBe('Add an event.')
  expect(inputOf(['settings', 'envId'], values)).toBe('envId')
})
