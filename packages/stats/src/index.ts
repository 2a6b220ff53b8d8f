export type { Arm, Conversions } from './arm.ts'
export { meanArm, proportionArm, ratioArm } from './arm.ts'
export { prePeriodBalance } from './balance.ts'
export type { BetaBinomial, BetaPrior } from './beta-binomial.ts'
export { betaBinomial, uniformPrior } from './beta-binomial.ts'
export type { ArmData, Comparison, ComparisonSettings, ComparisonStatus, Stratum } from './compare.ts'
export {
  armOf,
  comparableStrata,
  compare,
  comparedArms,
  compareStrata,
  effectBetween,
  stratifiedArm,
  stratifiedEffect,
  testEffect,
} from './compare.ts'
export { crossoverCheck, crossoverFailsFrom } from './crossover.ts'
export type { CupedEffect } from './cuped.ts'
export { cupedEffect, cupedTest, pooledTheta } from './cuped.ts'
export type { ArmVerdict, Decision, Evidence, Recommendation } from './decide.ts'
export { decide } from './decide.ts'
export {
  betaCdf,
  betaSf,
  chiSquareCdf,
  chiSquareSf,
  logBeta,
  logGamma,
  normalCdf,
  normalPdf,
  normalQuantile,
  normalSf,
  tCdf,
  tQuantile,
  tSf,
} from './distributions.ts'
export type { Figures } from './figures.ts'
export { fisherExact } from './fisher.ts'
export type { GaussianPosterior, GaussianPrior } from './gaussian-posterior.ts'
export { flatPrior, gaussianPosterior } from './gaussian-posterior.ts'
export type { LiftInterval } from './lift.ts'
export { deltaLift, fiellerLift } from './lift.ts'
export type { Moments, PairMoments, PlainSums, ThirdMoments } from './moments.ts'
export {
  mergeMoments,
  mergePairMoments,
  mergeThirdMoments,
  momentsFromSums,
  momentsOf,
  momentsOfX,
  momentsOfY,
  noPairs,
  pairMomentsOf,
  productOfDeviations,
  skewnessOf,
  varianceOf,
} from './moments.ts'
export type { Correction } from './multiplicity.ts'
export { adjustPValues, alphaOfOne, benjaminiHochberg, holm } from './multiplicity.ts'
export { newcombeInterval } from './newcombe.ts'
export type { Direction, Guardrail, GuardrailState, Margin } from './non-inferiority.ts'
export { guardrail, nonInferiority } from './non-inferiority.ts'
export type { PlannedComparison } from './power.ts'
export { relativeMde, relativePower } from './power.ts'
export { twoProportionTest } from './proportions.ts'
export { progress, runtime } from './runtime.ts'
export type { Certainty } from './sample-size.ts'
export { meanSampleSize, nonInferioritySampleSize, proportionSampleSize, sequentialFactor } from './sample-size.ts'
export type { SequentialEstimate, SequentialSettings } from './sequential.ts'
export {
  defaultTuningParameter,
  sequentialBounds,
  sequentialCriticalValue,
  sequentialInterval,
  sequentialOneSidedPValue,
  sequentialPValue,
  sequentialRho,
} from './sequential.ts'
export type { HealthStatus, Split } from './srm.ts'
export {
  impossibleVariations,
  srmChiSquare,
  srmConcentration,
  srmFailsAboveBayesFactor,
  srmFailsBelow,
  srmHasLooked,
  srmOfDay,
  srmOfPeriods,
  srmSequential,
  srmStatus,
  srmWarnsBelow,
} from './srm.ts'
export { allocation, noExposures, starvedVariations, trafficDrop } from './traffic.ts'
export type { Effect, WelchTest } from './welch.ts'
export { effectOf, welchDf, welchTest } from './welch.ts'
export { wilsonInterval } from './wilson.ts'
export type { Winsorization } from './winsorize.ts'
export { defaultWinsorizedShare, unitsForSkewness, winsorizationCap, winsorize } from './winsorize.ts'
