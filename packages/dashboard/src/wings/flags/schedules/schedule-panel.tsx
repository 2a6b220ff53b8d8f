import { Button, List, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, type Form } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { DateInput } from '../../../ui/time/date-input.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { ZoneField } from '../../../ui/time/zone-field.tsx'
import { clockTimeAt, momentOf, ownZone } from '../../../ui/time/zoned-time.ts'
import { useTargeting } from '../flags/targeting-place.ts'
import { usePausedVariation } from '../variations/paused-variation.ts'
import { ScheduleButtons } from './schedule-buttons.tsx'
import classes from './schedule-panel.module.css'
import {
  cancelSchedule,
  type ListedSchedule,
  refreshSchedules,
  type ScheduleTarget,
  setSchedule,
  useFlagSchedules,
} from './schedule-queries.ts'
import {
  clockWarnings,
  momentWords,
  type ScheduleAction,
  scheduleSentence,
  timeFault,
  timeWords,
} from './schedule-words.ts'

const maxNoteLength = 500

/** The form for the schedule of the flag (`flag`), or of the rule with this id, in the environment of the page. */
export function SchedulePanel({ which, onClose }: { which: string; onClose: () => void }) {
  const { flag, environment, rules, inEnvironment, names } = useTargeting()
  const query = useFlagSchedules(flag)
  const ruleId = which === 'flag' ? null : which
  const name = ruleId === null ? flag.name : (names.rules.get(ruleId) ?? 'Rule')
  const isRunning = ruleId === null ? inEnvironment.enabled : (rules.find(({ id }) => id === ruleId)?.enabled ?? false)
  const title = `Schedule: ${name}`
  if (!query.data)
    return (
      <SidePanel title={title} description={environment.name} onClose={onClose}>
        <Loaded query={query}>{() => null}</Loaded>
      </SidePanel>
    )
  const all = query.data.data
  const isThis = (each: ListedSchedule) => each.envId === environment.id && each.ruleId === ruleId
  const current = all.find(isThis)
  return (
    <ScheduleForm
      // Another schedule was set meanwhile: what is typed is kept, and shown again.
      key={current?.id}
      title={title}
      name={name}
      place={environment.name}
      target={{ projectId: flag.projectId, flagId: flag.id, envId: environment.id, ruleId }}
      isRunning={isRunning}
      current={current}
      others={all.filter((each) => !isThis(each))}
      consequence={(action) => <Consequence action={action} ruleId={ruleId} isRunning={isRunning} />}
      onClose={onClose}
    />
  )
}

interface FormProps {
  title: string
  name: string
  /** The name of the environment. */
  place: string
  target: ScheduleTarget
  isRunning: boolean
  current: ListedSchedule | undefined
  /** Other schedules of the flag and its rules. */
  others: readonly ListedSchedule[]
  /** What happens then. */
  consequence: (action: ScheduleAction) => ReactNode
  onClose: () => void
}

type Values = {
  action: ScheduleAction
  date: string
  time: string
  timezone: string
  note: string
}

/** A run or a pause at a set time, of whatever has a switch. */
export function ScheduleForm(props: FormProps) {
  const { title, place, target, current, others, consequence, onClose } = props
  const now = useNow()
  const form = useScheduleForm(props)
  const { values } = form
  const { date, time, timezone } = values
  /** Whether a moment is right depends on all three fields, so a change of one removes the fault of another. */
  const moment = (name: 'date' | 'time' | 'timezone') => ({
    ...form.field(name),
    onChange: (event: { currentTarget: { value: string } }) =>
      form.setAll({ date, time, timezone, [name]: event.currentTarget.value }),
  })
  return (
    <SidePanel title={title} description={place} onClose={onClose}>
      <ApiForm
        form={form}
        verb={current?.status === 'PENDING' ? 'Change the schedule' : 'Set the schedule'}
        failed="The schedule was not set"
        actions={
          <Button
            variant="default"
            onClick={() => {
              form.forget()
              onClose()
            }}
          >
            Close
          </Button>
        }
      >
        {current && <Current schedule={current} target={target} />}
        <Choices legend="Action">
          <ActionRadio value="RUN" label="Run" form={form} />
          <ActionRadio value="PAUSE" label="Pause" form={form} />
        </Choices>
        {consequence(values.action)}
        <div className={classes.moment}>
          <DateInput {...moment('date')} type="date" label="Date" min={clockTimeAt(now, values.timezone).date} />
          <DateInput {...moment('time')} type="time" label="Time" />
        </div>
        <ZoneField {...moment('timezone')} label="Time zone" />
        <When values={values} now={now} />
        <Textarea
          {...form.field('note')}
          label="Note"
          description="Why, for the people who see the schedule."
          maxLength={maxNoteLength}
          autosize
          minRows={2}
        />
        <Others schedules={others} now={now} />
      </ApiForm>
    </SidePanel>
  )
}

