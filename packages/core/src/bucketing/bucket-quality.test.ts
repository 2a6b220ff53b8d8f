import { describe, expect, it } from 'vitest'
import type { DataFile, ExclusionGroup, Rule } from '../datafile.ts'
import { compile } from '../evaluate.ts'
import { bucket, bucketCount, compileBucket } from './bucket.ts'

// Units and salts are fixed, so the tests are deterministic. `SVC_TEST_FULL=1` runs full sizes and prints figures.
const isFull = Boolean(process.env.SVC_TEST_FULL)
const unitCount = 20_000
const saltCount = isFull ? 300 : 60
const pairCount = isFull ? 400 : 80
const groupUnitCount = 100_000

const significance = 0.01
// 3 %, or the limit that chance allows for fewer than 300 p-values.
const rejectedMax = (count: number) => Math.max(0.03, significance + 3.4 * Math.sqrt(significance / count))
// The 1 % bound of Kolmogorov and Smirnov: 0.094 for 300 p-values.
const distanceMax = (count: number) => 1.63 / Math.sqrt(count)

/** Returns a function that draws buckets under a salt. */
type Hash = (salt: string) => (unit: string) => number

describe('chiSquareTail', () => {
  it.each([
    [0, 5, 1],
    [40, 1, 2.539629e-10],
    [6.634897, 1, 0.01],
    [148.2304, 99, 0.001],
    [98.33414, 99, 0.5],
    [103.0095, 81, 0.05],
  ])('gives for %f with %i degrees of freedom %f', (statistic, freedom, tail) => {
    expect(chiSquareTail(statistic, freedom) / tail).toBeCloseTo(1, 4)
  })
})

describe('uniformity', () => {
  it.each<[string, (i: number) => string]>([
    ['sequential ids', (i) => `user-${i}`],
    ['numbers', (i) => String(i)],
    ['zero-padded numbers', (i) => String(i).padStart(10, '0')],
    ['e-mail addresses', (i) => `${['ada', 'grace', 'alan', 'edsger'][i % 4]}.${i}@example.com`],
    ['UUIDs', uuid],
  ])('holds for %s, and the p-values are uniform', (name, unitOf) => {
    const units = range(unitCount).map(unitOf)
    const pValues = range(saltCount).map((i) => uniformity(compileBucket(`${uuid(i)}.split`), units))
    const figures = { rejected: shareRejected(pValues), distance: distanceFromUniform(pValues) }
    report(`uniformity of ${name}`, figures)
    expect(figures.rejected).toBeLessThanOrEqual(rejectedMax(saltCount))
    expect(figures.distance).toBeLessThan(distanceMax(saltCount))
  })
})

describe('independence', () => {
  const units = range(unitCount).map((i) => `user-${i}`)

  it.each<[string, (i: number) => [string, string]]>([
    ['two rules', (i) => [`${uuid(2 * i)}.split`, `${uuid(2 * i + 1)}.split`]],
    ['rules whose salts differ in one character', (i) => [`rule-${i}a.split`, `rule-${i}b.split`]],
    ['rules whose salts are consecutive numbers', (i) => [`${i}.split`, `${i + 1}.split`]],
    ['entry and variation of one rule', (i) => [`${uuid(i)}.traffic`, `${uuid(i)}.split`]],
    ['a group and a rule in it', (i) => [`group-${i}`, `${uuid(i)}.split`]],
  ])('holds for %s', (name, saltsOf) => {
    const rejected = independence(compileBucket, range(pairCount).map(saltsOf), units)
    report(`independence of ${name}`, rejected)
    expect(rejected.halves).toBeLessThanOrEqual(rejectedMax(pairCount))
    expect(rejected.tenths).toBeLessThanOrEqual(rejectedMax(pairCount))
  })

  it('fails for FNV-1a modulo 1000 with the salt at the end, so the test can detect dependence', () => {
    const pairs = range(pairCount).map((i): [string, string] => [`rule-${2 * i}`, `rule-${2 * i + 1}`])
    const rejected = independence(suffixFnv, pairs, units)
    report('independence of FNV-1a mod 1000, suffix salt', rejected)
    expect(Math.max(rejected.halves, rejected.tenths)).toBeGreaterThan(0.9)
  })
})

