import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { connectionOf } from '../../flags/environments/connection.ts'
import { type Flag, useFlagEnvironment, useRules } from '../../flags/flags/flag-queries.ts'
import { useMetrics } from '../metrics/metric.ts'
import { type Experiment, onePath, useExperiments, useMayTest } from './experiment.ts'
import classes from './launch-checklist.module.css'
import { type Check, checklistOf, overlapping } from './set-up-steps.ts'

/** What the launch of an experiment depends on besides itself. */
export function useReadiness(experiment: Experiment, flag: Flag, environment: Environment) {
  const now = useNow()
  const { data: metrics } = useMetrics()
  const { data: experiments = [] } = useExperiments()
  const { data: inEnvironment } = useFlagEnvironment(flag, environment.id)
  const warnings = useLaunchWarnings(experiment, flag, environment)
  return {
    place: environment.name,
    // Unknown is not paused: the launch says so if it is.
    isFlagRunning: inEnvironment?.content.enabled ?? true,
    isConnected: connectionOf(environment.lastHeartbeatAt, now) === 'CONNECTED',
    overlaps: overlapping(experiment, experiments),
    inTheWay: warnings?.find(({ code }) => code === 'NO_VISITORS')?.message,
    metricOf: (key: string) => metrics?.find((metric) => metric.key === key)?.name ?? key,
  }
}

const launchPath = `${onePath}/launch` as const

/** What a launch would warn of. It depends on the rules that serve, so it is asked again whenever one changes. */
function useLaunchWarnings({ id, projectId, status, updatedAt }: Experiment, flag: Flag, environment: Environment) {
  const mayTest = useMayTest()
  const { data: inEnvironment } = useFlagEnvironment(flag, environment.id)
  const { data: rules } = useRules(flag, environment.id)
  const path = { projectId, experimentId: id }
  const serving = rules?.data.flatMap((rule) => (rule.enabled ? [rule.id] : []))
  const { data } = useQuery({
    queryKey: ['get', launchPath, path, updatedAt, inEnvironment?.etag, inEnvironment?.content.enabled, serving],
    queryFn: async ({ signal }) =>
      (await api.POST(launchPath, { params: { path, header: onlyOnce() }, body: { dryRun: true }, signal })).data!.data,
    enabled: mayTest && status === 'DRAFT' && inEnvironment !== undefined && serving !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data?.warnings
}

interface LaunchChecklistProps {
  experiment: Experiment
  flag: Flag
  environment: Environment
  readiness: Parameters<typeof checklistOf>[1]
  /** Opens a step of the set-up. */
  go: ((panel: string) => void) | undefined
}

/** What to do before a launch, each with the place where it can be fixed. */
export function LaunchChecklist({ experiment, flag, environment, readiness, go }: LaunchChecklistProps) {
  return (
    <ul className={classes.list} aria-label="Before the launch">
      {checklistOf(experiment, readiness).map((check) => (
        <li key={check.words}>
          <Stack gap={2} align="flex-start" className={classes.check ?? ''}>
            <StatusDot tone={check.tone}>{check.words}</StatusDot>
            <Mend check={check} flag={flag} environment={environment} go={go} />
          </Stack>
        </li>
      ))}
    </ul>
  )
}

function Mend({
  check: { at },
  flag,
  environment,
  go,
}: Pick<LaunchChecklistProps, 'flag' | 'environment' | 'go'> & { check: Check }) {
  const { params } = usePlace()
  if (at === undefined) return null
  const search = { env: environment.key } as never
  if (at === 'flag')
    return (
      <TextLink
        to="/$org/$project/flags/$flag"
        params={{ ...params, flag: flag.key }}
        search={search}
        underline="always"
      >
        Go to {flag.name}
      </TextLink>
    )
  if (at === 'connect')
    return (
      <TextLink to="/$org/$project/connect" params={params} search={search} underline="always">
        Connect your SDK
      </TextLink>
    )
  return (
    go && (
      <button type="button" className={classes.mend} onClick={() => go(at)}>
        {mendWords[at]}
      </button>
    )
  )
}

const mendWords = {
  goal: 'Change the goal',
  variations: 'Change the variations',
  who: 'Change who takes part',
  size: 'Plan the size',
  review: 'Review',
}
