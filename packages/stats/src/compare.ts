import { type Arm, beyond, differenceOf, meanArm, proportionArm, ratioArm } from './arm.ts'
import { type CupedEffect, cupedEffect } from './cuped.ts'
import { tQuantile, tSf } from './distributions.ts'
import { type Figures, figures } from './figures.ts'
import { fiellerLift } from './lift.ts'
import { type Moments, mergeMoments, mergePairMoments, type PairMoments } from './moments.ts'
import { sequentialCriticalValue, sequentialPValue } from './sequential.ts'
import { type Effect, effectOf } from './welch.ts'

interface Values {
  /** The units with a value other than 0. */
  conversions?: number | undefined
  /**
   * What was subtracted from each value (for a RATIO, `offset · x` from each y) before it was added up: near the mean
   * of the metric, so that large values keep their differences. Arms that are compared share it. Default: 0.
   */
  offset?: number
}

/** What is known of one arm, by the type of its metric. */
export type ArmData =
  | ({ type: 'PROPORTION' } & { n: number; sum: number })
  | ({ type: 'MEAN' } & Values & Moments)
  /** y over x. */
  | ({ type: 'RATIO' } & Values & PairMoments)
  /**
   * A value y with its covariate x from before the first exposure, adjusted with this slope. The y of a rate is 1 for a
   * unit that converted.
   */
  | ({ type: 'CUPED'; theta: number; isRate?: boolean } & Values & PairMoments)

export interface ComparisonSettings {
  test: 'SEQUENTIAL' | 'FIXED_HORIZON'
  /** Two-sided, of one comparison. */
  alpha: number
  tuningParameter: number
  /** Units of each arm. With fewer, figures are shown and nothing is significant. */
  minUnits: number
  /** Conversions of both arms together: an arm without any is as informative as one with many. */
  minConversions: number
}

/** The first that applies, in this order. Figures that a status does not allow are null. */
export type ComparisonStatus =
  /** A count is negative or not a number, or more units converted than there are. */
  | 'invalid_input'
  /** An arm has no units, or the denominator of its ratio is 0. */
  | 'no_data'
  /** Fewer units than a variance needs (2), or fewer units or conversions than the settings ask for. */
  | 'insufficient_data'
  /** No unit differs from another, in both arms together. */
  | 'zero_variance'
  /** The control mean is 0, so there is no lift. */
  | 'zero_baseline'
  /** The control mean cannot be distinguished from 0, so the interval of the lift has no ends. */
  | 'lift_unbounded'
  | 'ok'

export interface Comparison {
  status: ComparisonStatus
  meanControl: number
  meanTreatment: number
  difference: number
  standardError: number
  criticalValue: number
  pValue: number
  ciLow: number
  ciHigh: number
  lift: number
  liftCiLow: number
  liftCiHigh: number
  /** Before the correction for several comparisons. */
  significant: boolean
}

/** Both arms during a time with one split. */
export interface Stratum {
  /** The share of this stratum in all units; shares need not add up to 1. */
  share: number
  control: ArmData
  treatment: ArmData
}

/**
 * Compares a treatment with control: one pipeline for all types of metrics. Each becomes an effect with its variance and
 * its covariance with the baseline, and one critical value serves the interval, the p-value and the lift, so they can
 * never contradict each other.
 */
export function compare(control: ArmData, treatment: ArmData, settings: ComparisonSettings): Figures<Comparison> {
  return compareStrata([{ share: 1, control, treatment }], settings)
}

/**
 * The same over strata with different splits, by `stratifiedEffect`. Units of such times must not be pooled: a variation
 * that got more of a good week would look better (Simpson's paradox). Only `comparableStrata` count.
 */