function useScheduleForm({ name, target, isRunning, current, onClose }: FormProps) {
  const client = useQueryClient()
  // Back to what was set before.
  const undo = useMutation({
    mutationFn: () => (current?.status === 'PENDING' ? setSchedule(target, current) : cancelSchedule(target)),
    onSettled: () => refreshSchedules(client),
  })
  const faultAt = (field: 'date' | 'time') => (_text: string, values: Values) => {
    const fault = timeFault(values, new Date())
    return fault?.field === field ? fault.message : undefined
  }
  return useNewForm<Values, Date>({
    object: `schedule:${target.ruleId ?? target.flagId}:${target.envId}`,
    initial: valuesOf(current, isRunning),
    rules: { date: faultAt('date'), time: faultAt('time') },
    send: async (values) => {
      const { action, timezone, note } = values
      const runAt = momentOf(values, timezone)!.at
      await setSchedule(target, { action, runAt: runAt.toISOString(), timezone, note: note.trim() || null })
      return runAt
    },
    done: async (runAt, { action, timezone }) => {
      await refreshSchedules(client)
      const when = timeWords(runAt, timezone, new Date())
      announce(`${name} ${action === 'RUN' ? 'runs' : 'pauses'} ${when}.`, { undo: () => undo.mutate() })
      onClose()
    },
  })
}

/** Begins with what is set, or with the opposite of what is now; a time that is over must be chosen again. */
function valuesOf(current: ListedSchedule | undefined, isRunning: boolean): Values {
  if (!current) return { action: isRunning ? 'PAUSE' : 'RUN', date: '', time: '', timezone: ownZone(), note: '' }
  const { action, timezone, note } = current
  const runAt = new Date(current.runAt)
  const moment = runAt > new Date() ? clockTimeAt(runAt, timezone) : { date: '', time: '' }
  return { action, timezone, note: note ?? '', ...moment }
}

const ActionRadio = ({ value, label, form }: { value: ScheduleAction; label: string; form: Form<Values> }) => (
  <Radio
    name="action"
    value={value}
    label={label}
    checked={form.values.action === value}
    onChange={() => form.set('action', value)}
  />
)

interface ConsequenceProps {
  action: ScheduleAction
  ruleId: string | null
  isRunning: boolean
}

/** What visitors get at that time. */
function Consequence({ action, ruleId, isRunning }: ConsequenceProps) {
  const { inEnvironment, environment } = useTargeting()
  const pausedVariation = usePausedVariation()
  const isOfRule = ruleId !== null
  const what = isOfRule ? 'The rule' : 'The flag'
  const isLive = isOfRule
    ? inEnvironment.live.rules.some(({ id }) => id === ruleId)
    : inEnvironment.lastPublishedRevision !== null
  const goesLive = isLive
    ? 'Unpublished changes stay unpublished.'
    : isOfRule
      ? 'The draft of the rule at that time goes live. Other unpublished changes stay unpublished.'
      : `The first run publishes the draft in ${environment.name} at that time.`
  if ((action === 'RUN') === isRunning && !isOfRule)
    return (
      <Text size="sm" c="dimmed">
        {what} {isRunning ? 'runs' : 'is paused'} already. Nothing changes then, unless its switch is used before.
      </Text>
    )
  if (isOfRule && isRunning && action === 'RUN')
    return (
      <Notice tone="warning">
        The rule is switched on. It serves as soon as it is published, even before this time. Pause it first.
      </Notice>
    )
  if (action === 'PAUSE')
    return (
      <Text size="sm" c="dimmed">
        {isOfRule ? (
          'The rule stops serving. Its visitors get what the rules below say.'
        ) : (
          <>
            Every visitor in {environment.name} gets <strong>{pausedVariation}</strong>.
          </>
        )}
      </Text>
    )
  return (
    <Text size="sm" c="dimmed">
      {goesLive}
    </Text>
  )
}

/** The typed moment in words, with what the clocks do. It is read out when it changes. */
function When({ values, now }: { values: Values; now: Date }) {
  const at = momentOf(values, values.timezone)?.at
  const isAhead = at !== undefined && at > now
  const warnings = clockWarnings(values, now)
  return (
    <Stack gap="xs" className={classes.when ?? ''} role="status">
      {isAhead && (
        <Text size="sm">
          {values.action === 'RUN' ? 'Runs' : 'Pauses'} {timeWords(at, values.timezone, now)}.
        </Text>
      )}
      {warnings.length > 0 && <Notice tone="warning">{warnings.join(' ')}</Notice>}
    </Stack>
  )
}

/** What is set now. */
function Current({ schedule, target }: { schedule: ListedSchedule; target: ScheduleTarget }) {
  const now = useNow()
  const tones = { SUSPENDED: 'warning', FAILED: 'bad' } as const
  const tone = tones[schedule.status as keyof typeof tones]
  return (
    <Notice
      {...(tone && { tone })}
      title={`${scheduleSentence(schedule, now, ownZone())}.`.replace('..', '.')}
      actions={schedule.status !== 'FAILED' && <ScheduleButtons projectId={target.projectId} schedule={schedule} />}
    >
      {schedule.status === 'PENDING' && schedule.by && (
        <>
          Set by {schedule.by.name}, {momentWords(new Date(schedule.updatedAt), ownZone())}.
        </>
      )}
    </Notice>
  )
}

function Others({ schedules, now }: { schedules: readonly ListedSchedule[]; now: Date }) {
  const { params } = usePlace()
  const all = (
    <TextLink to="/$org/$project/history/schedules" params={params} size="sm">
      All schedules of the project
    </TextLink>
  )
  if (schedules.length === 0) return all
  return (
    <div>
      <Text size="sm" fw={600}>
        Also set for this flag
      </Text>
      <List size="sm">
        {schedules.map((each) => (
          <List.Item key={each.id}>
            {each.experiment?.name ?? each.rule?.name ?? 'The flag'} in {each.environment.name}:{' '}
            {scheduleSentence(each, now, ownZone())}
          </List.Item>
        ))}
      </List>
      {all}
    </div>
  )
}
