import type { operations } from '@svc/client'
import { type EditValues, editInput, editRules } from '../schedules/edit-values.ts'
import { scheduleOf, scheduleValues } from '../schedules/schedule-values.ts'
import type { Dataset } from './dataset.ts'

type NewDataset = operations['createDataset']['requestBody']['content']['application/json']

/** A row of the actions. `key` is that of an event; the weight is a text while it is typed. */
export interface ActionRow {
  key: string
  weight: string
}

/** What a new dataset asks for. `windowDays` is empty for as many as the service takes by itself. */
export type DatasetValues = EditValues & {
  kind: Dataset['kind']
  envId: string
  actions: ActionRow[]
  windowDays: string
}

/** Derived at night, an hour before models learn from it. The events are those of the guide. */
export const newDataset = (timezone: string, envId: string): DatasetValues => ({
  ...{ name: '', kind: 'INTERACTIONS', envId, windowDays: '' },
  actions: [
    { key: 'product_viewed', weight: '1' },
    { key: 'added_to_cart', weight: '3' },
    { key: 'order', weight: '5' },
  ],
  ...scheduleValues({ every: 'DAY', at: '02:45', timezone }, timezone),
})

/** Nothing is derived of a file that is sent, so it has a name alone. */
export const creationOf = (values: DatasetValues): NewDataset =>
  values.kind === 'NEIGHBOURS'
    ? { name: values.name, kind: values.kind }
    : {
        ...{ name: values.name, kind: values.kind, schedule: scheduleOf(values) ?? null },
        derivation: {
          envId: values.envId,
          actions: Object.fromEntries(values.actions.map(({ key, weight }) => [key.trim(), Number(weight)])),
          ...(values.windowDays.trim() !== '' && { windowDays: Number(values.windowDays) }),
        },
      }

export const rules = {
  ...editRules,
  windowDays: (text: string) =>
    /^\s*\d{0,4}\s*$/.test(text) && (text.trim() === '' || Number(text) > 0)
      ? undefined
      : 'Enter a number of days, or nothing.',
}

/** What is wrong with actions, by the names of their inputs. */
export function actionFaults({ kind, actions }: DatasetValues): Record<string, string> {
  const faults: Record<string, string> = {}
  if (kind === 'NEIGHBOURS') return faults
  for (const [at, { key, weight }] of actions.entries()) {
    if (key.trim() === '') faults[`actions.${at}.key`] = 'Enter the key of an event.'
    else if (actions.findIndex((other) => other.key.trim() === key.trim()) < at)
      faults[`actions.${at}.key`] = 'This event is there already.'
    if (!(Number(weight) > 0 && Number(weight) <= 1_000))
      faults[`actions.${at}.weight`] = 'Enter more than 0, up to 1,000.'
  }
  return faults
}

/** Which input an issue of the service is about. */
export function inputOf(path: readonly (string | number)[], values: DatasetValues): string | undefined {
  const [field, part, key] = path
  if (field !== 'derivation') return editInput(path, values)
  if (part !== 'actions') return part === undefined ? undefined : String(part)
  const at = values.actions.findIndex((row) => row.key.trim() === key)
  return at < 0 ? undefined : `actions.${at}.weight`
}
