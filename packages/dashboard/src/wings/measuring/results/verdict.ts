import type { Tone } from '../../../ui/status/status-words.ts'
import { ago } from '../../../ui/time/distance.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { hoursInWords } from '../metrics/metric-words.ts'
import { excludedWords } from './excluded.ts'
import { type Comparison, change, dayOf, difference, type MetricResult, ofPlan, type Results } from './figures.ts'
import { healthOf } from './health.ts'
import { isTooFew } from './too-few.ts'

export interface Verdict {
  headline: string
  lines: string[]
  tone: Tone
  /** What a reader can see without being misled: nothing, the raw counts, or all figures. */
  shows: 'nothing' | 'counts' | 'figures'
  /** Whether something is proven. Only then can figures have colors. */
  isProven: boolean
}

export interface Winner {
  variationId: string
  /** The name of the person. */
  by: string
  at: string
}

export interface VerdictContext {
  nameOf: (variationId: string) => string
  now: Date
  winner?: Winner | undefined
}

interface Judged {
  metric: MetricResult
  variationId: string
  comparison: Comparison
}

const note = { tone: 'note' as const, shows: 'figures' as const, isProven: false }

/** What the results say, in words that grow with the data. The first row that fits. */
export function verdictOf(results: Results, context: VerdictContext): Verdict {
  if (context.winner) return chosen(results, context.winner, context)
  return verdictOfFigures(results, context)
}

function verdictOfFigures(results: Results, context: VerdictContext): Verdict {
  const { recommendation, health, units, ruleStatus } = results
  const isUnhealthy = health.status === 'FAILED'
  if (!recommendation)
    return { ...note, headline: 'A rollout compares nothing.', lines: ['Its visitors are counted.'], shows: 'counts' }
  if (units.total === 0 && !isUnhealthy) return waiting(results, context)
  if (isUnhealthy) return unhealthy(results, context)
  if (breachesOf(results).length > 0) return harm(results, context)
  const primary = judgedOf(results, 'PRIMARY')
  if (primary.length === 0)
    return {
      ...note,
      headline: 'This test has no primary metric.',
      lines: [
        ruleStatus === 'COMPLETED'
          ? 'Visitors were counted, without a primary metric.'
          : 'Visitors are counted. Choose a primary metric in the test and publish it.',
      ],
    }
  if (primary.every(({ comparison: { status } }) => isTooFew(status))) return collecting(results)
  if (isClosed(results)) return closed(results)
  return judged(results, primary, context)
}

function judged(results: Results, primary: Judged[], context: VerdictContext): Verdict {
  const { recommendation, settings } = results
  const better = sorted(primary.filter(({ comparison }) => comparison.significant)).filter((each) => good(each) > 0)
  const worse = primary.filter((each) => each.comparison.significant && good(each) < 0)
  switch (recommendation?.action) {
    case 'SHIP':
      return ship(results, better, context)
    case 'REVIEW':
      return review(results, better, worse, context)
    case 'ROLLBACK':
      return {
        headline: 'Worse than the baseline.',
        lines: worse.map((each) => liftLine(each, context)),
        tone: 'bad',
        shows: 'figures',
        isProven: true,
      }
    case 'NO_EFFECT':
      return noEffect(results, worse, context)
  }
  if (recommendation?.reasons.includes('MIN_RUNTIME_NOT_REACHED')) return early(results, primary, context)
  if (worse.length > 0)
    return {
      ...note,
      headline: 'No variation is better yet.',
      lines: [...worse.map((each) => `${liftLine(each, context)} That is worse.`), ...progressLines(results)],
    }
  const alone = primary.filter((each) => excludesZero(each.comparison) && !each.comparison.significant)
  const lines =
    alone.length > 0 && settings
      ? [
          `${liftLine(sorted(alone)[0]!, context)} That excludes zero by itself, but not after the correction for ${counted(primary.length, 'comparison')}.`,
        ]
      : []
  return { ...note, headline: 'No difference shown yet.', lines: [...lines, ...progressLines(results)] }
}