export function compareStrata(strata: readonly Stratum[], settings: ComparisonSettings): Figures<Comparison> {
  if (!strata.every(({ control, treatment }) => isValid(control) && isValid(treatment)))
    return { ...nothing, status: 'invalid_input' }
  const used = comparableStrata(strata)
  if (used.length === 0) return { ...nothing, status: 'no_data' }
  const effect = effectOfStrata(used, settings)
  const [controls, treatments] = [used.map(({ control }) => control), used.map(({ treatment }) => treatment)]
  const shares = used.map(({ share }) => share)
  const means = {
    meanControl: stratifiedArm(controls, shares).mean,
    meanTreatment: stratifiedArm(treatments, shares).mean,
  }
  const lift = effect.baseline === 0 ? Number.NaN : effect.estimate / effect.baseline
  const known = { ...nothing, ...means, difference: effect.estimate, lift }
  if (!used.every(isMeasured)) return figures({ ...known, status: 'insufficient_data' as const })
  // No data has a variance below 0.
  if (!(effect.variance >= 0)) return { ...nothing, status: 'invalid_input' }
  if (effect.variance === 0) return figures({ ...known, status: 'zero_variance' as const, standardError: 0 })
  const tested = testEffect(effect, settings)
  const isEnough = hasUnits(controls, settings) && hasUnits(treatments, settings) && hasConversions(used, settings)
  return figures({
    ...tested,
    ...means,
    status: isEnough ? tested.status : 'insufficient_data',
    significant: isEnough && tested.significant,
  }) as Figures<Comparison>
}

/**
 * The strata that say something about both arms. One in which an arm has fewer than 2 units does not count if others have
 * them, so that both arms are of the same times.
 */
export function comparableStrata(strata: readonly Stratum[]): readonly Stratum[] {
  const found = strata.filter(({ control, treatment }) => hasData(control) && hasData(treatment))
  const measured = found.filter(isMeasured)
  return measured.length > 0 ? measured : found
}

/** The effect over strata, with the careful variance where it is needed. */
function effectOfStrata(strata: readonly Stratum[], settings: ComparisonSettings): Effect {
  if (isRare(strata, settings)) return stratifiedEffect(strata, carefulEffect)
  const effect = stratifiedEffect(strata)
  // Two arms can each have equal units but differ from each other. Both then have a variance of 0.
  return effect.variance === 0 && effect.estimate !== 0 ? stratifiedEffect(strata, carefulEffect) : effect
}

/**
 * Both arms as a verdict about their means sees them, over all strata. Covariates do not count.
 */
export function comparedArms(strata: readonly Stratum[], settings: ComparisonSettings): [Arm, Arm] {
  const plain = strata.map(({ control, treatment }) => [armOf(control), armOf(treatment)] as const)
  const isAlike = plain.every((pair) => pair.every(({ variance }) => variance === 0))
  const pairs =
    isAlike || isRare(strata, settings)
      ? strata.map(({ control, treatment }) => carefulArms(control, treatment))
      : plain
  const shares = strata.map(({ share }) => share)
  return [
    stratified(
      pairs.map(([control]) => control),
      shares,
    ),
    stratified(
      pairs.map(([, treatment]) => treatment),
      shares,
    ),
  ]
}

/**
 * Both arms with the larger of two variances of their difference: their own, and that of all units together. An arm with
 * few conversions has a variance that is much too small whenever chance gave it fewer than it should have.
 */
function carefulArms(control: ArmData, treatment: ArmData): readonly [Arm, Arm] {
  const [c, t] = [armOf(control), armOf(treatment)]
  const { variance } = together(control, treatment)
  const isLarger = variance / c.n + variance / t.n > c.variance / c.n + t.variance / t.n
  return isLarger
    ? [
        { ...c, variance },
        { ...t, variance },
      ]
    : [c, t]
}

const carefulEffect = (control: ArmData, treatment: ArmData): Effect => effectOf(...carefulArms(control, treatment))

/** The units of two arms of the same type as one. */
function together(control: ArmData, treatment: ArmData): Arm {
  if (control.type === 'PROPORTION' && treatment.type === 'PROPORTION')
    return proportionArm({ n: control.n + treatment.n, sum: control.sum + treatment.sum })
  if (control.type === 'MEAN' && treatment.type === 'MEAN')
    return meanArm(mergeMoments(control, treatment), control.offset)
  const [c, t] = [control as PairMoments, treatment as PairMoments]
  const { n, sumY: sum, m2Y: m2, ...pair } = mergePairMoments(c, t)
  return control.type === 'RATIO' ? ratioArm({ n, sumY: sum, m2Y: m2, ...pair }) : meanArm({ n, sum, m2 })
}

