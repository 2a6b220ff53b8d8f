/**
 * What is kept of a value per unit: the number of units, the sum, and the sum of squared deviations from the mean
 * (centred, because sums of squares of large values lose their variance in rounding). Two sets can be merged. Merged sets
 * of large values need sums beyond an offset, or the difference of their means is lost in rounding.
 */
export interface Moments {
  n: number
  sum: number
  m2: number
}

/** Moments of two values per unit, y and x, with the sum of the products of their deviations. */
export interface PairMoments {
  n: number
  sumY: number
  m2Y: number
  sumX: number
  m2X: number
  cXY: number
}

/** Moments with the sum of cubed deviations from the mean, which shows how skewed a value is. */
export interface ThirdMoments extends Moments {
  m3: number
}

/** Plain sums, as exports of other tools have them. */
export interface PlainSums {
  n: number
  sum: number
  sumSquares: number
}

/** The part of a sum of squares that rounding can make of a variance of zero. */
const roundingShare = 1e-9

/** Moments of a list of values. */
export function momentsOf(values: readonly number[]): Moments {
  const { n, sum, m2 } = centredAt(values)
  return { n, sum, m2 }
}

/** Moments with what the rounding of the mean has left: the deviations from it add up to `rest`, not to 0. */
function centredAt(values: readonly number[]): Moments & { mean: number; rest: number } {
  const n = values.length
  const sum = sumOf(values)
  const mean = sum / n
  const rest = sumOf(values.map((value) => value - mean))
  const m2 = sumOf(values.map((value) => (value - mean) ** 2)) - (n === 0 ? 0 : rest ** 2 / n)
  return { n, sum, m2: Math.max(0, m2), mean, rest }
}

/** A sum with what rounding loses of each addition (Neumaier 1974). */
function sumOf(values: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + lost
}

/** Moments of a list of pairs [y, x]. */
export function pairMomentsOf(pairs: readonly (readonly [number, number])[]): PairMoments {
  const y = centredAt(pairs.map(([value]) => value))
  const x = centredAt(pairs.map(([, value]) => value))
  const products = sumOf(pairs.map(([valueY, valueX]) => (valueY - y.mean) * (valueX - x.mean)))
  const cXY = products - (y.n === 0 ? 0 : (y.rest * x.rest) / y.n)
  return { n: pairs.length, sumY: y.sum, m2Y: y.m2, sumX: x.sum, m2X: x.m2, cXY }
}

/**
 * Centres plain sums: `sumSquares - sum² / n`, without rounding before the difference. A result that is negative by at most 1e-9 of the sum of squares counts as
 * 0, because rounding causes it. A larger negative result stays: such sums belong to no data.
 */
export function momentsFromSums({ n, sum, sumSquares }: PlainSums): Moments {
  return { n, sum, m2: n === 0 ? 0 : centred(productOfDeviations(n, sumSquares, sum, sum), sumSquares) }
}

/** `sumProduct - sumY · sumX / n`, without rounding before the difference: of plain sums, as exports have them. */
export function productOfDeviations(n: number, sumProduct: number, sumY: number, sumX: number): number {
  const [whole, part] = productOf(n, sumProduct)
  const [less, lessPart] = productOf(sumY, sumX)
  const exact = (whole - less + (part - lessPart)) / n
  return Number.isFinite(exact) ? exact : sumProduct - (sumY * sumX) / n
}

/** A product as its nearest double and what that lacks (Dekker 1971). */
function productOf(a: number, b: number): [number, number] {
  const product = a * b
  const [aHigh, bHigh] = [highPart(a), highPart(b)]
  const [aLow, bLow] = [a - aHigh, b - bHigh]
  return [product, aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)]
}

/** The first 26 bits of a double. */
function highPart(value: number): number {
  const shifted = value * (2 ** 27 + 1)
  return shifted - (shifted - value)
}

/** Moments of all units of both parts (Chan, Golub and LeVeque 1979): `m2 = m2a + m2b + δ² · na · nb / (na + nb)`. */
export function mergeMoments(a: Moments, b: Moments): Moments {
  if (a.n === 0) return { ...b }
  if (b.n === 0) return { ...a }
  const n = a.n + b.n
  const delta = b.sum / b.n - a.sum / a.n
  return { n, sum: a.sum + b.sum, m2: a.m2 + b.m2 + (delta * delta * a.n * b.n) / n }
}

/** The same with third moments: `m3 = m3a + m3b + δ³ · na · nb · (na - nb) / n² + 3δ · (na · m2b - nb · m2a) / n`. */
export function mergeThirdMoments(a: ThirdMoments, b: ThirdMoments): ThirdMoments {
  if (a.n === 0) return { ...b }
  if (b.n === 0) return { ...a }
  const n = a.n + b.n
  const delta = b.sum / b.n - a.sum / a.n
  const apart = (delta ** 3 * a.n * b.n * (a.n - b.n)) / n ** 2
  return {
    ...mergeMoments(a, b),
    m3: a.m3 + b.m3 + apart + (3 * delta * (a.n * b.m2 - b.n * a.m2)) / n,
  }
}

/** The skewness, `(m3 / n) / (m2 / n)^1.5`. NaN if all units have the same value. */
export function skewnessOf({ n, m2, m3 }: ThirdMoments): number {
  return m2 > 0 ? m3 / n / (m2 / n) ** 1.5 : Number.NaN
}

/** The same for pairs: `c = ca + cb + δy · δx · na · nb / (na + nb)`. */
export function mergePairMoments(a: PairMoments, b: PairMoments): PairMoments {
  if (a.n === 0) return { ...b }
  if (b.n === 0) return { ...a }
  const y = mergeMoments(momentsOfY(a), momentsOfY(b))
  const x = mergeMoments(momentsOfX(a), momentsOfX(b))
  const deltaY = b.sumY / b.n - a.sumY / a.n
  const deltaX = b.sumX / b.n - a.sumX / a.n
  const cXY = a.cXY + b.cXY + (deltaY * deltaX * a.n * b.n) / y.n
  return { n: y.n, sumY: y.sum, m2Y: y.m2, sumX: x.sum, m2X: x.m2, cXY }
}

/** No units: `mergePairMoments` with it changes nothing. */
export const noPairs: PairMoments = { n: 0, sumY: 0, m2Y: 0, sumX: 0, m2X: 0, cXY: 0 }

export function momentsOfY({ n, sumY, m2Y }: PairMoments): Moments {
  return { n, sum: sumY, m2: m2Y }
}

export function momentsOfX({ n, sumX, m2X }: PairMoments): Moments {
  return { n, sum: sumX, m2: m2X }
}

/** The sample variance of a unit, `m2 / (n - 1)`. NaN for fewer than 2 units. */
export function varianceOf({ n, m2 }: Moments): number {
  return n < 2 ? Number.NaN : m2 / (n - 1)
}

function centred(value: number, sumSquares: number): number {
  return value < 0 && -value <= roundingShare * Math.abs(sumSquares) ? 0 : value
}
