import { expect, test } from 'vitest'
import { creationOf, newModel, rules } from './model-form.ts'

const zone = 'Europe/Amsterdam'

test('a new model is popular and runs every hour', () => {
  expect(creationOf({ ...newModel(zone), name: 'Popular' })).toEqual({
    ...{ name: 'Popular', strategy: 'POPULAR' },
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
