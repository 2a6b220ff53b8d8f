import { meanSampleSize, proportionSampleSize, runtime, sequentialFactor } from '@svc/stats'
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
  const unitsPerVariation = Math.max(minUnitsPerVariation, Math.ceil(exactUnits(asked)))
  if (!(unitsPerVariation <= maxUnitsPerVariation)) {
    const message = 'must be larger: no test has the visitors to find so small a change.'
    return refuseIssues([{ path: ['minimumDetectableLift'], message }]) as Refusal
  }
  const duration =
    asked.unitsPerDay === null
      ? { days: null, recommendedDays: null }
      : runtime({ perVariation: unitsPerVariation, variations: asked.variations, dailyUnits: asked.unitsPerDay })
  return {
    unitsPerVariation,
    totalUnits: unitsPerVariation * asked.variations,
    ...duration,
    durations: durationsOf(asked),
    assumptions: assumptionsOf(asked),
  }
}

function issuesOf({ type, baseline, minimumDetectableLift, stddev, alpha, power }: SampleSizeRequest): Issue[] {
  const issues: Issue[] = []
  const isRate = (value: number) => value > 0 && value < 1
  // Below, the formulas are wrong: they would ask for more visitors the less is wanted.
  if (power <= alpha)
    issues.push({ path: ['power'], message: 'must be more than alpha: a test finds as much without any change.' })
  if (minimumDetectableLift === 0) issues.push({ path: ['minimumDetectableLift'], message: 'must not be 0.' })
  if (type === 'MEAN') {
    if (baseline === 0) issues.push({ path: ['baseline'], message: 'must not be 0: a lift is a fraction of it.' })
    if (stddev === null) issues.push({ path: ['stddev'], message: 'must be set, because the type is MEAN.' })
    return issues
  }
  if (stddev !== null)
    issues.push({ path: ['stddev'], message: 'must be null: that of a PROPORTION follows from its baseline.' })
  if (!isRate(baseline)) issues.push({ path: ['baseline'], message: 'must be between 0 and 1, such as 0.05 for 5 %.' })
  else if (!isRate(baseline * (1 + minimumDetectableLift)))
    issues.push({ path: ['minimumDetectableLift'], message: 'must leave the changed rate between 0 and 1.' })
  return issues
}

/** The units that a variation needs, before they are rounded up. */
function exactUnits({
  type,
  baseline,
  minimumDetectableLift: relativeMde,
  stddev,
  alpha,
  power,
  test,
}: SampleSizeRequest) {
  const found =
    type === 'PROPORTION'
      ? proportionSampleSize({ baseline, relativeMde, alpha, power }).perVariationExact
      : meanSampleSize({ mean: baseline, stddev: stddev ?? 0, relativeMde, alpha, power }).controlExact
  return (found ?? Number.POSITIVE_INFINITY) * (test === 'SEQUENTIAL' ? sequentialFactor : 1)
}

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

function assumptionsOf({
  baseline,
  minimumDetectableLift,
  alpha,
  power,
  test,
  variations,
  unitsPerDay,
}: SampleSizeRequest) {
  const changed = round(baseline * (1 + minimumDetectableLift))
  return [
    `The baseline is ${round(baseline)}. The test finds a change to ${changed} or further with a probability of ${percent(power)}.`,
    `Without any change, it finds one with a probability of ${percent(alpha)}: two-sided, before the correction for several comparisons.`,
    'All variations get the same share of the visitors.',
    test === 'SEQUENTIAL'
      ? `The result can be looked at any time. That takes ${sequentialFactor} times the visitors of a fixed horizon at most, and 1.2 times on average, because most tests end earlier.`
      : 'The result counts only when all visitors have been measured, not before.',
    ...(variations > 2 ? ['Each variation is compared with the baseline by itself.'] : []),
    ...(unitsPerDay === null ? [] : ['Visitors who return on a later day count once.']),
  ]
}

const round = (value: number): number => Number(value.toPrecision(6))

const percent = (share: number): string => `${round(share * 100)} %`