function waiting({ ruleStatus, startedAt, units: { excluded } }: Results, { now }: VerdictContext): Verdict {
  if (ruleStatus === 'DRAFT' || startedAt === null)
    return {
      ...note,
      headline: 'This test has not started.',
      lines: ['From its start on, visitors are counted.'],
      shows: 'nothing',
    }
  const ignored = excludedWords(excluded)
  return {
    ...note,
    headline: ruleStatus === 'COMPLETED' ? 'Ended without a visitor.' : 'Waiting for the first visitor.',
    lines: [
      `Started ${ago(new Date(startedAt), now)}.`,
      ...(ignored.length > 0 ? [`Seen, but not counted: ${allOf(ignored)}.`] : []),
    ],
    shows: 'nothing',
  }
}

function unhealthy(results: Results, context: VerdictContext): Verdict {
  return {
    headline: 'Do not use these results.',
    lines: [
      ...healthOf(results, context.nameOf)
        .problems.filter(({ tone }) => tone === 'bad')
        .map(({ words }) => words),
      ...breachesOf(results).map((each) => breachLine(each, context)),
    ],
    tone: 'bad',
    shows: 'figures',
    isProven: false,
  }
}

/** The guardrails that are proven to be worse. */
export const breachesOf = (results: Pick<Results, 'metrics'>): Judged[] =>
  judgedOf(results, 'GUARDRAIL').filter(({ comparison }) => comparison.guardrail?.state === 'BREACHED')

/** Harm is reported at once, regardless of everything else. */
function harm(results: Results, context: VerdictContext): Verdict {
  const breaches = breachesOf(results)
  const names = (of: (breach: Judged) => string) => allOf([...new Set(breaches.map(of))], 3)
  const better = sorted(judgedOf(results, 'PRIMARY').filter((each) => each.comparison.significant && good(each) > 0))
  const tooEarly = isClosed(results)
  return {
    headline: `${names(({ variationId }) => context.nameOf(variationId))} ${new Set(breaches.map(({ variationId }) => variationId)).size === 1 ? 'makes' : 'make'} ${names(({ metric }) => metric.name)} worse.`,
    lines: [
      ...breaches.map((each) => breachLine(each, context)),
      ...(tooEarly ? [] : better.map((each) => `${liftLine(each, context)} That is better.`)),
      ...(results.ruleStatus === 'RUNNING' ? [] : ['Visitors do not get it now.']),
    ],
    tone: 'bad',
    shows: tooEarly ? 'counts' : 'figures',
    isProven: true,
  }
}

function collecting(results: Results): Verdict {
  const { settings, metrics, ruleStatus } = results
  const primary = metrics.filter(({ role }) => role === 'PRIMARY')
  const metric = primary[0]
  const least = (of: (variation: MetricResult['variations'][number]) => number) =>
    Math.min(...(metric?.variations ?? []).map(of))
  const seen = least((variation) => variation.units)
  const conversions = metric && conversionsOf(metric)
  const [minUnits, minConversions] = [settings?.minUnits ?? 0, settings?.minConversions ?? 0]
  const counts = [
    `${seen.toLocaleString('en')} of ${counted(minUnits, 'visitor')} in the smaller variation`,
    ...(conversions === undefined
      ? []
      : [`${conversions.toLocaleString('en')} of ${counted(minConversions, 'conversion')} in both`]),
  ]
  const isTooLate = cameTooLate(results)
  const waiting = metric && inWindowWords(results, metric)
  const shown = [`${counts.join(', ')}.`, ...(waiting ? [waiting] : [])]
  const isOver = isTooLate || (ruleStatus === 'COMPLETED' && !waiting)
  return {
    ...note,
    // Visitors still count after the end, until their windows are over.
    headline: isOver
      ? 'Ended with too little data.'
      : ruleStatus === 'PAUSED'
        ? 'Paused with too little data.'
        : 'Collecting data.',
    lines: [
      // While every visitor is inside the window, zeros first would say that nobody is in the test.
      ...(seen === 0 ? shown.toReversed() : shown),
      ...(isTooLate ? ['The primary metrics were added after the events of these visitors had been deleted.'] : []),
    ],
    shows: 'counts',
  }
}

/** The conversions of the baseline and the variation with the fewest. Undefined if they were not counted. */
export function conversionsOf({ type, variations }: MetricResult): number | undefined {
  const of = (row: MetricResult['variations'][number]) => row.converted ?? (type === 'PROPORTION' ? row.sum : undefined)
  const [baseline, ...others] = variations.toSorted((one) => (one.comparison === null ? -1 : 1)).map(of)
  const known = others.filter((count) => count !== undefined)
  return baseline === undefined || known.length < others.length ? undefined : baseline + Math.min(...known)
}