describe('a rollout', () => {
  const units = range(unitCount).map((i) => `user-${i}`)
  const servedAt = (traffic: number) => serve([{ ...test, traffic }], units)

  it('keeps every visitor and variation as it grows, and steps back to the earlier result', () => {
    const steps = [0, 100, 500, 2000, 5000, 10_000].map((traffic) => ({ traffic, variations: servedAt(traffic) }))
    for (const [i, { traffic, variations }] of steps.entries()) {
      const before = steps[i - 1]?.variations ?? []
      expect(before.every((variation, unit) => variation === 'none' || variation === variations[unit])).toBe(true)
      expectShare(
        count(variations, (variation) => variation !== 'none'),
        units.length,
        traffic / bucketCount,
      )
    }
    for (const { traffic, variations } of steps.toReversed()) expect(servedAt(traffic)).toEqual(variations)
  })

  it('splits 20 % of the traffic as evenly as all of it', () => {
    const entered = servedAt(2000).filter((variation) => variation !== 'none')
    expectShare(
      count(entered, (variation) => variation === 'a'),
      entered.length,
      0.5,
    )
  })

  it('moves only a tenth of the visitors, in one direction, from 50/50 to 60/40', () => {
    const many = range(groupUnitCount).map((i) => `user-${i}`)
    const even = serve([test], many)
    const tilted = serve([{ ...test, split: splitAt(6000) }], many)
    const moved = many.flatMap((_, i) => (even[i] === tilted[i] ? [] : [`${even[i]} to ${tilted[i]}`]))
    report('50/50 to 60/40', { moved: moved.length / many.length })
    expect(new Set(moved)).toEqual(new Set(['b to a']))
    expectShare(moved.length, many.length, 0.1)
  })
})

describe('all draws of a visitor', () => {
  const units = range(groupUnitCount).map((i) => `user-${i}`)
  // Places in two groups and a holdout, and what two rules draw.
  const salts = ['checkout', 'search', 'quiet', 'r1.traffic', 'r1.split', 'r2.traffic', 'r2.split']
  const draws = salts.map((salt) => units.map(compileBucket(salt)))

  it.each(salts.flatMap((one, at) => salts.slice(at + 1).map((other) => [one, other] as const)))(
    'are independent: %s and %s',
    (one, other) => {
      const [places, others] = [draws[salts.indexOf(one)]!, draws[salts.indexOf(other)]!]
      // 21 pairs: chance alone gives one of them such a table in 50 sets of salts.
      expect(dependence(places, others, 10)).toBeGreaterThan(0.001)
    },
  )
})

describe('an exclusion group', () => {
  const units = range(groupUnitCount).map((i) => `user-${i}`)
  const slots = [
    { ruleId: 'r1', from: 0, to: 3000 },
    { ruleId: 'r2', from: 3000, to: 5000 },
    { ruleId: 'r3', from: 5000, to: 9000 },
  ]
  const served = (ruleId: string, group: ExclusionGroup) =>
    serve([{ ...test, id: ruleId, salt: ruleId, group: 'g' }], units, { g: group })
  const group = { salt: 'checkout', slots }
  const byRule = slots.map(({ ruleId }) => served(ruleId, group))

  it('never lets a unit into two rules, and gives each rule its share', () => {
    const rulesOf = (i: number) => count(byRule, (variations) => variations[i] !== 'none')
    expect(units.every((_, i) => rulesOf(i) <= 1)).toBe(true)
    for (const [i, { from, to }] of slots.entries()) {
      expectShare(
        count(byRule[i]!, (variation) => variation !== 'none'),
        units.length,
        (to - from) / bucketCount,
      )
    }
  })

  it('moves no unit when a rule is added', () => {
    const joined = { ...group, slots: [...slots, { ruleId: 'r4', from: 9000, to: 10_000 }] }
    for (const [i, { ruleId }] of slots.entries()) expect(served(ruleId, joined)).toEqual(byRule[i])
    expectShare(
      count(served('r4', joined), (variation) => variation !== 'none'),
      units.length,
      0.1,
    )
  })

  it('draws independently of variations and other groups', () => {
    for (const variations of byRule) {
      const inside = variations.filter((variation) => variation !== 'none')
      expectShare(
        count(inside, (variation) => variation === 'a'),
        inside.length,
        0.5,
      )
    }
    const rejected = independence(
      compileBucket,
      range(pairCount).map((i) => [`group-${2 * i}`, `group-${2 * i + 1}`]),
      units.slice(0, unitCount),
    )
    report('independence of two groups', rejected)
    expect(Math.max(rejected.halves, rejected.tenths)).toBeLessThanOrEqual(rejectedMax(pairCount))
  })
})

const splitAt = (end: number) => [
  { variation: 'a', end },
  { variation: 'b', end: bucketCount },
]

const test: Rule & { type: 'AB_TEST' } = {
  id: 'r1',
  type: 'AB_TEST',
  when: { all: [] },
  bucketBy: ['targetingKey'],
  hashVersion: 1,
  salt: 'r1',
  traffic: bucketCount,
  split: splitAt(5000),
}

