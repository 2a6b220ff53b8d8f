import type { Status } from '../../../ui/status/status-words.ts'
import { containing } from '../../../ui/table/containing.ts'
import { dayNumber } from '../../../ui/time/distance.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'
import { checkNames } from '../results/check-names.ts'
import { change } from '../results/figures.ts'
import type { TestResults } from '../results/results-query.ts'
import { isTooFew } from '../results/too-few.ts'
import type { Experiment } from './experiment.ts'
import { type Part, parts } from './status-in.ts'

export type Step = 'launch' | 'pause' | 'resume' | 'complete' | 'archive' | 'unarchive'

interface StepWords {
  verb: string
  /** What a message says afterwards. */
  past: string
  /** What will happen. */
  consequence: (about: { name: string; place: string; original: string }) => string
}

/** Each step of the lifecycle with its verb and what it does. */
export const steps: Record<Step, StepWords> = {
  launch: {
    verb: 'Launch',
    past: 'launched',
    consequence: ({ name, place }) =>
      `Visitors in ${place} get the variations of ${name} from now on, and are counted. Nothing else of the flag is published.`,
  },
  pause: {
    verb: 'Pause',
    past: 'paused',
    consequence: ({ place, original }) =>
      `Every visitor of the test in ${place} gets what the rules below it say, or ${original}. Results stay, and new visitors are not counted.`,
  },
  resume: {
    verb: 'Resume',
    past: 'resumed',
    consequence: ({ place }) => `Visitors in ${place} get the variations again, each the same as before.`,
  },
  complete: {
    verb: 'Complete',
    past: 'completed',
    consequence: ({ place, original }) =>
      `The test in ${place} ends for good: visitors get what the rules below it say, or ${original}. Its results stay. To test again, duplicate it.`,
  },
  archive: {
    verb: 'Archive',
    past: 'archived',
    consequence: ({ name }) => `${name} leaves the list. Its results stay, and you can bring it back.`,
  },
  unarchive: { verb: 'Bring back', past: 'brought back', consequence: ({ name }) => `${name} is in the list again.` },
}

/** What each step does to the visitors of a web experiment. */
export const webConsequences: Record<Step, string> = {
  launch: 'Visitors get the variations within two minutes, and are counted.',
  pause: 'Every visitor gets the baseline within two minutes. Results stay, and new visitors are not counted.',
  resume: 'Visitors get the variations again, each the same as before.',
  complete:
    'The test ends for good: every visitor gets the baseline. Its results and its hand-off stay. To test again, duplicate it.',
  archive: 'The experiment leaves the list, and a winner that was rolled out is no longer served. Its results stay.',
  unarchive: 'The experiment is in the list again. A winner that was rolled out is served again.',
}

/** What the declaration of a winner does. */
export const winnerWords = {
  consequence: ({ winner, place, rollOut }: { winner: string; place: string; rollOut: boolean }): string =>
    rollOut
      ? `The test ends for good. A rule of ${winner} takes its place in ${place}, live at once, without the default in between. Other unpublished changes of the flag wait.`
      : `The test ends for good, and its results stay. Visitors in ${place} get what the rules below it say until you change them.`,
  /** The same for a web experiment. */
  webConsequence: ({ winner, place, rollOut }: { winner: string; place: string; rollOut: boolean }): string =>
    rollOut
      ? `The test ends for good. Everyone in the audience in ${place} gets ${winner} from now on, until you archive the experiment: time to build it into the site.`
      : `The test ends for good, and its results stay. Every visitor in ${place} gets the baseline.`,
  past: (winner: string, rollOut: boolean): string =>
    rollOut ? `${winner} won, and visitors get it now.` : `${winner} declared the winner.`,
}

/** A winner can be declared again until it is rolled out or the experiment is archived. */
export const canHaveWinner = ({
  status,
  launchedAt,
  winner,
}: Pick<Experiment, 'status' | 'launchedAt' | 'winner'>): boolean =>
  launchedAt !== null && status !== 'ARCHIVED' && !winner?.rolledOut

