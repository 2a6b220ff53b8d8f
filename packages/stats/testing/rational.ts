/** A fraction, for tests: what figures should be, without any rounding. */
export class Rational {
  readonly top: bigint
  readonly bottom: bigint

  constructor(top: bigint, bottom = 1n) {
    this.top = bottom < 0n ? -top : top
    this.bottom = bottom < 0n ? -bottom : bottom
  }

  /** A double, with all of its bits. */
  static of(value: number): Rational {
    let [top, bottom] = [value, 1n]
    while (!Number.isInteger(top)) {
      top *= 2
      bottom *= 2n
    }
    return new Rational(BigInt(top), bottom)
  }

  /** The decimal number that a double is written as. */
  static ofDecimal(value: number): Rational {
    const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
    const [whole, fraction = ''] = mantissa.split('.') as [string, string?]
    const power = Number(exponent) - fraction.length
    const digits = BigInt(`${whole}${fraction}`)
    return power >= 0 ? new Rational(digits * 10n ** BigInt(power)) : new Rational(digits, 10n ** BigInt(-power))
  }

  plus({ top, bottom }: Rational): Rational {
    // Numbers stay small: parts of doubles, and of decimal numbers, divide each other.
    if (bottom % this.bottom === 0n) return new Rational(this.top * (bottom / this.bottom) + top, bottom)
    if (this.bottom % bottom === 0n) return new Rational(this.top + top * (this.bottom / bottom), this.bottom)
    return new Rational(this.top * bottom + top * this.bottom, this.bottom * bottom)
  }

  minus({ top, bottom }: Rational): Rational {
    return this.plus(new Rational(-top, bottom))
  }

  times({ top, bottom }: Rational): Rational {
    return new Rational(this.top * top, this.bottom * bottom)
  }

  over({ top, bottom }: Rational): Rational {
    const [whole, part] = [this.top * bottom, this.bottom * top]
    const shared = divisorOf(whole, part)
    return new Rational(whole / shared, part / shared)
  }

  /** The nearest double, or the one beside it. */
  toNumber(): number {
    const bits = (value: bigint) => 4 * (value < 0n ? -value : value).toString(16).length
    const shift = Math.max(0, 80 + bits(this.bottom) - bits(this.top))
    return Number((this.top << BigInt(shift)) / this.bottom) * 2 ** -shift
  }
}

/** The greatest that divides both. */
function divisorOf(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b]
  while (small !== 0n) [large, small] = [small, large % small]
  return large < 0n ? -large : large
}

export const count = (n: number): Rational => new Rational(BigInt(n))
export const sumOf = (values: readonly Rational[]): Rational =>
  values.reduce((total, value) => total.plus(value), new Rational(0n))

/** The sum of the products of deviations from both means. */
export function deviations(ys: readonly Rational[], xs: readonly Rational[]): Rational {
  const products = sumOf(ys.map((y, i) => y.times(xs[i]!)))
  return products.minus(sumOf(ys).times(sumOf(xs)).over(count(ys.length)))
}

/** A mean, and the variance of it. */
export interface ExactMean {
  mean: Rational
  variance: Rational
}

export function meanOf(ys: readonly Rational[]): ExactMean {
  const n = count(ys.length)
  return {
    mean: sumOf(ys).over(n),
    variance: deviations(ys, ys)
      .over(n.minus(count(1)))
      .over(n),
  }
}

/** y over x, by the delta method. */
export function ratioOf(ys: readonly Rational[], xs: readonly Rational[]): ExactMean {
  const n = count(ys.length)
  const mean = sumOf(ys).over(sumOf(xs))
  const residuals = ys.map((y, i) => y.minus(mean.times(xs[i]!)))
  const denominator = sumOf(xs).over(n)
  return { mean, variance: meanOf(residuals).variance.over(denominator.times(denominator)) }
}

/** y adjusted by x, with this slope. */
export function adjustedMean(ys: readonly Rational[], xs: readonly Rational[], slope: Rational): ExactMean {
  return meanOf(ys.map((y, i) => y.minus(slope.times(xs[i]!))))
}

/** Of all units of all arms. */
export function slopeOf(ys: readonly Rational[], xs: readonly Rational[]): Rational {
  return deviations(ys, xs).over(deviations(xs, xs))
}
