import { csvOf } from '../../../csv.ts'
import type { Dimension, Results } from './schema.ts'

/** One row for each metric and variation, in the order of the answer; with a dimension, those of each value. */
export function resultsCsv({
  ruleId,
  dataThrough,
  units,
  metrics,
  dimension,
}: Results & { dimension?: Dimension }): string {
  // A visitor can have the value (other) or (none), too.
  const parts = dimension
    ? dimension.values.map(({ kind = 'VALUE', ...of }) => ({ kind, ...of }))
    : [{ kind: null, value: null, metrics }]
  const all = parts.flatMap((part) => part.metrics.map((metric) => ({ value: part.value, kind: part.kind, metric })))
  const rows = all.flatMap(({ value, kind, metric }) =>
    metric.variations.map((variation) => {
      const { comparison } = variation
      return {
        ruleId,
        dataThrough,
        dimension: dimension?.name ?? null,
        dimensionValue: value,
        dimensionKind: kind,
        metric: metric.key,
        metricName: metric.name,
        metricType: metric.type,
        role: metric.role,
        direction: metric.direction,
        unit: metric.unit,
        variation: units.variations.find(({ variationId }) => variationId === variation.variationId)?.key ?? null,
        variationId: variation.variationId,
        units: variation.units,
        sum: variation.sum,
        denominatorSum: variation.denominatorSum,
        mean: variation.mean,
        stddev: variation.stddev,
        meanCiLow: variation.ciLow,
        meanCiHigh: variation.ciHigh,
        status: comparison?.status ?? null,
        difference: comparison?.difference.estimate ?? null,
        standardError: comparison?.difference.standardError ?? null,
        differenceCiLow: comparison?.difference.ciLow ?? null,
        differenceCiHigh: comparison?.difference.ciHigh ?? null,
        lift: comparison?.lift.estimate ?? null,
        liftCiLow: comparison?.lift.ciLow ?? null,
        liftCiHigh: comparison?.lift.ciHigh ?? null,
        pValue: comparison?.pValue ?? null,
        pValueAdjusted: comparison?.pValueAdjusted ?? null,
        significant: comparison?.significant ?? null,
        chanceToBeatControl: comparison?.bayesian.chanceToBeatControl ?? null,
        expectedLoss: comparison?.bayesian.expectedLoss ?? null,
        guardrail: comparison?.guardrail?.state ?? null,
        skewness: variation.skewness ?? null,
        unitsForSkewness: variation.unitsForSkewness ?? null,
      }
    }),
  )
  return csvOf(rows, columns)
}

const columns = [
  'ruleId',
  'dataThrough',
  'dimension',
  'dimensionValue',
  'dimensionKind',
  'metric',
  'metricName',
  'metricType',
  'role',
  'direction',
  'unit',
  'variation',
  'variationId',
  'units',
  'sum',
  'denominatorSum',
  'mean',
  'stddev',
  'meanCiLow',
  'meanCiHigh',
  'status',
  'difference',
  'standardError',
  'differenceCiLow',
  'differenceCiHigh',
  'lift',
  'liftCiLow',
  'liftCiHigh',
  'pValue',
  'pValueAdjusted',
  'significant',
  'chanceToBeatControl',
  'expectedLoss',
  'guardrail',
  'skewness',
  'unitsForSkewness',
].map((key) => ({ key }))

/** The names of the columns. */
export const csvHeader = csvOf([], columns).replace('\uFEFF', '')
