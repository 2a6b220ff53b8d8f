import type { operations } from '@svc/client'
import {
  type ActionValues,
  actionFaults,
  actionInput,
  actionLabels,
  actionRows,
  actionRules,
  actionsOf,
  actionsShown,
  usualActions,
} from '../events/action-rows.ts'
import {
  type EditValues,
  editInput,
  editLabels,
  editOf,
  editRules,
  editShown,
  editValuesOf,
} from '../schedules/edit-values.ts'
import { scheduleOf, scheduleValues } from '../schedules/schedule-values.ts'
import type { Model } from './model.ts'
import { datasetKindOf, learnsFrom } from './model-words.ts'

type NewModel = operations['createRecommendationModel']['requestBody']['content']['application/json']
type ModelUpdate = operations['updateRecommendationModel']['requestBody']['content']['application/json']

/**
 * What the form of a model asks for. `datasetId` is empty until one is chosen; events are those of a strategy that reads
 * them itself.
 */
export type ModelValues = EditValues & ActionValues & { strategy: Model['strategy']; datasetId: string }

/** What is popular changes during a day; all else is learned at night, after the datasets. */
export const newModel = (timezone: string, envId = ''): ModelValues => ({
  ...{ name: '', strategy: 'POPULAR', datasetId: '', envId, actions: usualActions },
  ...scheduleValues({ every: 'HOUR', at: '00:45', timezone }, timezone),
  at: '03:45',
})

export const valuesOf = (model: Model, timezone: string): ModelValues => ({
  ...editValuesOf(model, timezone),
  ...{ strategy: model.strategy, datasetId: model.datasetId ?? '' },
  ...{ envId: model.settings.envId ?? '', actions: actionRows(model.settings.actions) },
})

export const creationOf = (values: ModelValues): NewModel => ({
  ...{ name: values.name, strategy: values.strategy },
  ...(datasetKindOf(values.strategy) && { datasetId: values.datasetId }),
  ...(readsEvents(values) && { settings: settingsOf(values) }),
  schedule: scheduleOf(values) ?? null,
})

/** Whether a strategy reads events, and not a dataset of them. */
export const readsEvents = ({ strategy }: Pick<Model, 'strategy'>): boolean => learnsFrom[strategy] === 'EVENTS'

const settingsOf = ({ envId, actions }: ModelValues) => ({
  ...(envId !== '' && { envId }),
  actions: actionsOf(actions),
})

/** What an edit has changed. Nothing else is sent, so what another person changes meanwhile stays. */
export function updateOf(values: ModelValues, before: Model, timezone: string): ModelUpdate {
  const settings = settingsOf(values)
  const was = settingsOf(valuesOf(before, timezone))
  return {
    ...editOf(values, before, timezone),
    ...(datasetKindOf(before.strategy) && values.datasetId !== before.datasetId && { datasetId: values.datasetId }),
    ...(readsEvents(before) && JSON.stringify(settings) !== JSON.stringify(was) && { settings }),
  }
}

export const rules = {
  ...editRules,
  datasetId: (datasetId: string, { strategy }: ModelValues) =>
    datasetKindOf(strategy) && datasetId === '' ? 'Choose a dataset.' : undefined,
  actions: (rows: ModelValues['actions'], values: ModelValues) =>
    readsEvents(values) ? actionRules.actions(rows) : undefined,
}

/** What is wrong with actions, by the names of their inputs. */
export const partRules = (values: ModelValues): Record<string, string> =>
  readsEvents(values) ? actionFaults(values.actions) : {}

/** Which input an issue of the service is about. */
export const inputOf = (path: readonly (string | number)[], values: ModelValues): string | undefined =>
  path[0] === 'settings' ? actionInput(path.slice(1), values.actions) : editInput(path, values)

export const labels: Record<keyof ModelValues, string> = {
  ...editLabels,
  ...actionLabels,
  strategy: 'The strategy',
  datasetId: 'The dataset',
}

/** The value of a field in a conflict, in words; undefined if the text says it. */
export const shown = (field: string, value: unknown): string | undefined =>
  field === 'actions' ? actionsShown(value as ModelValues['actions']) : editShown(field, value)
