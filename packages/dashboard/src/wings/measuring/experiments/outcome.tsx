import { Text } from '@mantine/core'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import type { Status } from '../../../ui/status/status-words.ts'
import type { Experiment } from './experiment.ts'
import { glanceOf, type LiftGlance, liftGlanceOf } from './experiment-words.ts'

/** The result of an experiment in a few words, with the lift of its primary metric. */
export function Outcome({ experiment }: { experiment: Experiment }) {
  return (
    <div>
      <Glance {...glanceOf(experiment)} />
      <Lift lift={liftGlanceOf(experiment)} />
    </div>
  )
}

/** Only what is proven, or wrong, has a color. */
export function Glance({ tone, words }: Status) {
  return tone === 'note' ? <Text size="sm">{words}</Text> : <StatusBadge tone={tone}>{words}</StatusBadge>
}

/** The lift of the primary metric, and below it the interval. */
const Lift = ({ lift }: { lift: LiftGlance | undefined }) =>
  lift && (
    <Text size="xs" c="dimmed" component="div" mt={4}>
      <span dir="auto">{lift.words}</span>, {lift.interval}
    </Text>
  )