/** Tests an effect with a variance above 0. */
export function testEffect(
  effect: Effect,
  settings: ComparisonSettings,
): Figures<Omit<Comparison, 'meanControl' | 'meanTreatment'>> {
  const { test, alpha } = settings
  const standardError = Math.sqrt(effect.variance)
  const z = effect.estimate / standardError
  const isSequential = test === 'SEQUENTIAL'
  const q = isSequential ? sequentialCriticalValue(effect.n, settings) : tQuantile(1 - alpha / 2, effect.df)
  const pValue = isSequential ? sequentialPValue(z, effect.n, settings) : 2 * tSf(Math.abs(z), effect.df)
  const lift = fiellerLift(effect, q)
  const status: ComparisonStatus =
    effect.baseline === 0 ? 'zero_baseline' : lift.ciLow === null ? 'lift_unbounded' : 'ok'
  return figures({
    status,
    difference: effect.estimate,
    standardError,
    criticalValue: q,
    pValue,
    ciLow: effect.estimate - q * standardError,
    ciHigh: effect.estimate + q * standardError,
    lift: lift.lift ?? Number.NaN,
    liftCiLow: lift.ciLow ?? Number.NaN,
    liftCiHigh: lift.ciHigh ?? Number.NaN,
    significant: pValue < alpha,
  })
}

/** Mean and variance of a unit of this arm. CUPED shows the unadjusted ones. */
export function armOf(data: ArmData): Arm {
  switch (data.type) {
    case 'PROPORTION':
      return proportionArm(data)
    case 'MEAN':
      return meanArm(data, data.offset)
    case 'RATIO':
      return ratioArm(data, data.offset)
    case 'CUPED':
      return meanArm({ n: data.n, sum: data.sumY, m2: data.m2Y }, data.offset)
  }
}

/** The effect between two arms of the same type. */
export function effectBetween(control: ArmData, treatment: ArmData): Effect | CupedEffect {
  if (control.type === 'CUPED' && treatment.type === 'CUPED')
    return cupedEffect(control, treatment, control.theta, control.offset)
  return effectOf(armOf(control), armOf(treatment))
}

/**
 * One arm over several strata: the mean is that of the strata by their share, `m = Σ s·m_i`, with the variance
 * `Σ s²·v_i / n_i`. Strata without units of the arm do not count.
 */
export function stratifiedArm(arms: readonly ArmData[], shares: readonly number[]): Arm {
  const found = arms.flatMap((arm, i) => (hasData(arm) ? [{ arm: armOf(arm), share: shares[i]! }] : []))
  return stratified(
    found.map(({ arm }) => arm),
    found.map(({ share }) => share),
  )
}

function stratified(arms: readonly Arm[], shares: readonly number[]): Arm {
  const found = arms.map((arm, i) => ({ arm, share: shares[i]! }))
  const all = found.reduce((sum, { share }) => sum + share, 0)
  // The shares add up to 1, so an offset that all strata have is that of their mean.
  const offset = found[0]?.arm.offset ?? 0
  const total = { n: 0, beyond: 0, variance: 0 }
  for (const { arm, share } of found) {
    total.n += arm.n
    total.beyond += (share / all) * differenceOf({ ...beyond(offset, 0), n: 0, variance: 0 }, arm)
    total.variance += (share / all) ** 2 * (arm.variance / arm.n)
  }
  if (found.length === 0) return { n: 0, mean: Number.NaN, variance: Number.NaN }
  return { n: total.n, ...beyond(offset, total.beyond), variance: total.variance * total.n }
}

/**
 * The effect over several strata, each by its share of the units: `d = Σ s·d_i`, `V = Σ s²·V_i`, with degrees of freedom
 * after Satterthwaite.
 */
