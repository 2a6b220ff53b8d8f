import {
  alphaOfOne,
  meanSampleSize,
  nonInferioritySampleSize,
  proportionSampleSize,
  runtime,
  sequentialFactor,
} from '@svc/stats'
import { type Issue, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { SampleSize, SampleSizeRequest } from './schema.ts'

const maxUnitsPerVariation = 1e12
/** A variance needs two. */
const minUnitsPerVariation = 2
const weeks = Array.from({ length: 12 }, (_, at) => at + 1)
/** Halvings of the range of a lift: its error is below a millionth of the range. */
const halvings = 40
const edge = 1e-9
const largestGain = 99
const largestLoss = 1 - edge

/** How many visitors a test needs, or what is wrong with the question. */
export function planSample(asked: SampleSizeRequest): SampleSize | Refusal {
  const refused = refuseIssues(issuesOf(asked))
  if (refused) return refused
  const primary = wholeUnits(exactUnits(asked))
  const guardrails = asked.guardrails.map((guardrail) => wholeUnits(guardrailUnits(guardrail, asked)))
  const tooMany = [
    ...(primary <= maxUnitsPerVariation ? [] : [{ path: ['minimumDetectableLift'], message: tooSmallChange }]),
    ...guardrails.flatMap((units, at) =>
      units <= maxUnitsPerVariation
        ? []
        : [{ path: ['guardrails', at, 'nonInferiorityMargin'], message: tooSmallChange }],
    ),
  ]
  if (tooMany.length > 0) return refuseIssues(tooMany) as Refusal
  const unitsPerVariation = Math.max(primary, ...guardrails)
  const duration =
    asked.unitsPerDay === null
      ? { days: null, recommendedDays: null }
      : runtime({ perVariation: unitsPerVariation, variations: asked.variations, dailyUnits: asked.unitsPerDay })
  return {
    unitsPerVariation,
    totalUnits: unitsPerVariation * asked.variations,
    primaryUnitsPerVariation: primary,
    guardrails: guardrails.map((units) => ({ unitsPerVariation: units })),
    comparisons: comparisonsOf(asked),
    ...duration,
    durations: durationsOf(asked),
    assumptions: assumptionsOf(asked),
  }
}

const tooSmallChange = 'must be larger: such a small change would require too many visitors.'

const wholeUnits = (exact: number): number => Math.max(minUnitsPerVariation, Math.ceil(exact))

/** Each primary metric is compared for each variation but the baseline. */
const comparisonsOf = ({ variations, primaryMetrics }: SampleSizeRequest): number => (variations - 1) * primaryMetrics

type Guardrail = SampleSizeRequest['guardrails'][number]

function issuesOf(asked: SampleSizeRequest): Issue[] {
  const { type, baseline, minimumDetectableLift, alpha, power, varianceReduction, guardrails } = asked
  const issues: Issue[] = []
  // For such a power, the formulas are wrong: they would require more visitors for less power.
  if (power <= alpha)
    issues.push({
      path: ['power'],
      message: 'must be more than alpha, the probability of a finding without any change.',
    })
  if (minimumDetectableLift === 0) issues.push({ path: ['minimumDetectableLift'], message: 'must not be 0.' })
  if (type === 'RATIO' && varianceReduction > 0)
    issues.push({ path: ['varianceReduction'], message: 'must be 0 for a RATIO, because CUPED does not adjust it.' })
  issues.push(...issuesOfValue(asked, []))
  if (type === 'PROPORTION' && isRate(baseline) && !isRate(baseline * (1 + minimumDetectableLift)))
    issues.push({ path: ['minimumDetectableLift'], message: 'must leave the changed rate between 0 and 1.' })
  return [...issues, ...guardrails.flatMap((guardrail, at) => issuesOfValue(guardrail, ['guardrails', at]))]
}

const isRate = (value: number): boolean => value > 0 && value < 1

/** What is wrong with the figures of a metric. */
function issuesOfValue(
  { type, baseline, stddev }: Pick<Guardrail, 'type' | 'baseline' | 'stddev'>,
  path: readonly (string | number)[],
): Issue[] {
  const issue = (field: string, message: string): Issue => ({ path: [...path, field], message })
  if (type === 'PROPORTION')
    return [
      ...(stddev === null
        ? []
        : [issue('stddev', 'must be null for a PROPORTION, because it follows from the baseline.')]),
      ...(isRate(baseline) ? [] : [issue('baseline', 'must be between 0 and 1, such as 0.05 for 5 %.')]),
    ]
  return [
    ...(baseline === 0 ? [issue('baseline', 'must not be 0, because a lift is a fraction of the baseline.')] : []),
    ...(stddev === null ? [issue('stddev', `must be set, because the type is ${type}.`)] : []),
  ]
}

/** The units that a variation needs for the primary metric, before they are rounded up. */
function exactUnits(asked: SampleSizeRequest): number {
  const { type, baseline, minimumDetectableLift: relativeMde, stddev, test, varianceReduction } = asked
  const certainty = { alpha: alphaOfOne(asked, comparisonsOf(asked)), power: powerOfOne(asked) }
  const found =
    type === 'PROPORTION'
      ? proportionSampleSize({ baseline, relativeMde, ...certainty }).perVariationExact
      : meanSampleSize({ mean: baseline, stddev: stddev ?? 0, relativeMde, ...certainty }).controlExact
  return (found ?? Number.POSITIVE_INFINITY) * (1 - varianceReduction) * factorOf(test)
}

/** The units that a variation needs to show that a guardrail holds, if the test changes nothing of it. */
function guardrailUnits(
  { type, baseline, stddev, direction, nonInferiorityMargin }: Guardrail,
  asked: SampleSizeRequest,
) {
  const { perVariationExact } = nonInferioritySampleSize({
    mean: baseline,
    stddev: type === 'PROPORTION' ? Math.sqrt(baseline * (1 - baseline)) : (stddev ?? 0),
    margin: direction === 'DECREASE' ? -nonInferiorityMargin : nonInferiorityMargin,
    alpha: asked.alpha,
    power: powerOfOne(asked),
  })
  return (perVariationExact ?? Number.POSITIVE_INFINITY) * factorOf(asked.test)
}

/** All must succeed, so each has its part of the risk that one of them does not. */
const powerOfOne = ({ power, guardrails }: SampleSizeRequest): number => 1 - (1 - power) / (guardrails.length + 1)

const factorOf = (test: SampleSizeRequest['test']): number => (test === 'SEQUENTIAL' ? sequentialFactor : 1)

/** What tests of whole weeks can find, from the same formula as the sample size. */
function durationsOf(asked: SampleSizeRequest): SampleSize['durations'] {
  const { unitsPerDay, variations } = asked
  if (unitsPerDay === null) return null
  return weeks.map((week) => {
    const units = Math.floor((unitsPerDay * 7 * week) / variations)
    return { days: 7 * week, unitsPerVariation: units, minimumDetectableLift: smallestLift(asked, units) }
  })
}

/** A larger lift needs fewer units, so the smallest one is found by halving. Null if none is found. */
function smallestLift(asked: SampleSizeRequest, units: number): number | null {
  const isLoss = asked.minimumDetectableLift < 0
  const isFound = (size: number) => exactUnits({ ...asked, minimumDetectableLift: isLoss ? -size : size }) <= units
  let [tooSmall, found] = [0, isLoss ? largestLoss : largestGainOf(asked)]
  if (!isFound(found)) return null
  for (let at = 0; at < halvings; at++) {
    const middle = (tooSmall + found) / 2
    if (isFound(middle)) found = middle
    else tooSmall = middle
  }
  return isLoss ? -found : found
}

/** A rate stays below 1. */
const largestGainOf = ({ type, baseline }: SampleSizeRequest): number =>
  type === 'PROPORTION' ? Math.min(largestGain, (1 - edge) / baseline - 1) : largestGain

function assumptionsOf(asked: SampleSizeRequest) {
  const { baseline, minimumDetectableLift, alpha, power, test, variations, correction, guardrails, unitsPerDay } = asked
  const comparisons = comparisonsOf(asked)
  const isCorrected = comparisons > 1 && correction !== 'NONE'
  const changed = round(baseline * (1 + minimumDetectableLift))
  return [
    `The baseline is ${round(baseline)}. The test finds a change to ${changed} or further with a probability of ${percent(power)}.`,
    isCorrected
      ? `Without any change, it wrongly finds one with a probability of ${percent(alpha)} in all ${comparisons} comparisons together: each is planned at ${percent(alphaOfOne(asked, comparisons))}, two-sided.`
      : `Without any change, it wrongly finds one with a probability of ${percent(alpha)}${comparisons > 1 ? ' in each comparison' : ''}, two-sided.`,
    'All variations get the same share of the visitors.',
    test === 'SEQUENTIAL'
      ? `You can look at the result at any time. This takes at most ${sequentialFactor} times the visitors of a fixed horizon, and 1.2 times on average, because most tests end earlier.`
      : 'The result counts only after all visitors have been measured.',
    ...(variations > 2 ? ['Each variation is compared with the baseline separately.'] : []),
    ...(guardrails.length > 0
      ? [
          `If the test does not change a guardrail metric, the test shows that it holds within its margin, one-sided at ${percent(alpha)}. Each metric is planned with a power of ${percent(powerOfOne(asked))}, so that all succeed together with ${percent(power)}.`,
        ]
      : []),
    ...(unitsPerDay === null ? [] : ['Visitors who return on a later day count once.']),
  ]
}

const round = (value: number): number => Number(value.toPrecision(6))

const percent = (share: number): string => `${round(share * 100)} %`
