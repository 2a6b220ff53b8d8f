import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { Choices } from '../../../ui/form/choices.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { DateInput } from '../../../ui/time/date-input.tsx'
import { moment } from '../../../ui/time/dates.ts'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { ZoneField } from '../../../ui/time/zone-field.tsx'
import { nextRun } from './next-run.ts'
import { type ScheduleValues, scheduleOf } from './schedule-values.ts'

const everies = [
  ['NONE', 'Never by itself', undefined],
  ['HOUR', 'Every hour', undefined],
  ['DAY', 'Every day', undefined],
  ['CRON', 'By a pattern of cron', 'At least 5 minutes apart.'],
] as const

interface ScheduleFieldsProps<Values extends ScheduleValues> {
  form: Pick<Form<Values>, 'values' | 'set' | 'field'>
  /** How a run begins without a schedule. */
  byHand: string
  /** What is good to know of the minutes. */
  onMinutes?: string
}

/** When something runs by itself. */
export function ScheduleFields<Values extends ScheduleValues>({
  form,
  byHand,
  onMinutes,
}: ScheduleFieldsProps<Values>) {
  const { values, set } = form
  const { every } = values
  return (
    <>
      <Choices legend="When it runs" name="every">
        {everies.map(([value, label, description]) => (
          <Radio
            key={value}
            name="every-choice"
            value={value}
            label={label}
            description={value === 'NONE' ? byHand : description}
            checked={every === value}
            onChange={() => set('every', value as Values['every'])}
          />
        ))}
      </Choices>
      {every === 'HOUR' && (
        <TextInput
          {...form.field('minutes')}
          label="Minutes past the hour"
          {...(onMinutes && { description: onMinutes })}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      {every === 'DAY' && <DateInput {...form.field('at')} label="At" type="time" w={160} />}
      {every === 'CRON' && (
        <TextInput
          {...form.field('cron')}
          label="Pattern"
          description="Minute, hour, day of the month, month, day of the week."
          placeholder="15 * * * *"
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {every !== 'NONE' && <ZoneField {...form.field('timezone')} label="Time zone" />}
      <NextRun values={values} />
    </>
  )
}

function NextRun({ values }: { values: ScheduleValues }) {
  const now = useNow()
  const schedule = scheduleOf(values)
  const next = schedule ? nextRun(schedule, now) : undefined
  if (!next) return null
  return (
    <Stack gap={0}>
      <Text size="sm">
        Next: <Time time={next.toISOString()} />, {moment(next)}.
      </Text>
    </Stack>
  )
}