/**
 * How a winner can be declared: as what the results advise, against their advice with a warning, or not at all while
 * they are not to be used.
 */
export function winnerOffer(
  experiment: Pick<Experiment, 'status' | 'launchedAt' | 'winner' | 'results'>,
): 'advised' | 'warned' | 'refused' | undefined {
  if (!canHaveWinner(experiment)) return undefined
  if (experiment.results?.health.status === 'FAILED') return 'refused'
  return experiment.results?.recommendation?.action === 'SHIP' && !experiment.winner ? 'advised' : 'warned'
}

/** The steps that a person can take now, the likeliest first. */
export const stepsOf: Record<Experiment['status'], readonly Step[]> = {
  DRAFT: ['launch', 'archive'],
  RUNNING: ['pause', 'complete'],
  PAUSED: ['resume', 'complete', 'archive'],
  COMPLETED: ['archive'],
  ARCHIVED: ['unarchive'],
}

/** The states in which a schedule can be set. */
export const canBeScheduled = ({ status }: Pick<Experiment, 'status'>): boolean =>
  status === 'DRAFT' || status === 'RUNNING' || status === 'PAUSED'

/** What a scheduled run or pause will do. */
export function scheduledWords(
  action: 'RUN' | 'PAUSE',
  {
    status,
    flag,
    place,
    isPaused,
  }: { status: Experiment['status']; flag: string; place: string /** Whether the flag is. */; isPaused: boolean },
): string {
  if (action === 'PAUSE')
    return status === 'RUNNING'
      ? `The test stops in ${place}. Visitors get what the rules below it say, or the default.`
      : 'Nothing changes then, unless the experiment runs by that time.'
  if (status === 'RUNNING') return 'The experiment is already running. Nothing changes then.'
  const starts =
    status === 'DRAFT'
      ? 'The draft of the experiment at that time is launched. Nothing else of the flag is published.'
      : 'The experiment is resumed. Every visitor gets the same variation as before.'
  return isPaused
    ? `${starts} ${flag} is paused in ${place}: run it there before that time, or the schedule fails.`
    : starts
}

/** The same for a web experiment, which has no flag that could be paused. */
export function webScheduledWords(
  action: 'RUN' | 'PAUSE',
  { status, place }: { status: Experiment['status']; place: string },
): string {
  if (action === 'PAUSE')
    return status === 'RUNNING'
      ? `The test stops in ${place}. Every visitor gets the baseline.`
      : 'Nothing changes then, unless the experiment runs by that time.'
  if (status === 'RUNNING') return 'The experiment is already running. Nothing changes then.'
  return status === 'DRAFT'
    ? 'The draft of the experiment at that time is launched.'
    : 'The experiment is resumed. Every visitor gets the same variation as before.'
}

/** Why a phase began. */
export const phaseWords: Record<NonNullable<TestResults['phases']>[number]['reason'], string> = {
  LAUNCHED: 'Launched',
  SPLIT_CHANGED: 'The split changed',
  BUCKETING_CHANGED: 'The bucketing changed',
  RESTARTED: 'Results restarted',
}

export type PausingCheck = keyof Experiment['autoPause']

/** The checks that can pause an experiment, as people read them. */
export const pausingChecks: readonly { check: PausingCheck; label: string }[] = [
  { check: 'srm', label: 'The split of visitors is not the planned one' },
  { check: 'traffic', label: 'Too few visitors arrive, or none' },
  { check: 'guardrailMetric', label: 'A guardrail metric gets worse' },
  { check: 'codeErrors', label: `Code throws an error for ${percent(2)} of a variation’s visitors, and at least 20` },
]

/** "Day 13 of about 39", "Ended after 21 days": where an experiment is in its life. */
export function ageOf(
  { status, launchedAt, completedAt, results }: Pick<Experiment, 'status' | 'launchedAt' | 'completedAt' | 'results'>,
  now: Date,
): string {
  if (launchedAt === null) return status === 'ARCHIVED' ? 'Never launched' : 'Not launched'
  if (completedAt !== null) return `Ended after ${counted(dayNumber(launchedAt, new Date(completedAt)), 'day')}`
  const day = dayNumber(launchedAt, now)
  const left = results?.progress?.estimatedDaysRemaining ?? null
  return left === null ? `Day ${day}` : `Day ${day} of about ${day + left}`
}

