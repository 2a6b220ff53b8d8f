import { Button, Stack, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'
import { type ByDimension, ByDimensionSection } from './by-dimension.tsx'
import { Computed } from './computed.tsx'
import { ProgressBar } from './drawings.tsx'
import type { Results, Settings } from './figures.ts'
import { type Health, healthOf } from './health.ts'
import { type Arms, VisitorsTable } from './metric-tables.tsx'
import { nextStepOf } from './next-step.ts'
import { OverTimeSection } from './over-time.tsx'
import classes from './results.module.css'
import { groupsOf } from './table/metric-rows.ts'
import { MetricsTable } from './table/metrics-table.tsx'
import { notesOf } from './table/notes.ts'
import { ViewSwitch } from './table/view-switch.tsx'
import { breachesOf, type Verdict, verdictOf, type Winner } from './verdict.ts'
import type { View } from './view.ts'

// Few people share, and menus are large.
const ShareMenu = lazy(() => import('./report/share-menu.tsx'))

interface ResultsViewProps {
  results: Results
  arms: Arms
  view: View
  winner?: Winner | undefined
  /** What can be done, beside the verdict. */
  actions?: ReactNode
  /** What was tested, for a picture of the results. */
  title?: string
  /** Below the verdict: until when there is data, with ways to share it. */
  freshness?: (share: ReactNode) => ReactNode
  /** What to do while there is no visitor. */
  whileWaiting?: ReactNode
  byDimension: ByDimension
}

const proven: Partial<Record<Verdict['tone'], string>> = { good: 'Proven', bad: 'Proven', warning: 'Check first' }

/** Results in the order in which they are to be read: verdict and next step, problems, all metrics, the rest. */
export function ResultsView(props: ResultsViewProps) {
  const { results, arms, winner, view, byDimension } = props
  const now = useNow()
  const [isShownAnyway, setIsShownAnyway] = useState(false)
  const verdict = verdictOf(results, { nameOf: arms.nameOf, now, winner })
  const health = healthOf(results, arms.nameOf, breachesOf(results).length > 0)
  const isUnhealthy = results.health.status === 'FAILED'
  const hasFigures = verdict.shows !== 'nothing' && (!isUnhealthy || isShownAnyway)
  return (
    <Stack gap="lg">
      <VerdictSection {...props} verdict={verdict} health={health} />
      {health.problems.length > 0 && <HealthSection health={health} />}
      {isUnhealthy && !isShownAnyway && verdict.shows !== 'nothing' && (
        <div>
          <Button variant="default" onClick={() => setIsShownAnyway(true)}>
            Show anyway
          </Button>
        </div>
      )}
      {hasFigures && (
        <div className={isUnhealthy ? classes.grey : undefined}>
          <Figures {...{ results, arms, verdict, view, byDimension }} />
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

/** The verdict, why, and what to do now. */
function VerdictSection({
  results,
  arms,
  winner,
  verdict,
  health,
  actions,
  title = '',
  freshness,
  whileWaiting,
}: ResultsViewProps & { verdict: Verdict; health: Health }) {
  const next = nextStepOf(results, { nameOf: arms.nameOf, winner })
  const [reason, ...others] = verdict.lines
  const report = () => ({
    ...{ title, arms, headline: verdict.headline },
    lines: [...verdict.lines, ...(next ? [`Next step: ${next}`] : [])],
    interval: results.settings ? intervalWords(results.settings) : '',
    groups: results.health.status === 'FAILED' ? [] : groupsOf(results, verdict),
  })
  const mark = verdict.isProven && proven[verdict.tone]
  return (
    <Section
      title={<span className={classes.headline}>{verdict.headline}</span>}
      actions={actions}
      {...(mark && { description: <StatusBadge tone={verdict.tone}>{mark}</StatusBadge> })}
    >
      <Stack gap={4}>
        {reason && <Text dir="auto">{reason}</Text>}
        {next && (
          <Text>
            <b>Next step:</b> {next}
          </Text>
        )}
        {others.map((line) => (
          <Text key={line} size="sm" c="dimmed" dir="auto">
            {line}
          </Text>
        ))}
      </Stack>
      {verdict.shows !== 'nothing' && <Progress results={results} />}
      {health.problems.length === 0 && results.health.checks.length > 0 && <Checks health={health} />}
      {freshness?.(
        <Suspense>
          <ShareMenu name={fileNameOf(title)} report={report} />
        </Suspense>,
      )}
      {verdict.shows === 'nothing' && whileWaiting}
    </Section>
  )
}

const fileNameOf = (title: string): string =>
  `results-${title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}`.replace(/-$/, '')

function Progress({ results: { progress, units } }: { results: Results }) {
  if (progress?.fraction == null || progress.plannedUnitsPerVariation === null) return null
  const smallest = progress.measuredUnits ?? Math.min(...units.variations.map((variation) => variation.units))
  return (
    <Stack gap={4}>
      <ProgressBar fraction={progress.fraction} />
      <Text size="sm" c="dimmed">
        {smallest.toLocaleString('en')} of {counted(progress.plannedUnitsPerVariation, 'planned visitor')} in
        {units.variations.length > 2 ? ' the smallest' : ' the smaller'} variation {smallest === 1 ? 'has' : 'have'}{' '}
        been measured
      </Text>
    </Stack>
  )
}

interface FiguresProps extends Pick<ResultsViewProps, 'results' | 'arms' | 'view' | 'byDimension'> {
  verdict: Verdict
}

function Figures({ results, arms, verdict, view, byDimension }: FiguresProps) {
  const shows = verdict.shows === 'counts' ? 'counts' : 'figures'
  const groups = groupsOf(results, verdict)
  const baseline = results.units.variations.find(({ isBaseline }) => isBaseline)
  const notes = notesOf(results, verdict, groups)
  return (
    <Stack gap="lg">
      {groups.length > 0 && (
        <Section
          title="Metrics"
          description={shows === 'figures' && results.settings ? intervalWords(results.settings) : undefined}
          actions={shows === 'figures' && <ViewSwitch view={view} />}
        >
          <MetricsTable
            groups={groups}
            arms={arms}
            view={view}
            baseline={baseline ? arms.nameOf(baseline.variationId) : 'Baseline'}
          />
          {notes.map((words) => (
            <Text key={words} size="sm" c="dimmed">
              {words}
            </Text>
          ))}
          {view === 'statistics' && shows === 'figures' && (
            <Text size="sm" c="dimmed">
              The chance to be better is not used for the verdict: read often, it is wrong more often than it says.
            </Text>
          )}
        </Section>
      )}
      {shows === 'figures' && results.timeseries && (
        <OverTimeSection days={results.timeseries} metrics={results.metrics} arms={arms} />
      )}
      {shows === 'figures' && <ByDimensionSection {...byDimension} {...{ results, arms }} />}
    </Stack>
  )
}

/** The sentence about intervals, which the page shows once. */
function intervalWords({ alpha, test }: Settings): string {
  const sure = Math.round((1 - alpha) * 100)
  const when = test === 'SEQUENTIAL' ? 'Safe to check at any time' : 'Valid once, at the end of the test'
  return `Lift against the baseline with its ${percent(sure)} confidence interval. ${when}.`
}

function HealthSection({ health }: { health: Health }) {
  return (
    <Section title="Health">
      {health.problems.map(({ check, tone, words, advice }) => (
        <Notice key={check} tone={tone} title={check}>
          {words} {advice}
        </Notice>
      ))}
      <Checks health={health} />
    </Section>
  )
}

/** The checks that are fine, behind a sentence. */
const Checks = ({ health: { summary, tone, others } }: { health: Health }) => (
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
)
