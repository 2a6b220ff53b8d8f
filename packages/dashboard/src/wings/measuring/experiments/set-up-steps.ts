import type { Tone } from '../../../ui/status/status-words.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { percentOf, whole } from '../../../ui/words/percent.ts'
import { isSame } from '../../flags/drafts/draft.ts'
import type { Experiment } from './experiment.ts'

/** The way from a goal to a launch. Each step is the name of a panel in the address. */
export const setUpSteps = [
  { step: 'goal', title: 'Goal' },
  { step: 'variations', title: 'Variations' },
  { step: 'who', title: 'Who' },
  { step: 'size', title: 'Size' },
  { step: 'review', title: 'Review' },
] as const

export type SetUpStep = (typeof setUpSteps)[number]['step']

/** The step that the address names. */
export const stepIn = (panel: string | undefined): SetUpStep | undefined =>
  setUpSteps.find(({ step }) => step === panel)?.step

export const stepAfter = (step: SetUpStep): SetUpStep =>
  setUpSteps[setUpSteps.findIndex((each) => each.step === step) + 1]?.step ?? 'review'

/** What a test is compared by, as far as others can share its visitors. */
export type Sharing = Pick<Experiment, 'id' | 'flagId' | 'envId' | 'status' | 'exclusionGroupId'>

/**
 * The running tests whose visitors can be in this one too. Tests of one flag share none, because the first rule wins;
 * tests of one exclusion group do neither.
 */
export const overlapping = <Other extends Sharing>(
  { id, flagId, envId, exclusionGroupId }: Omit<Sharing, 'status'>,
  others: readonly Other[],
): Other[] =>
  others.filter(
    (other) =>
      other.id !== id &&
      other.status === 'RUNNING' &&
      other.envId === envId &&
      other.flagId !== flagId &&
      (exclusionGroupId === null || other.exclusionGroupId !== exclusionGroupId),
  )

const isForEveryone = ({ audienceIds, conditions }: Pick<Experiment, 'audienceIds' | 'conditions'>): boolean =>
  audienceIds.length === 0 && isSame(conditions, { all: [] })

interface Readiness {
  place: string
  isFlagRunning: boolean
  /** Whether a client has been heard of in the last minutes. */
  isConnected: boolean
  overlaps: readonly { name: string }[]
  /** The service's message about a rule that takes all visitors of the test. */
  inTheWay: string | undefined
}

export interface Check {
  tone: Tone
  words: string
  /** The panel in which it can be fixed. */
  at?: 'flag' | 'connect' | SetUpStep
}

/** What to do before a launch. None of it prevents one. */
export function checklistOf(
  { metrics, statistics, hypothesis }: Pick<Experiment, 'metrics' | 'statistics' | 'hypothesis'>,
  { place, isFlagRunning, isConnected, overlaps, inTheWay }: Readiness,
): Check[] {
  const check = (isFine: boolean, fine: string, otherwise: Check): Check =>
    isFine ? { tone: 'good', words: fine } : otherwise
  const planned = statistics.plannedUnitsPerVariation
  return [
    check(isFlagRunning, `The flag runs in ${place}.`, {
      tone: 'warning',
      words: `The flag is paused in ${place}. The launch runs it, with its other rules.`,
      at: 'flag',
    }),
    check(isConnected, 'A client is connected.', {
      tone: 'warning',
      words: `No client is connected to ${place}. Visitors are counted when one is.`,
      at: 'connect',
    }),
    ...(inTheWay === undefined ? [] : [{ tone: 'warning' as const, words: inTheWay, at: 'flag' as const }]),
    check(
      metrics.primary.length > 0,
      `${counted(metrics.primary.length, 'metric')} decide${metrics.primary.length === 1 ? 's' : ''}.`,
      {
        tone: 'warning',
        words: 'There is no primary metric, so the results contain no recommendation.',
        at: 'goal',
      },
    ),
    check(!!hypothesis, 'There is a hypothesis.', {
      tone: 'note',
      words: 'There is no hypothesis. Write down what you expect before you see it.',
      at: 'goal',
    }),
    check(planned !== null, `${counted(planned ?? 0, 'visitor is', 'visitors are')} planned in each variation.`, {
      tone: statistics.test === 'FIXED_HORIZON' ? 'warning' : 'note',
      words:
        statistics.test === 'FIXED_HORIZON'
          ? 'No size is planned, so a test that is read once opens only when you complete it.'
          : 'No size is planned, so the results cannot show how far the test is.',
      at: 'size',
    }),
    ...(overlaps.length > 0
      ? [
          {
            tone: 'note' as const,
            words: `Its visitors can be in ${allOf(
              overlaps.map(({ name }) => name),
              3,
            )} too. An exclusion group keeps tests apart.`,
            at: 'who' as const,
          },
        ]
      : []),
  ]
}

interface Names {
  place: string
  flag: string
  metricOf: (key: string) => string
}

/** The whole test in a paragraph. */
export function paragraphOf(
  {
    variations,
    baselineVariationKey,
    metrics,
    statistics,
    trafficAllocation,
    audienceIds,
    conditions,
  }: Pick<
    Experiment,
    | 'variations'
    | 'baselineVariationKey'
    | 'metrics'
    | 'statistics'
    | 'trafficAllocation'
    | 'audienceIds'
    | 'conditions'
  >,
  { place, flag, metricOf }: Names,
): string {
  const isForAll = isForEveryone({ audienceIds, conditions })
  const who = `${trafficAllocation === whole ? '' : `${percentOf(trafficAllocation)} of `}${isForAll ? 'all visitors' : 'the visitors it is for'}`
  const split = variations.map(
    ({ key, name, weight }) => `${percentOf(weight)} ${name}${key === baselineVariationKey ? ' (baseline)' : ''}`,
  )
  const [primary, secondary, guardrails] = [metrics.primary, metrics.secondary, metrics.guardrails].map((keys) =>
    keys.map(metricOf),
  )
  const planned = statistics.plannedUnitsPerVariation
  return [
    `In ${place}, ${who} take part and get ${flag}: ${allOf(split, 4)}.`,
    ...(primary!.length > 0 ? [`${allOf(primary!, 5)} ${primary!.length === 1 ? 'decides' : 'decide together'}.`] : []),
    ...(guardrails!.length > 0 ? [`${allOf(guardrails!, 5)} must not get worse.`] : []),
    ...(secondary!.length > 0 ? [`${allOf(secondary!, 5)} ${secondary!.length === 1 ? 'explores' : 'explore'}.`] : []),
    ...(planned === null ? [] : [`It is planned with ${counted(planned, 'visitor')} in each variation.`]),
    statistics.test === 'FIXED_HORIZON'
      ? 'Its results are read once, at the end, and hidden until then.'
      : 'Its results can be read at any time.',
  ].join(' ')
}
