import betainc from '@stdlib/math-base-special-betainc'
import betaln from '@stdlib/math-base-special-betaln'
import erfc from '@stdlib/math-base-special-erfc'
import erfcinv from '@stdlib/math-base-special-erfcinv'
import gammainc from '@stdlib/math-base-special-gammainc'
import gammaln from '@stdlib/math-base-special-gammaln'
import tDistribution from '@stdlib/stats-base-dists-t-cdf'
import tInverse from '@stdlib/stats-base-dists-t-quantile'

// Upper tails are computed directly, never as 1 - cdf: that is 0 beyond 8 standard deviations. The relative error is at
// most 1e-13 for the normal, t and chi-square distributions and 4e-10 for the beta distribution.

/** Density of the standard normal distribution at `x`. */
export function normalPdf(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** P(Z <= x) of the standard normal distribution. */
export function normalCdf(x: number): number {
  return erfc(-x / Math.SQRT2) / 2
}

/** P(Z > x) of the standard normal distribution: erfc(x / √2) / 2. */
export function normalSf(x: number): number {
  return erfc(x / Math.SQRT2) / 2
}

/** The value below which a standard normal variable is with probability `p`, 0 <= p <= 1. */
export function normalQuantile(p: number): number {
  const beyond = Math.SQRT2 * erfcinv(2 * Math.min(p, 1 - p))
  return p < 0.5 ? -beyond : beyond
}

/** P(T <= t) of Student's t distribution with `df` > 0 degrees of freedom, which can be fractional. */
export function tCdf(t: number, df: number): number {
  return tDistribution(t, df)
}

/** P(T > t) of Student's t distribution: the lower tail at -t. */
export function tSf(t: number, df: number): number {
  return tDistribution(-t, df)
}

/** The value below which a t variable with `df` degrees of freedom is with probability `p`. */
export function tQuantile(p: number, df: number): number {
  return tInverse(p, df)
}

/** P(X <= x) of the chi-square distribution with `df` degrees of freedom: the incomplete gamma function P(df/2, x/2). */
export function chiSquareCdf(x: number, df: number): number {
  if (df === 0) return 1
  return gammainc(Math.max(0, x) / 2, df / 2, true, false)
}

/** P(X > x) of the chi-square distribution with `df` degrees of freedom: the incomplete gamma function Q(df/2, x/2). */
export function chiSquareSf(x: number, df: number): number {
  if (df === 0) return x > 0 ? 0 : x === 0 ? 1 : Number.NaN
  return gammainc(Math.max(0, x) / 2, df / 2, true, true)
}

/** P(X <= x) of the Beta(a, b) distribution: the regularised incomplete beta function. */
export function betaCdf(x: number, a: number, b: number): number {
  return betainc(Math.min(1, Math.max(0, x)), a, b, true, false)
}

/** P(X > x) of the Beta(a, b) distribution. */
export function betaSf(x: number, a: number, b: number): number {
  return betainc(Math.min(1, Math.max(0, x)), a, b, true, true)
}

/** ln Γ(x). */
export function logGamma(x: number): number {
  return gammaln(x)
}

/** ln B(a, b). */
export function logBeta(a: number, b: number): number {
  return betaln(a, b)
}