/** Who is in the test, but does not count for a metric yet. Undefined if everyone counts who ever will. */
export function inWindowWords(
  results: Pick<Results, 'settings' | 'units' | 'progress' | 'ruleStatus' | 'endedAt'>,
  { variations, waitingUnits }: Pick<MetricResult, 'variations' | 'waitingUnits'>,
): string | undefined {
  const { settings, units } = results
  if (cameTooLate(results)) return undefined
  // Results from before this count are computed again soon, or their test has ended.
  const count = waitingUnits ?? units.total - variations.reduce((sum, variation) => sum + variation.units, 0)
  if (settings?.inProgressConversions !== 'EXCLUDE' || count <= 0) return undefined
  const window = windowWords(settings.conversionWindowHours)
  const are = count === 1 ? `is still inside the ${window} and counts` : `are still inside the ${window} and count`
  return `${counted(count, 'visitor')} ${are} later.`
}

/** "7-day window". Metrics can have different ones. */
const windowWords = (hours: number | null): string =>
  hours === null ? 'conversion window' : `${hoursInWords(hours).replace(/s$/, '').replace(' ', '-')} window`

/** A test with a fixed length is read once. */
const isClosed = (results: Results): boolean =>
  results.settings?.test === 'FIXED_HORIZON' && stageOf(results) !== 'FINAL'

/** How far the test is. Older results without this belong to a test that has ended, or are soon computed again. */
const stageOf = (results: Pick<Results, 'progress' | 'ruleStatus' | 'endedAt'>) =>
  results.progress?.stage ?? (hasEnded(results) ? 'FINAL' : 'COLLECTING')

const hasEnded = ({ ruleStatus, endedAt }: Pick<Results, 'ruleStatus' | 'endedAt'>): boolean =>
  ruleStatus === 'COMPLETED' || endedAt !== null

/** A test that has ended waits for visitors only if its primary metrics could not measure those that it had. */
const cameTooLate = (results: Pick<Results, 'progress' | 'ruleStatus' | 'endedAt'>): boolean =>
  hasEnded(results) && stageOf(results) === 'COLLECTING'

function closed(results: Results): Verdict {
  if (cameTooLate(results))
    return {
      ...note,
      headline: 'Ended without a verdict.',
      lines: ['Not every primary metric has measured visitors. There are counts and health.'],
      shows: 'counts',
    }
  const { progress, dataThrough } = results
  const days = progress?.estimatedDaysRemaining ?? null
  const planned = progress?.plannedUnitsPerVariation ?? null
  const opens =
    days !== null && dataThrough !== null
      ? `Opens on about ${dayOf(new Date(Date.parse(dataThrough) + days * dayMs).toISOString())}.`
      : stageOf(results) === 'WINDOWS_OPEN'
        ? 'Opens when the last visitors have had their time to convert.'
        : planned !== null
          ? `Opens when each variation has ${counted(planned, 'visitor')}.`
          : 'Opens when the test has ended.'
  return {
    ...note,
    headline: opens,
    lines: ['A test of a fixed length is read once. Until then there are counts and health.'],
    shows: 'counts',
  }
}

function early(results: Results, primary: Judged[], context: VerdictContext): Verdict {
  const minDays = results.settings?.minRuntimeDays ?? 0
  const hasEnded = results.ruleStatus === 'COMPLETED'
  const dayOfTest = Math.floor(results.runtimeDays) + 1
  const day = hasEnded
    ? `It ended on day ${dayOfTest} of at least ${minDays}.`
    : `Day ${dayOfTest} of at least ${minDays}.`
  const advice = results.ruleStatus === 'PAUSED' ? 'The test is paused.' : 'Keep running.'
  const shown = sorted(primary.filter(({ comparison }) => comparison.significant))
  const [best] = shown
  if (!best) {
    const [first] = sorted(primary.filter(({ comparison }) => !isTooFew(comparison.status)))
    return {
      ...note,
      headline: hasEnded ? 'Ended too early to tell.' : 'Too early to tell.',
      lines: [day, ...(first ? [`So far: ${liftLine(first, context)}`] : [])],
    }
  }
  return {
    ...note,
    headline: `${good(best) > 0 ? 'Ahead' : 'Behind'}${hasEnded ? ', but it ended too early.' : ` so far. ${advice}`}`,
    lines: [
      liftLine(best, context),
      `${day} Clear difference, but ${hasEnded ? 'the test was shorter than' : 'run at least'} ${counted(minDays, 'day')}.`,
    ],
  }
}

