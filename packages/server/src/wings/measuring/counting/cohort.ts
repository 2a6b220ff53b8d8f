// What is counted: plain rows, as the queries answer them. Nothing here does IO.

/** Units of one phase, by the variation and the day of their first exposure. */
export interface UnitRow {
  phase: number
  variationId: string
  /** UTC, such as `2026-01-31`. */
  day: string
  /** Units that count: seen in one variation only. */
  units: number
  /** Units that were seen in other variations too. They have no figures in cohorts. */
  crossed: number
}

/**
 * The sufficient statistics of one metric for the units of one phase and variation. The
 * moments are centred: sums of squared (or cubed) deviations from the mean of this row, as `regr_sxx` and `regr_sxy`
 * give them.
 *
 * - y: the value of a unit within its window, after the cap. 1 or 0 for a PROPORTION. Of a RATIO the numerator less
 *   `offset` times the denominator, except for `sumY`.
 * - d: the denominator of a RATIO, 0 for other types.
 * - x: the covariate, y in the days before the first exposure. 0 without CUPED.
 */
export interface Moments {
  phase: number
  variationId: string
  metricId: string
  /** Units that count. Without conversions in progress: only those whose window has closed. */
  n: number
  /** Those of n whose events may be deleted, so they are no longer counted with the units of their day. Default: 0. */
  earlier?: number
  /** Those with a y other than 0. Null if some of the units were counted before this was kept. */
  converted: number | null
  sumY: number
  /**
   * Near the mean of the metric, over all rows that are read together, so that means of large values keep their
   * differences. Absent in older rows, where it counts as 0.
   */
  offset?: number
  /** The sum of y beyond the offset. */
  beyondY?: number
  m2Y: number
  /** The third moment. Null if some of the units were counted before it was kept. */
  m3Y: number | null
  sumD: number
  m2D: number
  cYD: number
  sumX: number
  /** The sum of x beyond its own mean over all rows. Default: `sumX`. */
  beyondX?: number
  m2X: number
  cYX: number
}

/**
 * One value of a dimension, such as `country` = `DE`, with its units that count. Or the units with another value, or
 * without one.
 */
export interface DimensionRows {
  name: string
  value: string
  kind: 'VALUE' | 'OTHER' | 'NONE'
  units: number
  cohorts: readonly Moments[]
}

/** A part of a snapshot that failed: a metric by its id, or a dimension by its name. */
export interface SetAside {
  kind: 'METRIC' | 'DIMENSION'
  id: string
}

/** The day of a moment in UTC, as rows have it. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