export function stratifiedEffect(
  strata: readonly Stratum[],
  effectIn: (control: ArmData, treatment: ArmData) => Effect = effectBetween,
): Effect {
  const all = strata.reduce((sum, { share }) => sum + share, 0)
  const parts = strata.map(({ share, control, treatment }) => ({
    share: share / all,
    effect: effectIn(control, treatment),
    sign: Math.sign(armOf(control).mean),
  }))
  const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((total, part) => total + of(part), 0)
  const [only] = parts
  if (only && parts.length === 1) return only.effect
  const baseline = sum(({ share, effect, sign }) => share * sign * effect.baseline)
  const variance = sum(({ share, effect }) => share ** 2 * effect.variance)
  return {
    estimate: sum(({ share, effect }) => share * effect.estimate),
    variance,
    df: 1 / sum(({ share, effect }) => dfPart((share ** 2 * effect.variance) / variance, effect)),
    n: sum(({ effect }) => effect.n),
    baseline: Math.abs(baseline),
    baselineVariance: sum(({ share, effect }) => share ** 2 * effect.baselineVariance),
    covariance: Math.sign(baseline) * sum(({ share, effect, sign }) => share ** 2 * sign * effect.covariance),
  }
}

/** A stratum with equal units has no degrees of freedom, and does not reduce those of the others. */
const dfPart = (part: number, { variance, df }: Effect): number => (variance === 0 ? 0 : part ** 2 / df)

const nothing = {
  meanControl: null,
  meanTreatment: null,
  difference: null,
  standardError: null,
  criticalValue: null,
  pValue: null,
  ciLow: null,
  ciHigh: null,
  lift: null,
  liftCiLow: null,
  liftCiHigh: null,
  significant: false,
}

function hasData(arm: ArmData): boolean {
  return arm.n > 0 && (arm.type !== 'RATIO' || arm.sumX !== 0)
}

const isMeasured = ({ control, treatment }: Stratum): boolean => control.n > 1 && treatment.n > 1

function isValid(arm: ArmData): boolean {
  const numbers = Object.values(arm).filter(
    (value) => value !== arm.type && typeof value !== 'boolean' && value !== undefined,
  )
  if (!numbers.every((value) => typeof value === 'number' && Number.isFinite(value)) || arm.n < 0) return false
  if (arm.type === 'PROPORTION') return arm.sum >= 0 && arm.sum <= arm.n
  return arm.type === 'MEAN' ? arm.m2 >= 0 : arm.m2Y >= 0 && arm.m2X >= 0
}

function hasUnits(arms: readonly ArmData[], { minUnits }: ComparisonSettings): boolean {
  return total(arms, ({ n }) => n) >= minUnits
}

/** Unknown conversions ask for no minimum. */
function hasConversions(strata: readonly Stratum[], { minConversions }: ComparisonSettings): boolean {
  return total(armsOf(strata), (arm) => conversionsOf(arm) ?? Number.POSITIVE_INFINITY) >= minConversions
}

/**
 * Whether an arm has so few conversions, or of a rate so few units without one, that its own variance says too little.
 */
function isRare(strata: readonly Stratum[], { minConversions }: ComparisonSettings): boolean {
  const arms = [strata.map(({ control }) => control), strata.map(({ treatment }) => treatment)]
  return arms.some((parts) => total(parts, rarerOf) < minConversions)
}

const armsOf = (strata: readonly Stratum[]) => strata.flatMap(({ control, treatment }) => [control, treatment])

const total = (arms: readonly ArmData[], of: (arm: ArmData) => number): number =>
  arms.reduce((sum, arm) => sum + of(arm), 0)

function rarerOf(arm: ArmData): number {
  const conversions = conversionsOf(arm) ?? Number.POSITIVE_INFINITY
  const isRate = arm.type === 'PROPORTION' || (arm.type === 'CUPED' && arm.isRate)
  return isRate ? Math.min(conversions, arm.n - conversions) : conversions
}

/** The units with a value other than 0. Undefined if they were not counted. */
function conversionsOf(arm: ArmData): number | undefined {
  if (arm.type === 'PROPORTION') return arm.sum
  return arm.type === 'CUPED' && arm.isRate ? arm.sumY : arm.conversions
}
