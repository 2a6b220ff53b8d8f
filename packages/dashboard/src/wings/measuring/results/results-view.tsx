import { Button, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { type ByDimension, ByDimensionSection } from './by-dimension.tsx'
import { Computed } from './computed.tsx'
import { ProgressBar } from './drawings.tsx'
import type { MetricResult, Results, Settings } from './figures.ts'
import { healthOf } from './health.ts'
import { type Arms, MetricTable, VisitorsTable } from './metric-tables.tsx'
import { OverTimeSection } from './over-time.tsx'
import classes from './results.module.css'
import { breachesOf, inWindowWords, type Verdict, verdictOf, type Winner } from './verdict.ts'

interface ResultsViewProps {
  results: Results
  arms: Arms
  winner?: Winner | undefined
  /** What can be done, beside the verdict. */
  actions?: ReactNode
  /** Below the verdict: until when there is data. */
  freshness?: ReactNode
  /** What to do while there is no visitor. */
  whileWaiting?: ReactNode
  byDimension: ByDimension
}

const proven: Partial<Record<Verdict['tone'], string>> = { good: 'Proven', bad: 'Proven', warning: 'Check first' }

/** Results in the order in which they are to be read: verdict, health, what decides, guardrails, the rest. */
export function ResultsView({
  results,
  arms,
  winner,
  actions,
  freshness,
  whileWaiting,
  byDimension,
}: ResultsViewProps) {
  const now = useNow()
  const [isShownAnyway, setIsShownAnyway] = useState(false)
  const verdict = verdictOf(results, { nameOf: arms.nameOf, now, winner })
  const isUnhealthy = results.health.status === 'FAILED'
  const hasFigures = verdict.shows !== 'nothing' && (!isUnhealthy || isShownAnyway)
  return (
    <Stack gap="lg">
      <Section title={<span className={classes.headline}>{verdict.headline}</span>} actions={actions}>
        {verdict.isProven && proven[verdict.tone] && (
          <div>
            <StatusBadge tone={verdict.tone}>{proven[verdict.tone]}</StatusBadge>
          </div>
        )}
        <Stack gap={4}>
          {verdict.lines.map((line) => (
            <Text key={line}>{line}</Text>
          ))}
        </Stack>
        {verdict.shows !== 'nothing' && <Progress results={results} />}
        {freshness}
        {verdict.shows === 'nothing' && whileWaiting}
      </Section>
      <HealthSection results={results} arms={arms} />
      {isUnhealthy && !isShownAnyway && verdict.shows !== 'nothing' && (
        <div>
          <Button variant="default" onClick={() => setIsShownAnyway(true)}>
            Show anyway
          </Button>
        </div>
      )}
      {hasFigures && (
        <div className={isUnhealthy ? classes.grey : undefined}>
          <Figures {...{ results, arms, verdict, byDimension }} />
        </div>
      )}
      {verdict.shows !== 'nothing' && (
        <Section title="Visitors">
          <VisitorsTable results={results} arms={arms} />
          <Computed results={results} arms={arms} shows={hasFigures ? verdict.shows : 'nothing'} />
        </Section>
      )}
    </Stack>
  )
}

function Progress({ results: { progress, units } }: { results: Results }) {
  if (progress?.fraction == null || progress.plannedUnitsPerVariation === null) return null
  const smallest = progress.measuredUnits ?? Math.min(...units.variations.map((variation) => variation.units))
  return (
    <Stack gap={4}>
      <ProgressBar fraction={progress.fraction} />
      <Text size="sm" c="dimmed">
        {smallest.toLocaleString('en')} of {progress.plannedUnitsPerVariation.toLocaleString('en')} planned visitors in
        {units.variations.length > 2 ? ' the smallest' : ' the smaller'} variation have been measured
      </Text>
    </Stack>
  )
}

interface FiguresProps extends Pick<ResultsViewProps, 'results' | 'arms' | 'byDimension'> {
  verdict: Verdict
}

function Figures({ results, arms, verdict, byDimension }: FiguresProps) {
  const shows = verdict.shows === 'counts' ? 'counts' : 'figures'
  // Harm is proven at any time, also in a test that is read once at its end.
  const isHarmful = (metric: MetricResult) => breachesOf({ metrics: [metric] }).length > 0
  const tables = (role: MetricResult['role']) =>
    results.metrics
      .filter((metric) => metric.role === role)
      .map((metric) => (
        <MetricTable
          key={metric.metricId}
          metric={metric}
          results={results}
          arms={arms}
          shows={isHarmful(metric) ? 'figures' : shows}
          isProven={verdict.isProven}
          waiting={waitingFor(metric, results, verdict)}
        />
      ))
  const [primary, guardrails, secondary] = [tables('PRIMARY'), tables('GUARDRAIL'), tables('SECONDARY')]
  return (
    <Stack gap="lg">
      {primary.length > 0 && (
        <Section
          title={primary.length === 1 ? 'Primary metric' : 'Primary metrics'}
          description={shows === 'figures' && results.settings ? intervalWords(results.settings) : undefined}
        >
          {primary}
        </Section>
      )}
      {guardrails.length > 0 && (
        <Section title="Guardrails" description="They must not get worse than their margins allow.">
          {guardrails}
        </Section>
      )}
      {secondary.length > 0 && (
        <Section title="Secondary" description="Exploratory: they decide nothing.">
          <Disclosure summary={secondary.length === 1 ? 'Show the metric' : `Show ${secondary.length} metrics`}>
            <Stack gap="md">{secondary}</Stack>
          </Disclosure>
        </Section>
      )}
      {shows === 'figures' && results.timeseries && (
        <OverTimeSection days={results.timeseries} metrics={results.metrics} arms={arms} />
      )}
      {shows === 'figures' && <ByDimensionSection {...byDimension} {...{ results, arms }} />}
    </Stack>
  )
}

/** Who does not count for a metric yet. The verdict says it itself while it waits for the first primary metric. */
function waitingFor(metric: MetricResult, results: Results, { lines }: Verdict): string | undefined {
  const words = inWindowWords(results, metric)
  const isSaid = metric === results.metrics.find(({ role }) => role === 'PRIMARY') && words && lines.includes(words)
  return isSaid ? undefined : words
}

/** The sentence about intervals, which the page shows once. */
function intervalWords({ alpha, test }: Settings): string {
  const sure = Math.round((1 - alpha) * 100)
  const when = test === 'SEQUENTIAL' ? 'Safe to check at any time' : 'Valid once, at the end of the test'
  return `${sure} % confidence interval. ${when}.`
}

function HealthSection({ results, arms }: { results: Results; arms: Arms }) {
  const { summary, tone, problems, others } = healthOf(results, arms.nameOf)
  if (results.health.checks.length === 0) return null
  return (
    <Section title="Health">
      {problems.map(({ check, tone, words, advice }) => (
        <Notice key={check} tone={tone} title={check}>
          {words} {advice}
        </Notice>
      ))}
      <Disclosure summary={<StatusDot tone={tone}>{summary}</StatusDot>}>
        <ul className={classes.checks}>
          {others.map(({ check, tone, words }) => (
            <li key={check}>
              <StatusDot tone={tone}>
                {check}: {words}
              </StatusDot>
            </li>
          ))}
        </ul>
      </Disclosure>
    </Section>
  )
}
