import type { Tone } from '../../../../ui/status/status-words.ts'
import { type Axis, axisOf } from '../axis.ts'
import type { Comparison, MetricResult, Results, VariationResult } from '../figures.ts'
import { type Interval, intervalOf } from '../interval.ts'
import { isTooFew } from '../too-few.ts'
import { guardrailWords, type Verdict } from '../verdict.ts'

/** A variation in one metric, against the baseline. */
export interface MetricRow {
  metric: MetricResult
  row: VariationResult
  comparison: Comparison
  baseline: VariationResult | undefined
  /** Whether its figures can be shown yet, besides the counts. */
  isOpen: boolean
  reading: Reading
  /** The interval of the lift, if there is one. */
  interval: Interval | undefined
}

/** What a row says. Only what is proven has a color, and the words say the same without it. */
export interface Reading {
  tone: Tone
  words: string
  /** Of a guardrail: what holds, or is missing. */
  more?: string
}

export interface MetricGroup {
  role: MetricResult['role']
  title: string
  /** What the metrics of the group do for the verdict. */
  means: string
  metrics: { metric: MetricResult; rows: MetricRow[] }[]
}

const groups: Record<MetricResult['role'], { one: string; many: string; means: string }> = {
  PRIMARY: { one: 'Primary metric', many: 'Primary metrics', means: 'The verdict follows from it' },
  GUARDRAIL: { one: 'Guardrail', many: 'Guardrails', means: 'Must not get worse than its margin allows' },
  SECONDARY: { one: 'Secondary metric', many: 'Secondary metrics', means: 'Exploratory, decides nothing' },
}
const roles = ['PRIMARY', 'GUARDRAIL', 'SECONDARY'] as const

type Shown = Pick<Verdict, 'isProven' | 'shows'>

/** The rows of the table of results, in the order in which they are to be read. */
export function groupsOf({ metrics, settings }: Pick<Results, 'metrics' | 'settings'>, verdict: Shown): MetricGroup[] {
  return roles.flatMap((role) => {
    const own = metrics.filter((metric) => metric.role === role)
    const { one, many, means } = groups[role]
    return own.length === 0
      ? []
      : [
          {
            role,
            title: own.length === 1 ? one : many,
            means,
            metrics: own.map((metric) => ({ metric, rows: rowsOf(metric, settings, verdict) })),
          },
        ]
  })
}

function rowsOf(metric: MetricResult, settings: Results['settings'], verdict: Shown): MetricRow[] {
  const baseline = metric.variations.find(({ comparison }) => comparison === null)
  // Harm is proven at any time, also in a test that is read once at its end.
  const isHarmful = metric.variations.some(({ comparison }) => comparison?.guardrail?.state === 'BREACHED')
  return metric.variations.flatMap((row) => {
    const { comparison } = row
    if (!comparison) return []
    const isOpen = (verdict.shows === 'figures' || isHarmful) && !isTooFew(comparison.status)
    const interval = isOpen ? intervalOf(metric, comparison) : undefined
    return [
      {
        ...{ metric, row, comparison, baseline, isOpen },
        reading: isOpen
          ? readingOf(metric, comparison, verdict)
          : { tone: 'note', words: closedWords(comparison, settings) },
        interval: interval?.isLift ? interval : undefined,
      },
    ]
  })
}

const closedWords = ({ status }: Comparison, settings: Results['settings']): string =>
  !isTooFew(status) && settings?.test === 'FIXED_HORIZON' ? 'Opens at its end' : 'Collecting data'

/** What an open comparison says. */
export function readingOf(
  metric: Pick<MetricResult, 'role' | 'direction'>,
  comparison: Comparison,
  { isProven }: Pick<Verdict, 'isProven'>,
): Reading {
  const { guardrail, significant } = comparison
  if (guardrail) {
    const more = guardrailWords(metric, comparison)
    if (guardrail.state === 'BREACHED') return { tone: 'bad', words: 'Breached', more }
    return guardrail.state === 'PASSED' ? { tone: 'good', words: 'Holds', more } : { tone: 'note', words: 'Open', more }
  }
  if (!significant) return { tone: 'note', words: 'No difference shown' }
  const isGood = (comparison.difference.estimate ?? 0) > 0 === (metric.direction === 'INCREASE')
  if (!isProven) return { tone: 'note', words: isGood ? 'Ahead so far' : 'Behind so far' }
  return isGood ? { tone: 'good', words: 'Better' } : { tone: 'bad', words: 'Worse' }
}

/** How far the axis goes at most: so many times as far as the intervals of the primary metrics. */
const roomBeyondPrimary = 1.5

/**
 * One axis of lifts for all metrics. It holds every estimate, and the intervals of the primary metrics; much wider ones
 * are cut, so that one metric with few conversions does not flatten all others.
 */
export function sharedAxis(rows: readonly Pick<MetricRow, 'interval' | 'metric'>[]): Axis {
  const drawn = rows.flatMap(({ interval, metric }) => (interval ? [{ ...interval, role: metric.role }] : []))
  const primary = drawn.filter(({ role }) => role === 'PRIMARY')
  const most = Math.max(
    ...(primary.length > 0 ? primary : drawn).flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]),
  )
  const limit = most * roomBeyondPrimary
  const within = (value: number) => Math.min(limit, Math.max(-limit, value))
  return axisOf(drawn.flatMap(({ estimate, low, high }) => [estimate, within(low), within(high)]))
}
