import { Stack } from '@mantine/core'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { useNow } from '../../../ui/time.tsx'
import { connectionOf } from '../../flags/environments/connection.ts'
import { type Flag, useFlagEnvironment, useRules } from '../../flags/flags/flag-queries.ts'
import { useMetrics } from '../metrics/metric.ts'
import { type Experiment, useExperiments } from './experiment.ts'
import classes from './launch-checklist.module.css'
import { type Check, checklistOf, overlapping, ruleInTheWay } from './set-up-steps.ts'

/** What the launch of an experiment depends on besides itself. */
export function useReadiness(experiment: Experiment, flag: Flag, environment: Environment) {
  const now = useNow()
  const { data: metrics } = useMetrics()
  const { data: experiments = [] } = useExperiments()
  const { data: inEnvironment } = useFlagEnvironment(flag, environment.id)
  const { data: rules } = useRules(flag, environment.id)
  return {
    place: environment.name,
    // Unknown is not paused: the launch says so if it is.
    isFlagRunning: inEnvironment?.content.enabled ?? true,
    isConnected: connectionOf(environment.lastHeartbeatAt, now) === 'CONNECTED',
    overlaps: overlapping(experiment, experiments),
    inTheWay: ruleInTheWay(experiment, rules?.data ?? [])?.name,
    metricOf: (key: string) => metrics?.find((metric) => metric.key === key)?.name ?? key,
  }
}

interface LaunchChecklistProps {
  experiment: Experiment
  flag: Flag
  environment: Environment
  readiness: Parameters<typeof checklistOf>[1]
  /** Opens a step of the set-up. */
  go: ((panel: string) => void) | undefined
}

/** What to see to before a launch, each with the place where it is mended. */
export function LaunchChecklist({ experiment, flag, environment, readiness, go }: LaunchChecklistProps) {
  return (
    <ul className={classes.list} aria-label="Before the launch">
      {checklistOf(experiment, readiness).map((check) => (
        <li key={check.words}>
          <Stack gap={2} align="flex-start">
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
