import type { operations } from '@svc/client'
import { whole } from '../../../ui/words/percent.ts'
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
import { shareText } from '../sources/source-words.ts'
import type { Dataset } from './dataset.ts'

type NewDataset = operations['createDataset']['requestBody']['content']['application/json']
type DatasetUpdate = operations['updateDataset']['requestBody']['content']['application/json']

/**
 * What the form of a dataset asks for. `windowDays` is empty for as many as the service takes by itself. Shares are basis
 * points.
 */
export type DatasetValues = EditValues &
  ActionValues & {
    kind: Dataset['kind']
    windowDays: string
    maxRowDrop: number
    maxUnknownShare: number
  }

/** The limits that a dataset has if nobody says otherwise. */
const defaults = { maxRowDrop: 0.5, maxUnknownShare: 0.2 }

/** Derived at night, an hour before models learn from it. The events are those of the guide. */
export const newDataset = (timezone: string, envId: string): DatasetValues => ({
  ...{ name: '', kind: 'INTERACTIONS', envId, windowDays: '', actions: usualActions },
  ...guardValues(defaults),
  ...scheduleValues({ every: 'DAY', at: '02:45', timezone }, timezone),
})

export const valuesOf = (dataset: Dataset, timezone: string): DatasetValues => ({
  ...editValuesOf(dataset, timezone),
  kind: dataset.kind,
  envId: dataset.derivation?.envId ?? '',
  actions: actionRows(dataset.derivation?.actions),
  windowDays: String(dataset.derivation?.windowDays ?? ''),
  ...guardValues(dataset.guards),
})

const guardValues = ({ maxRowDrop, maxUnknownShare }: Dataset['guards']) => ({
  maxRowDrop: Math.round((maxRowDrop ?? defaults.maxRowDrop) * whole),
  maxUnknownShare: Math.round((maxUnknownShare ?? defaults.maxUnknownShare) * whole),
})

/** Nothing is derived of a file that is sent, so it has a name alone. */
export const creationOf = (values: DatasetValues): NewDataset =>
  values.kind === 'NEIGHBOURS'
    ? { name: values.name, kind: values.kind }
    : {
        ...{ name: values.name, kind: values.kind, schedule: scheduleOf(values) ?? null },
        derivation: derivationOf(values),
      }

const derivationOf = ({ envId, actions, windowDays }: DatasetValues) => ({
  ...{ envId, actions: actionsOf(actions) },
  ...(windowDays.trim() !== '' && { windowDays: Number(windowDays) }),
})

const guardsOf = ({ maxRowDrop, maxUnknownShare }: DatasetValues) => ({
  maxRowDrop: maxRowDrop / whole,
  maxUnknownShare: maxUnknownShare / whole,
})

/** What an edit has changed. Nothing else is sent, so what another person changes meanwhile stays. */
export function updateOf(values: DatasetValues, before: Dataset, timezone: string): DatasetUpdate {
  const was = valuesOf(before, timezone)
  const differs = (of: (values: DatasetValues) => unknown) => JSON.stringify(of(values)) !== JSON.stringify(of(was))
  return {
    ...editOf(values, before, timezone),
    ...(before.kind === 'INTERACTIONS' && differs(derivationOf) && { derivation: derivationOf(values) }),
    ...(differs(guardsOf) && { guards: guardsOf(values) }),
  }
}

const hasEvents = ({ kind }: DatasetValues): boolean => kind === 'INTERACTIONS'

export const rules = {
  ...editRules,
  actions: (rows: DatasetValues['actions'], values: DatasetValues) =>
    hasEvents(values) ? actionRules.actions(rows) : undefined,
  windowDays: (text: string) =>
    /^\s*\d{0,4}\s*$/.test(text) && (text.trim() === '' || Number(text) > 0)
      ? undefined
      : 'Enter a number of days, or nothing.',
}

/** What is wrong with actions, by the names of their inputs. */
export const partRules = (values: DatasetValues): Record<string, string> =>
  hasEvents(values) ? actionFaults(values.actions) : {}

/** Which input an issue of the service is about. */
export function inputOf(path: readonly (string | number)[], values: DatasetValues): string | undefined {
  const [field, ...rest] = path
  if (field === 'guards') return rest[0] === undefined ? undefined : String(rest[0])
  return field === 'derivation' ? actionInput(rest, values.actions) : editInput(path, values)
}

export const labels: Record<keyof DatasetValues, string> = {
  ...editLabels,
  ...actionLabels,
  kind: 'What it contains',
  windowDays: 'The days',
  maxRowDrop: 'The share of rows that can be gone',
  maxUnknownShare: 'The share of unknown products',
}

/** The value of a field in a conflict, in words; undefined if the text says it. */
export function shown(field: string, value: unknown): string | undefined {
  if (field === 'actions') return actionsShown(value as DatasetValues['actions'])
  if (field === 'maxRowDrop' || field === 'maxUnknownShare') return shareText(Number(value) / whole)
  return editShown(field, value)
}
