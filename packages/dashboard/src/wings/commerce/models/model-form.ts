import type { operations } from '@svc/client'
import { type EditValues, editInput, editRules } from '../schedules/edit-values.ts'
import { scheduleOf, scheduleValues } from '../schedules/schedule-values.ts'
import type { Model } from './model.ts'
import { datasetKindOf } from './model-words.ts'

type NewModel = operations['createRecommendationModel']['requestBody']['content']['application/json']

/** What a new model asks for. `datasetId` is empty until one is chosen. */
export type ModelValues = EditValues & { strategy: Model['strategy']; datasetId: string }

/** What is popular changes during a day; all else is learned at night, after the datasets. */
export const newModel = (timezone: string): ModelValues => ({
  ...{ name: '', strategy: 'POPULAR', datasetId: '' },
  ...scheduleValues({ every: 'HOUR', at: '00:45', timezone }, timezone),
  at: '03:45',
})

export const creationOf = (values: ModelValues): NewModel => ({
  ...{ name: values.name, strategy: values.strategy },
  ...(datasetKindOf(values.strategy) && { datasetId: values.datasetId }),
  schedule: scheduleOf(values) ?? null,
})

export const rules = {
  ...editRules,
  datasetId: (datasetId: string, { strategy }: ModelValues) =>
    datasetKindOf(strategy) && datasetId === '' ? 'Choose a dataset.' : undefined,
}

export const inputOf = editInput