/** The result in a few words, as far as the short summary can claim it. The words of the page of results say more. */
export function glanceOf({
  launchedAt,
  winner,
  variations,
  results,
  statistics,
  status,
  completedAt,
}: Pick<
  Experiment,
  'launchedAt' | 'completedAt' | 'winner' | 'variations' | 'results' | 'statistics' | 'status'
>): Status {
  const named = (is: (variation: Experiment['variations'][number]) => boolean) => variations.find(is)?.name
  const note = (words: string): Status => ({ tone: 'note', words })
  if (winner) return note(`Winner: ${named(({ key }) => key === winner.variationKey) ?? winner.variationKey}`)
  if (launchedAt === null) return note('None yet')
  if (results?.health.status === 'FAILED') return { tone: 'bad', words: 'Do not use these results' }
  if (results && breachedIn(results).length > 0) return { tone: 'bad', words: harmWords(results, variations) }
  const hasEnded = completedAt !== null
  if (!results?.recommendation || results.units === 0)
    return note(hasEnded ? 'Ended without a visitor' : 'Waiting for the first visitor')
  const { action, reasons, variationId } = results.recommendation
  if (reasons.includes('NOT_ENOUGH_DATA')) {
    if (status === 'PAUSED') return note('Paused with too little data')
    return note(hasEnded ? 'Ended with too little data' : 'Collecting data')
  }
  switch (action) {
    case 'SHIP':
      return { tone: 'good', words: `${named(({ id }) => id === variationId) ?? 'A variation'} is better` }
    case 'REVIEW':
      return { tone: 'warning', words: 'Better, but check' }
    case 'ROLLBACK':
      return { tone: 'bad', words: 'Worse than the baseline' }
    case 'NO_EFFECT':
      return note(
        results.progress?.plannedUnitsPerVariation == null ? 'No effect shown' : 'No effect of the planned size',
      )
  }
  if (reasons.includes('NO_PRIMARY_METRIC')) return note('No primary metric')
  if (reasons.includes('WINDOWS_OPEN')) return note('Waiting for the last conversions')
  const isClosed = statistics.test === 'FIXED_HORIZON' && reasons.includes('PLANNED_SAMPLE_NOT_REACHED')
  if (isClosed) return note(hasEnded ? 'Ended without a verdict' : 'Opens at its end')
  const shown = comparedIn(results)
  if (reasons.includes('MIN_RUNTIME_NOT_REACHED') && shown?.significant) {
    const where = goodnessOf(shown, results) > 0 ? 'Ahead' : 'Behind'
    return note(hasEnded ? `${where}, but it ended too early` : `${where} so far`)
  }
  if (hasEnded) return note('Ended too early to tell')
  return note(reasons.includes('MIN_RUNTIME_NOT_REACHED') ? 'Too early to tell' : 'No difference shown yet')
}

type Summary = NonNullable<Experiment['results']>
type Compared = NonNullable<Summary['primaryMetric']>['variations'][number]

/** Positive if it is better, also where a decrease is good. */
const goodnessOf = ({ lift }: Compared, { primaryMetric }: Summary): number =>
  (primaryMetric?.direction === 'DECREASE' ? -1 : 1) * (lift.estimate ?? 0)

/** The variation that the list speaks of: the recommended one, else the best of those that differ, else the best. */
function comparedIn(results: Summary): Compared | undefined {
  const all = (results.primaryMetric?.variations ?? []).filter(({ status }) => !isTooFew(status))
  const recommended = all.find(({ variationId }) => variationId === results.recommendation?.variationId)
  return (
    recommended ??
    all.toSorted(
      (one, other) =>
        Number(other.significant) - Number(one.significant) || goodnessOf(other, results) - goodnessOf(one, results),
    )[0]
  )
}