/** The variation of each unit; `none` if no rule matches. */
function serve(rules: Rule[], units: string[], exclusionGroups: DataFile['exclusionGroups'] = {}): (string | null)[] {
  const variations = { a: 'A', b: 'B', none: '' }
  const flag = { id: 'f1', type: 'STRING' as const, enabled: true, variations, defaultVariation: 'none', rules }
  const environment = { id: 'e1', key: 'production' }
  const head = { schemaVersion: 1 as const, revision: 1, environment, publishedAt: null }
  const evaluator = compile({ ...head, audiences: {}, exclusionGroups, flags: { flag }, events: {} })
  return units.map((targetingKey) => evaluator.evaluate('flag', { targetingKey }, 0).variationKey)
}

/** The p-value of 100 bins that should hold the same number of units. */
function uniformity(draw: (unit: string) => number, units: string[]): number {
  const bins = new Array<number>(100).fill(0)
  for (const unit of units) add(bins, Math.floor(draw(unit) / 100))
  const expected = units.length / bins.length
  const statistic = bins.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0)
  return chiSquareTail(statistic, bins.length - 1)
}

/** The shares of salt pairs with dependent buckets, by tests on tables of 2 by 2 and 10 by 10. */
function independence(hash: Hash, pairs: [string, string][], units: string[]): { halves: number; tenths: number } {
  const pValues = pairs.map(([first, second]) => {
    const [draw, drawOther] = [hash(first), hash(second)]
    const [places, others] = [units.map(draw), units.map(drawOther)]
    return { halves: dependence(places, others, 2), tenths: dependence(places, others, 10) }
  })
  return {
    halves: shareRejected(pValues.map(({ halves }) => halves)),
    tenths: shareRejected(pValues.map(({ tenths }) => tenths)),
  }
}

function dependence(places: number[], others: number[], size: number): number {
  const cells = new Array<number>(size * size).fill(0)
  const rows = new Array<number>(size).fill(0)
  const columns = new Array<number>(size).fill(0)
  for (const [i, place] of places.entries()) {
    const row = Math.floor((place * size) / bucketCount)
    const column = Math.floor((others[i]! * size) / bucketCount)
    add(cells, row * size + column)
    add(rows, row)
    add(columns, column)
  }
  let statistic = 0
  for (const [i, found] of cells.entries()) {
    const expected = (rows[Math.floor(i / size)]! * columns[i % size]!) / places.length
    statistic += (found - expected) ** 2 / expected
  }
  return chiSquareTail(statistic, (size - 1) ** 2)
}

/** The first hash version of GrowthBook. Kept as an example that must fail. */
function suffixFnv(salt: string): (unit: string) => number {
  return (unit) => {
    const text = unit + salt
    let hash = 0x811c9dc5
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    return ((hash >>> 0) % 1000) * 10
  }
}

/** The upper tail of the chi-square distribution: the regularised incomplete gamma function Q(freedom / 2, x / 2). */
function chiSquareTail(statistic: number, freedom: number): number {
  if (statistic === 0) return 1
  const [a, x] = [freedom / 2, statistic / 2]
  const density = Math.exp(a * Math.log(x) - x - logGamma(a))
  return x < a + 1 ? 1 - density * gammaSeries(a, x) : density * gammaFraction(a, x)
}

// This works for multiples of 1/2 only, by recurrence from 1/2 or 1.
function logGamma(a: number): number {
  let log = Number.isInteger(a) ? 0 : Math.log(Math.sqrt(Math.PI))
  for (let factor = Number.isInteger(a) ? 1 : 0.5; factor < a; factor++) log += Math.log(factor)
  return log
}

function gammaSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; term > sum * Number.EPSILON; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

// Evaluates the continued fraction backwards. Its length suffices for the tables in this file.
function gammaFraction(a: number, x: number): number {
  let fraction = 0
  for (let n = 1000; n > 0; n--) fraction = (n * (n - a)) / (x + 2 * n + 1 - a - fraction)
  return 1 / (x + 1 - a - fraction)
}

function shareRejected(pValues: number[]): number {
  return count(pValues, (p) => p < significance) / pValues.length
}

/** The largest distance between the distribution of the values and the uniform one. */
function distanceFromUniform(values: number[]): number {
  const { length } = values
  const sorted = values.toSorted((a, b) => a - b)
  return Math.max(...sorted.map((value, i) => Math.max((i + 1) / length - value, value - i / length)))
}

function expectShare(found: number, total: number, share: number): void {
  expect(Math.abs(found - total * share)).toBeLessThanOrEqual(3 * Math.sqrt(total * share * (1 - share)))
}

// As random as UUIDs, but the same in every run.
function uuid(i: number): string {
  const digits = range(8).map((n) => (bucket(`uuid-${n}`, String(i)) + 0x10_000 + n * 4099).toString(16).slice(-4))
  return digits.join('').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

function add(counts: number[], i: number): void {
  counts[i] = counts[i]! + 1
}

function count<Item>(items: Item[], holds: (item: Item) => boolean): number {
  return items.reduce((sum, item) => sum + Number(holds(item)), 0)
}

function report(name: string, figures: Record<string, number>): void {
  if (isFull) console.info(name, figures)
}
