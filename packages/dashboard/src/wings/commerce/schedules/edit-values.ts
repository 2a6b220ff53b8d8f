import {
  everyInWords,
  type Schedule,
  type ScheduleValues,
  scheduleInput,
  scheduleLabels,
  scheduleOf,
  scheduleRules,
  scheduleValues,
} from './schedule-values.ts'

/** What the form of a model or a dataset edits. */
export type EditValues = { name: string } & ScheduleValues

/** What has a name and runs by itself. */
export interface Scheduled {
  name: string
  schedule: Schedule | null
}

export const editValuesOf = ({ name, schedule }: Scheduled, timezone: string): EditValues => ({
  name,
  ...scheduleValues(schedule, timezone),
})

/** What an edit has changed. Nothing else is sent, so what another person changes meanwhile stays. */
export function editOf(values: EditValues, before: Scheduled, timezone: string): Partial<Scheduled> {
  const was = scheduleOf(editValuesOf(before, timezone))
  const schedule = scheduleOf(values)
  return {
    ...(values.name !== before.name && { name: values.name }),
    ...(schedule !== undefined && JSON.stringify(schedule) !== JSON.stringify(was) && { schedule }),
  }
}

export const editRules = {
  name: (name: string) => (name.trim() === '' ? 'Enter a name.' : undefined),
  ...scheduleRules,
}

/** Which input an issue of the service is about. */
export const editInput = ([field]: readonly (string | number)[], values: EditValues): string | undefined =>
  field === 'schedule' ? scheduleInput(values) : undefined

export const editLabels: Record<keyof EditValues, string> = { name: 'The name', ...scheduleLabels }

/** The value of a field in a conflict, in words; undefined if the text says it. */
export const editShown = (field: string, value: unknown): string | undefined =>
  field === 'every' ? everyInWords(value as ScheduleValues['every']) : undefined
