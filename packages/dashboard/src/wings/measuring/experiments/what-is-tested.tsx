import { List, Text } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { percentText, whole } from '../../../ui/words/percent.ts'
import { useMetrics } from '../metrics/metric.ts'
import type { Experiment } from './experiment.ts'
import { pausingChecks } from './experiment-words.ts'

/** The winner that somebody has declared, as results show it. */
export function winnerOf({ winner, variations }: Experiment) {
  if (!winner) return undefined
  const { variationKey, declaredBy, declaredAt } = winner
  const variationId = variations.find(({ key }) => key === variationKey)?.id ?? ''
  return { variationId, by: declaredBy.name, at: declaredAt }
}

const roleWords = { primary: 'primary metric', secondary: 'secondary metric', guardrails: 'guardrail' } as const

/** The split, the metrics and the dates of an experiment. */
export function WhatIsTested({ experiment }: { experiment: Experiment }) {
  const { params } = usePlace()
  const metrics = useMetrics()
  const { variations, baselineVariationKey, trafficAllocation, statistics, createdAt, launchedAt, completedAt } =
    experiment
  const autoPauses = pausingChecks.flatMap(({ check, label }) => (experiment.autoPause[check] ? [label] : []))
  const moments: [string, string | null][] = [
    ['Created', createdAt],
    ['Launched', launchedAt],
    ['Completed', completedAt],
  ]
  return (
    <Section title="What is tested">
      {experiment.hypothesis && launchedAt !== null && <Text dir="auto">{experiment.hypothesis}</Text>}
      <List size="sm">
        <List.Item>
          {variations
            .map(
              ({ key, name, weight }) =>
                `${name} ${percentText(weight)} %${key === baselineVariationKey ? ' (baseline)' : ''}`,
            )
            .join(', ')}
        </List.Item>
        <List.Item>
          {trafficAllocation === whole ? 'All visitors' : `${percentText(trafficAllocation)} % of the visitors`} who
          match the {experiment.type === 'WEB' ? 'targeting of the experiment' : 'conditions of the rule'} take part
        </List.Item>
        {(['primary', 'secondary', 'guardrails'] as const).flatMap((role) =>
          experiment.metrics[role].map((key) => (
            <List.Item key={key}>
              <TextLink to="/$org/$project/metrics/$metric" params={{ ...params, metric: key }} underline="always">
                {metrics.data?.find((metric) => metric.key === key)?.name ?? key}
              </TextLink>
              , {roleWords[role]}
            </List.Item>
          )),
        )}
        {statistics.plannedUnitsPerVariation !== null && (
          <List.Item>
            {counted(statistics.plannedUnitsPerVariation, 'visitor is', 'visitors are')} planned in each variation
          </List.Item>
        )}
        {statistics.maxUnits !== null && (
          <List.Item>Health warns above {counted(statistics.maxUnits, 'visitor')}</List.Item>
        )}
        {autoPauses.length > 0 && <List.Item>Auto-pause when: {autoPauses.join('; ').toLowerCase()}</List.Item>}
        {moments.map(
          ([what, time]) =>
            time !== null && (
              <List.Item key={what}>
                {what} <Time time={time} isStop />
              </List.Item>
            ),
        )}
      </List>
    </Section>
  )
}