export interface LiftGlance {
  /** "Order paid +12.0 %"; with several variations, also which. */
  words: string
  /** "−7.2 % to +35.4 %". */
  interval: string
}

/** The lift of the primary metric with its interval. Undefined as long as results must not be read. */
export function liftGlanceOf({
  results,
  statistics,
  variations,
}: Pick<Experiment, 'results' | 'statistics' | 'variations'>): LiftGlance | undefined {
  if (!results?.primaryMetric || results.health.status === 'FAILED') return undefined
  if (statistics.test === 'FIXED_HORIZON' && results.progress?.stage !== 'FINAL') return undefined
  const shown = comparedIn(results)
  const { estimate, ciLow, ciHigh } = shown?.lift ?? {}
  if (!shown || estimate == null || ciLow == null || ciHigh == null) return undefined
  const which = variations.length > 2 ? `${nameById(variations, shown.variationId)}: ` : ''
  return {
    words: `${which}${results.primaryMetric.name} ${change(estimate)}`,
    interval: `${change(ciLow)} to ${change(ciHigh)}`,
  }
}

const nameById = (variations: Experiment['variations'], wanted: string): string =>
  variations.find(({ id }) => id === wanted)?.name ?? 'A variation'

/** "Short form makes Page errors worse": the headline of the page of results. */
function harmWords(results: Summary, variations: Experiment['variations']): string {
  const who = [
    ...new Set((results.recommendation?.breached ?? []).map(({ variationId }) => nameById(variations, variationId))),
  ]
  return `${allOf(who, 2)} ${who.length === 1 ? 'makes' : 'make'} ${allOf(breachedIn(results), 2)} worse`
}

/** The names of the guardrail metrics that are proven to be worse. */
const breachedIn = (results: Experiment['results']): string[] => [
  ...new Set((results?.recommendation?.breached ?? []).map(({ name }) => name)),
]

/** What the checks say, in a word or two. */
export function healthGlance({ results }: Pick<Experiment, 'results'>): Status | undefined {
  if (!results || results.health.status === 'NOT_MEASURED') return undefined
  const { status, failed } = results.health
  if (status !== 'FAILED' && breachedIn(results).length > 0) return { tone: 'bad', words: 'Guardrail breached' }
  if (status === 'FAILED') return { tone: 'bad', words: failed.map((check) => checkNames[check]).join(', ') }
  if (status === 'WARNING') return { tone: 'warning', words: 'Look at it' }
  return status === 'OK' ? { tone: 'good', words: 'Fine' } : { tone: 'note', words: 'Too few visitors' }
}

/** The experiments of a part of the list. */
export const ofPart = <Some extends Pick<Experiment, 'status'>>(experiments: readonly Some[], part: Part): Some[] =>
  experiments.filter(({ status }) => status === part || (part === 'RUNNING' && status === 'PAUSED'))

/** The part that is shown: the one of the address, else the first with an experiment. */
export const partOf = (experiments: readonly Pick<Experiment, 'status'>[], wanted: Part | undefined): Part =>
  wanted ?? parts.find((part) => ofPart(experiments, part).length > 0) ?? 'RUNNING'

/** Running ones before paused ones. */
const order: readonly Experiment['status'][] = ['RUNNING', 'PAUSED']

/** The experiments of a part whose name, hypothesis or tags have the text: what runs first, then the newest. */
export function matching(
  experiments: readonly Experiment[],
  { text, part }: { text: string; part: Part },
): Experiment[] {
  return containing(ofPart(experiments, part), text, ({ name, hypothesis, tags }) => [name, hypothesis, ...tags]).sort(
    (one, other) =>
      order.indexOf(one.status) - order.indexOf(other.status) || (one.createdAt < other.createdAt ? 1 : -1),
  )
}

export type MetricRole = keyof Experiment['metrics']

/** What a metric is in an experiment; undefined if it is not in it. */
export const roleOf = ({ metrics }: Pick<Experiment, 'metrics'>, key: string): MetricRole | undefined =>
  (['primary', 'secondary', 'guardrails'] as const).find((role) => metrics[role].includes(key))
