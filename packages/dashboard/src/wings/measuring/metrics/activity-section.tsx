import { NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useEnvironment } from '../../../shell/environment.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Figures } from '../../../ui/layout/facts.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { dayText } from '../../../ui/time/dates.ts'
import { ago } from '../../../ui/time/distance.ts'
import { useNow } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { baseUrlOf } from '../../flags/connect/snippets.ts'
import { mean } from '../results/figures.ts'
import {
  type Activity,
  type ArrivedEvent,
  activityPath,
  eventsInWords,
  lacksValues,
  meanValue,
  totalOf,
  valueNow,
} from './activity-words.ts'
import { DayBars } from './day-bars.tsx'
import type { Metric } from './metric-words.ts'
import { trackSnippets } from './track-snippets.ts'

const readEveryMs = 10_000

function useActivity(metric: Metric, envId: string) {
  const { project } = usePlace()
  const path = { projectId: project.id, metricId: metric.id, envId }
  return useQuery({
    queryKey: ['get', activityPath, path],
    queryFn: async ({ signal }) => (await api.GET(activityPath, { params: { path }, signal })).data!.data,
    enabled: useMay('results:read'),
    // Somebody who has just written the call waits for its first event.
    refetchInterval: readEveryMs,
  })
}

/** Whether events arrive, what the metric is now, and the call that sends them. */
export function ActivitySection({ metric }: { metric: Metric }) {
  const { environment, environments, choose } = useEnvironment()
  const query = useActivity(metric, environment.id)
  const mayRead = useMay('results:read')
  return (
    <Section
      title="Events"
      description={`What arrived in ${environment.name} in the last 30 days, by day (UTC).`}
      actions={
        environments.length > 1 && (
          <NativeSelect
            aria-label="Environment"
            value={environment.key}
            onChange={(event) => choose(event.currentTarget.value)}
            data={environments.map(({ key, name }) => ({ value: key, label: name }))}
          />
        )
      }
    >
      {mayRead ? (
        <Loaded query={query} lines={6}>
          {(activity) => <Arrivals metric={metric} activity={activity} />}
        </Loaded>
      ) : (
        <OnlyFor>You cannot see figures. Analysts, editors and admins can.</OnlyFor>
      )}
      <TheCall metric={metric} environment={environment} />
    </Section>
  )
}

function Arrivals({ metric, activity }: { metric: Metric; activity: Activity }) {
  const { event, denominator, figures } = activity
  const now = useNow()
  if (!event)
    return (
      <Text size="sm">
        This metric counts orders. The page Orders shows what arrived, and results compute the metric from it.
      </Text>
    )
  const value = valueNow(metric, activity)
  const each = meanValue(event)
  const last = event.lastAt === null ? 'Never' : ago(new Date(event.lastAt), now)
  return (
    <Stack gap="md">
      <Figures
        figures={[
          ['Events in 30 days', totalOf(event)],
          ['Last event', last],
          ...(metric.valueFrom === 'value' && each !== undefined
            ? [['Mean value of an event', mean({ type: 'MEAN', unit: metric.unit }, each)] as const]
            : []),
          ['Value in tests now', value ?? 'Not measured'],
        ]}
      />
      {event.lastAt === null && (
        <Notice tone="warning" title={`No ${event.eventKey} has arrived here in 30 days`}>
          Send it with the call below. The key must be the same, letter for letter, and the event must go to this
          environment.
        </Notice>
      )}
      {lacksValues(metric, event) && (
        <Notice tone="warning" title="No event has a value">
          The metric adds up values, so it stays 0. Send a value with each event.
        </Notice>
      )}
      {denominator?.lastAt === null && (
        <Notice tone="warning" title={`No ${denominator.eventKey} has arrived here in 30 days`}>
          The metric divides by it, so it has no value without it.
        </Notice>
      )}
      <Days event={event} />
      {denominator && denominator.eventKey !== event.eventKey && <Days event={denominator} />}
      <Text size="sm" c="dimmed">
        {figures
          ? `The value is that of ${counted(figures.units, 'visitor')} of a test in the last 14 days, over all its variations.`
          : 'A value is measured per visitor of a test, so it is there once a test with this metric has visitors.'}
      </Text>
    </Stack>
  )
}

function Days({ event }: { event: ArrivedEvent }) {
  const hasValues = event.days.some(({ valued }) => valued > 0)
  if (totalOf(event) === 0) return null
  return (
    <Stack gap="xs">
      <DayBars event={event} />
      <Text size="sm">{eventsInWords(event)}</Text>
      <Disclosure summary="Show as table">
        <DataTable
          caption={`${event.eventKey} by day`}
          rows={event.days.toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { title: 'Day', cell: ({ day }) => dayText(day) },
            { title: 'Events', cell: ({ events }) => events.toLocaleString('en') },
            ...(hasValues
              ? [
                  {
                    title: 'Sum of values',
                    cell: ({ valueSum }: { valueSum: number }) =>
                      valueSum.toLocaleString('en', { maximumFractionDigits: 2 }),
                  },
                ]
              : []),
          ]}
        />
      </Disclosure>
    </Stack>
  )
}

interface TheCallProps {
  metric: Metric
  environment: { name: string; sdkKey: string; dataFile: { url: string } }
}

function TheCall({ metric, environment }: TheCallProps) {
  const { eventKey, trigger } = metric
  if (eventKey === 'order' || eventKey.startsWith('order.')) return null
  const where = { baseUrl: baseUrlOf(environment.dataFile.url), sdkKey: environment.sdkKey }
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {trigger ? 'Send it from a program, too' : 'Send it'}
      </Text>
      <Text size="sm" c="dimmed">
        <code>u-17</code> stands for the id of the visitor: the same that gets the flag.
      </Text>
      <CodeSnippet label={`Send ${eventKey} to ${environment.name}`} snippets={trackSnippets(metric, where)} />
    </Stack>
  )
}