function ship(results: Results, better: Judged[], context: VerdictContext): Verdict {
  const { recommendation, metrics } = results
  const id = recommendation?.variationId ?? ''
  const name = context.nameOf(id)
  const guardrails = metrics.filter(({ role }) => role === 'GUARDRAIL')
  const runnerUp = better.find(({ variationId }) => variationId !== id)
  return {
    headline: `${name} is better.`,
    lines: [
      ...better.filter(({ variationId }) => variationId === id).map((each) => liftLine(each, context)),
      ...(guardrails.length > 0 ? [guardrails.length === 1 ? 'The guardrail holds.' : 'All guardrails hold.'] : []),
      ...(recommendation?.reasons.includes('TIE') && runnerUp
        ? [`${context.nameOf(runnerUp.variationId)} is better too. Neither of the two is shown to beat the other.`]
        : []),
    ],
    tone: 'good',
    shows: 'figures',
    isProven: true,
  }
}

function review(results: Results, better: Judged[], worse: Judged[], context: VerdictContext): Verdict {
  const { open, mixed } = unchecked(results, better, worse)
  const names = [...new Set([...open, ...mixed].map(({ metric }) => metric.name))]
  return {
    headline: names.length > 0 ? `Better, but check ${allOf(names, 3)}.` : 'Better, but check the guardrails.',
    lines: [
      ...better.map((each) => liftLine(each, context)),
      ...mixed.map((each) => `${liftLine(each, context)} That is worse.`),
      ...open.map(
        ({ variationId, metric, comparison }) =>
          `${context.nameOf(variationId)}, ${metric.name}: ${lower(guardrailWords(metric, comparison))}.`,
      ),
    ],
    tone: 'warning',
    shows: 'figures',
    isProven: true,
  }
}

/** What speaks against variations that are better: guardrails that do not hold yet, and other primary metrics. */
function unchecked(results: Pick<Results, 'metrics'>, better: Judged[], worse: Judged[]) {
  const isBetter = new Set(better.map(({ variationId }) => variationId))
  const open = judgedOf(results, 'GUARDRAIL').filter(
    ({ variationId, comparison }) => isBetter.has(variationId) && comparison.guardrail?.state !== 'PASSED',
  )
  return { open, mixed: worse.filter(({ variationId }) => isBetter.has(variationId)) }
}

/** The names of the metrics that a person must look at before a variation that is better can win. */
export function uncheckedOf(results: Pick<Results, 'metrics'>): string[] {
  const shown = judgedOf(results, 'PRIMARY').filter(({ comparison }) => comparison.significant)
  const { open, mixed } = unchecked(
    results,
    shown.filter((each) => good(each) > 0),
    shown.filter((each) => good(each) < 0),
  )
  return [...new Set([...open, ...mixed].map(({ metric }) => metric.name))]
}

function noEffect(results: Results, worse: Judged[], context: VerdictContext): Verdict {
  const { progress } = results
  const detectable = progress?.minimumDetectableLift ?? null
  const isPlanned = progress?.plannedUnitsPerVariation != null
  if (worse.length > 0)
    return {
      headline: 'No variation is better.',
      lines: worse.map((each) => `${liftLine(each, context)} That is worse.`),
      tone: 'warning',
      shows: 'figures',
      isProven: true,
    }
  return {
    ...note,
    headline: isPlanned ? 'No effect of the planned size.' : 'No effect shown.',
    lines: detectable === null ? [] : [`A lift of ${size(detectable)} or more would have been found 4 times in 5.`],
    isProven: true,
  }
}

