import { type ArmData, mergePairMoments, noPairs, type PairMoments, pooledTheta, type Stratum } from '@svc/stats'
import type { MeasuredMetric, Moments, Phase } from './figures.ts'

/** The phases with the same split, which can be pooled. */
export interface Split {
  phases: ReadonlySet<number>
  weights: Readonly<Record<string, number>>
}

/** What is known of each variation in one stratum. */
export interface MetricStratum {
  /** All units of the stratum. */
  units: number
  arms: ReadonlyMap<string, ArmData>
}

/** Phases by their split. A weight of 0 is the same as none. */
export function splitsOf(phases: readonly Phase[]): Split[] {
  const groups = Map.groupBy(phases, ({ weights }) =>
    JSON.stringify(
      Object.entries(weights)
        .filter(([, weight]) => weight > 0)
        .sort(),
    ),
  )
  return [...groups.values()].map((group) => ({
    phases: new Set(group.map(({ phase }) => phase)),
    weights: group[0]!.weights,
  }))
}

/** The figures of a metric by split. `rows` are those of the metric. */
export function strataOf(
  { type }: Pick<MeasuredMetric, 'type'>,
  rows: readonly Moments[],
  { splits, variationIds, cuped }: { splits: readonly Split[]; variationIds: readonly string[]; cuped: boolean },
): { strata: MetricStratum[]; theta: number | null } {
  const isAdjusted = cuped && type !== 'RATIO'
  const pairs = splits.map(({ phases }) => {
    const inSplit = rows.filter(({ phase }) => phases.has(phase))
    return new Map(
      variationIds.map((id) => {
        const ofVariation = inSplit.filter(({ variationId }) => variationId === id)
        const offset = (type !== 'PROPORTION' && rows[0]?.offset) || 0
        return [id, { ...pairOf(type, ofVariation), offset, conversions: conversionsIn(ofVariation) }]
      }),
    )
  })
  // One slope for all comparisons and all times, so that control has the same figure in each of them.
  const theta = isAdjusted ? pooledTheta(pairs.flatMap((pair) => [...pair.values()])) : null
  const strata = pairs.map((pair) => ({
    units: [...pair.values()].reduce((sum, { n }) => sum + n, 0),
    arms: new Map([...pair].map(([id, moments]) => [id, armData(type, moments, theta)])),
  }))
  return { strata: strata.filter(({ units }) => units > 0), theta }
}

/** Two variations in each stratum. */
export function between(strata: readonly MetricStratum[], control: string, treatment: string): Stratum[] {
  return strata.flatMap(({ units, arms }) => {
    const [c, t] = [arms.get(control), arms.get(treatment)]
    return c && t ? [{ share: units, control: c, treatment: t }] : []
  })
}

/** y beyond the offset, with its denominator or its covariate, over all rows. */
function pairOf(type: MeasuredMetric['type'], rows: readonly Moments[]): PairMoments {
  return rows
    .map((row) => {
      const { n, m2Y, sumD, m2D, cYD, sumX, beyondX = sumX, m2X, cYX } = row
      const sumY = beyondOffset(type, row)
      return type === 'RATIO'
        ? { n, sumY, m2Y, sumX: sumD, m2X: m2D, cXY: cYD }
        : { n, sumY, m2Y, sumX: beyondX, m2X, cXY: cYX }
    })
    .reduce(mergePairMoments, noPairs)
}

/** Values of 0 and 1 need no offset, and their sum is the number of those who converted. */
export const beyondOffset = (type: MeasuredMetric['type'], { sumY, beyondY = sumY }: Moments): number =>
  type === 'PROPORTION' ? sumY : beyondY

/** The units with a value other than 0. Undefined if they were not counted. */
export function conversionsIn(rows: readonly Moments[]): number | undefined {
  return rows.reduce<number | undefined>(
    (total, { converted }) => (total === undefined || converted === null ? undefined : total + converted),
    0,
  )
}

function armData(
  type: MeasuredMetric['type'],
  pair: PairMoments & { conversions: number | undefined; offset: number },
  theta: number | null,
): ArmData {
  if (theta !== null) return { type: 'CUPED', theta, isRate: type === 'PROPORTION', ...pair }
  if (type === 'RATIO') return { type, ...pair }
  const { n, sumY: sum, m2Y: m2, conversions, offset } = pair
  return type === 'PROPORTION' ? { type, n, sum } : { type, n, sum, m2, conversions, offset }
}
