import { Checkbox, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, type Form, required } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DateInput } from '../../../ui/time/date-input.tsx'
import { ZoneField } from '../../../ui/time/zone-field.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { readSettings, settingsPath } from './settings.ts'

type Settings = Data<'/api/dashboard/organization', 'get'>
type QuietHours = NonNullable<Settings['quietHours']>
type Day = QuietHours['days'][number]

const days: { value: Day; label: string }[] = [
  { value: 'MON', label: 'Monday' },
  { value: 'TUE', label: 'Tuesday' },
  { value: 'WED', label: 'Wednesday' },
  { value: 'THU', label: 'Thursday' },
  { value: 'FRI', label: 'Friday' },
  { value: 'SAT', label: 'Saturday' },
  { value: 'SUN', label: 'Sunday' },
]
const dayName = (day: string): string => days.find(({ value }) => value === day)?.label ?? day

interface QuietSectionProps {
  settings: Versioned<Settings>
  isFixed: boolean
}

/** When destinations wait, and when daily digests go out. */
export function QuietSection({ settings, isFixed }: QuietSectionProps) {
  const { quietHours, digestAt, digestTimezone } = settings.content
  return (
    <Section
      title="Quiet hours and digests"
      description="Chats and mail can wait for the morning. Webhooks and safety events never wait."
    >
      {isFixed ? (
        <Text size="sm">
          {quietInWords(quietHours)} Daily digests go out at {digestAt} in{' '}
          {digestTimezone ?? quietHours?.timezone ?? 'UTC'}.
        </Text>
      ) : (
        <QuietForm settings={settings} />
      )}
    </Section>
  )
}

export function quietInWords(quietHours: QuietHours | null): string {
  if (!quietHours) return 'There are no quiet hours.'
  const { from, to, timezone } = quietHours
  const wholeDays = quietHours.days.length > 0 ? `, and all of ${allOf(quietHours.days.map(dayName), 7)}` : ''
  return `Quiet from ${from} to ${to}${wholeDays}, in ${timezone}.`
}

type Values = {
  isOn: boolean
  'quietHours.from': string
  'quietHours.to': string
  'quietHours.days': Day[]
  'quietHours.timezone': string
  digestAt: string
  /** Empty: that of the quiet hours, or UTC. */
  digestTimezone: string
}

const valuesOf = ({
  content: { quietHours, digestAt, digestTimezone },
  etag,
}: Versioned<Settings>): Versioned<Values> => ({
  content: {
    isOn: quietHours !== null,
    'quietHours.from': quietHours?.from ?? '22:00',
    'quietHours.to': quietHours?.to ?? '07:00',
    'quietHours.days': quietHours?.days ?? ['SAT', 'SUN'],
    'quietHours.timezone': quietHours?.timezone ?? ownZone(),
    digestAt,
    digestTimezone: digestTimezone ?? '',
  },
  etag,
})

function QuietForm({ settings }: { settings: Versioned<Settings> }) {
  const { form, dialog } = useQuietForm(settings)
  const { isOn } = form.values
  return (
    <>
      <ApiForm form={form} verb="Save quiet hours" isSecondary>
        <Checkbox
          label="The organization has quiet hours"
          description="Each destination chooses whether it keeps them."
          checked={isOn}
          onChange={({ currentTarget }) => form.set('isOn', currentTarget.checked)}
        />
        {isOn && (
          <>
            <Group gap="sm" align="flex-start">
              <DateInput {...form.field('quietHours.from')} label="From" type="time" />
              <DateInput {...form.field('quietHours.to')} label="Until" type="time" />
              <ZoneField {...form.field('quietHours.timezone')} label="Time zone" />
            </Group>
            <QuietDays form={form} />
          </>
        )}
        <Group gap="sm" align="flex-start">
          <DateInput {...form.field('digestAt')} label="Daily digests go out at" type="time" />
          <ZoneField
            {...form.field('digestTimezone')}
            label="Zone of the digests"
            none={isOn ? 'That of the quiet hours' : 'UTC'}
          />
        </Group>
      </ApiForm>
      {dialog}
    </>
  )
}

function QuietDays({ form }: { form: Form<Values> }) {
  const quietDays = form.values['quietHours.days']
  return (
    <Choices
      legend="Quiet days"
      name="quietHours.days"
      description="The whole day, besides the hours above."
      error={form.error('quietHours.days')}
    >
      <Group gap="md">
        {days.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={quietDays.includes(value)}
            onChange={({ currentTarget }) =>
              form.set(
                'quietHours.days',
                days
                  .map((day) => day.value)
                  .filter((day) => (day === value ? currentTarget.checked : quietDays.includes(day))),
              )
            }
          />
        ))}
      </Group>
    </Choices>
  )
}

function useQuietForm(settings: Versioned<Settings>) {
  const done = useDone()
  const changed = useChangedBy('organization', settings.content.id)
  return useEditForm<Values, unknown>({
    object: `quiet-hours:${settings.content.id}`,
    base: valuesOf(settings),
    rules: {
      'quietHours.to': (to, { isOn, 'quietHours.from': from }) =>
        isOn && to === from ? 'The end must differ from the start.' : undefined,
      digestAt: required('Enter a time.'),
    },
    read: async () => valuesOf(await readSettings()),
    write: (
      {
        isOn,
        'quietHours.from': from,
        'quietHours.to': to,
        'quietHours.days': quietDays,
        'quietHours.timezone': timezone,
        digestAt,
        digestTimezone,
      },
      etag,
    ) =>
      api.PATCH(settingsPath, {
        params: { header: onlyIf(etag) },
        body: {
          digestAt,
          digestTimezone: digestTimezone || null,
          quietHours: isOn ? { from, to, days: quietDays, timezone } : null,
        },
      }),
    done: () => done('Quiet hours saved.', settingsPath),
    changed,
    labels: {
      isOn: 'Quiet hours',
      'quietHours.from': 'The start',
      'quietHours.to': 'The end',
      'quietHours.days': 'The quiet days',
      'quietHours.timezone': 'The time zone',
      digestAt: 'The time of daily digests',
      digestTimezone: 'The time zone of digests',
    },
    shown: (_field, value) => Array.isArray(value) && (value.map(dayName).join(', ') || 'none'),
  })
}