function chosen(results: Results, { variationId, by, at }: Winner, context: VerdictContext): Verdict {
  const now = verdictOfFigures(results, context)
  const known = (results.timeseries ?? []).filter(({ asOf }) => asOf <= at).at(-1)
  const then = known
    ? judgedOf(known, 'PRIMARY').filter((each) => each.variationId === variationId && !isTooFew(each.comparison.status))
    : []
  return {
    ...now,
    headline: `${by} chose ${context.nameOf(variationId)} on ${dayOf(at)}.`,
    lines: [
      ...then.map((each) => `The figures said that day: ${liftLine(each, context)}`),
      `They say now: ${now.headline}`,
      ...now.lines,
    ],
  }
}

const dayMs = 86_400_000

const size = (lift: number): string => change(Math.abs(lift)).slice(1)

/** "32 % of the planned visitors; about 26 days left." */
export function progressLines({ progress }: Pick<Results, 'progress'>): string[] {
  if (!progress) return []
  const {
    stage,
    fraction,
    plannedUnitsPerVariation,
    estimatedDaysRemaining: days,
    minimumDetectableLift: lift,
  } = progress
  const done =
    plannedUnitsPerVariation !== null && fraction !== null
      ? [
          `${ofPlan(fraction)} of the planned visitors${days === null || days === 0 ? '' : `; about ${counted(days, 'day')} left`}.`,
        ]
      : []
  const open = stage === 'WINDOWS_OPEN' ? ['All visitors are in. Some still have time to convert.'] : []
  return [
    ...done,
    ...open,
    ...(lift === null ? [] : [`With the visitors so far, it can show a lift of ${size(lift)} or more.`]),
  ]
}

/** The comparisons of a role, metric by metric. */
export function judgedOf({ metrics }: Pick<Results, 'metrics'>, role: MetricResult['role']): Judged[] {
  return metrics
    .filter((metric) => metric.role === role)
    .flatMap((metric) =>
      metric.variations.flatMap(({ variationId, comparison }) =>
        comparison ? [{ metric, variationId, comparison }] : [],
      ),
    )
}

function excludesZero({ status, difference: { ciLow, ciHigh } }: Comparison): boolean {
  return !isTooFew(status) && ciLow !== null && ciHigh !== null && (ciLow > 0 || ciHigh < 0)
}

/** Positive if the variation is better, also where a decrease is good. */
function good({ metric, comparison }: Judged): number {
  const size = comparison.lift.estimate ?? comparison.difference.estimate ?? 0
  return metric.direction === 'DECREASE' ? -size : size
}

const sorted = (judged: readonly Judged[]): Judged[] => [...judged].sort((one, other) => good(other) - good(one))

/** "Short copy: Purchase +12.0 %, between −7.2 % and +35.4 %." */
function liftLine({ metric, variationId, comparison }: Judged, { nameOf }: VerdictContext): string {
  return `${nameOf(variationId)}: ${metric.name} ${effectWords(metric, comparison)}.`
}

/** The lift with its interval; where there is none, the difference. */
export function effectWords(metric: Pick<MetricResult, 'type' | 'unit'>, { lift, difference: d }: Comparison): string {
  if (lift.estimate !== null && lift.ciLow !== null && lift.ciHigh !== null)
    return `${change(lift.estimate)}, between ${change(lift.ciLow)} and ${change(lift.ciHigh)}`
  if (d.estimate === null) return 'without a figure'
  const interval =
    d.ciLow !== null && d.ciHigh !== null
      ? `, between ${difference(metric, d.ciLow)} and ${difference(metric, d.ciHigh)}`
      : ''
  return `${difference(metric, d.estimate)}${interval}`
}

const breachLine = (each: Judged, context: VerdictContext): string =>
  `${liftLine(each, context)} ${guardrailWords(each.metric, each.comparison)}.`

/** "Holds within the allowed 2 %". */
export function guardrailWords({ direction }: Pick<MetricResult, 'direction'>, { guardrail }: Comparison): string {
  if (!guardrail) return 'Not judged'
  const margin = size(guardrail.margin).replace(/\.0(?=\D)/, '')
  if (guardrail.state === 'PASSED') return `Holds within the allowed ${margin}`
  if (guardrail.state === 'BREACHED') return `Worse than the allowed ${margin}`
  return `Not enough data to rule out a ${direction === 'DECREASE' ? 'rise' : 'drop'} of ${margin}`
}

const lower = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
