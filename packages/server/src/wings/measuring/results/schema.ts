import { z } from 'zod'
import { idField, timeField } from '../../../fields.ts'

const figure = z.number().nullable()
const healthStatus = z.enum(['NOT_ENOUGH_DATA', 'OK', 'WARNING', 'FAILED'])

const checkSchema = z
  .object({
    check: z.enum([
      'SRM',
      'CROSSOVER',
      'TRAFFIC_DROP',
      'NO_EXPOSURES',
      'TRAFFIC_CAP',
      'VARIATION_STARVED',
      'BALANCE',
      'COMPUTATION',
      'ADDRESS_SHARE',
    ]),
    status: healthStatus,
    observed: figure.optional(),
    expected: figure.optional(),
    threshold: figure.optional(),
    rate: figure.optional(),
    chi2: figure.optional(),
    df: z.int().nullable().optional(),
    pValue: figure.optional(),
    bayesFactor: figure
      .optional()
      .meta({ description: 'The Bayes factor of the sequential check, which fails above 1000.' }),
    variationIds: z.string().array().optional().meta({
      description: 'The variations without visitors, or under `SRM` those that got visitors with a weight of 0.',
    }),
    lastAt: timeField
      .nullable()
      .optional()
      .meta({ description: 'Under `NO_EXPOSURES`, when the last visitor was seen.' }),
    day: z
      .string()
      .optional()
      .meta({ description: 'Under `ADDRESS_SHARE`, the day (UTC) with the largest share, such as `2026-11-20`.' }),
    since: z
      .object({ revision: z.int(), publishedAt: timeField })
      .optional()
      .meta({ description: 'The published revision of the flag since which the check fails.' }),
  })
  .meta({ id: 'HealthCheck' })

const comparisonSchema = z
  .object({
    status: z.enum([
      'invalid_input',
      'no_data',
      'insufficient_data',
      'zero_variance',
      'zero_baseline',
      'lift_unbounded',
      'ok',
    ]),
    baselineVariationId: z.string(),
    difference: z.object({ estimate: figure, standardError: figure, ciLow: figure, ciHigh: figure }),
    lift: z.object({ estimate: figure, ciLow: figure, ciHigh: figure, method: z.literal('FIELLER') }),
    pValue: figure,
    pValueAdjusted: figure,
    significant: z
      .boolean()
      .meta({ description: 'Whether the adjusted p-value is significant; under FIXED_HORIZON only at the end.' }),
    criticalValue: figure,
    firstSignificantAt: timeField.nullable(),
    cuped: z.object({ theta: z.number(), varianceReduction: figure }).nullable(),
    smallCounts: z.object({ ciLow: figure, ciHigh: figure, fisherPValue: figure }).nullable().optional().meta({
      description:
        'For a `PROPORTION` with too few conversions for a verdict: Newcombe’s interval of the difference, and Fisher’s exact p-value if a cell has fewer than 5 visitors. They are valid for a single look.',
    }),
    bayesian: z
      .object({ chanceToBeatControl: figure, expectedLoss: figure, expectedLossControl: figure })
      .meta({ description: 'Shown beside the test, without a verdict.' }),
    guardrail: z
      .object({
        margin: z.number(),
        contrast: figure,
        lowerBound: figure,
        upperBound: figure,
        pValueNonInferior: figure,
        state: z.enum(['PASSED', 'INCONCLUSIVE', 'BREACHED']),
      })
      .nullable(),
  })
  .meta({ id: 'Comparison' })

const metricResultSchema = z
  .object({
    metricId: z.string(),
    key: z.string(),
    name: z.string(),
    type: z.enum(['PROPORTION', 'MEAN', 'RATIO']),
    role: z.enum(['PRIMARY', 'SECONDARY', 'GUARDRAIL']),
    direction: z.enum(['INCREASE', 'DECREASE']),
    unit: z.string().nullable(),
    winsorizedAt: figure.meta({
      description: 'The cap: sums per visitor that are larger in size count as this size, with their sign.',
    }),
    winsorizedUnits: z.int(),
    finalAt: timeField.nullable().optional().meta({
      description:
        'Under `FIXED_HORIZON`, when the figures became final. The answer keeps the figures of this moment. Otherwise null.',
    }),
    waitingUnits: z.int().optional().meta({
      description:
        'Visitors whose conversion windows for this metric are still open. They count later. Visitors from before a metric that came too late to measure them are not among them.',
    }),
    variations: z
      .object({
        variationId: z.string(),
        units: z.int(),
        converted: z.int().nullable().optional().meta({ description: 'Visitors with a value other than 0.' }),
        sum: z.number(),
        denominatorSum: figure,
        mean: figure,
        stddev: figure,
        skewness: figure
          .optional()
          .meta({ description: 'The skewness of the sums per visitor, after the cap. For a `MEAN` only.' }),
        unitsForSkewness: z.int().nullable().optional().meta({
          description: 'The number of visitors that intervals need because of the skewness: 355 times its square.',
        }),
        ciLow: figure,
        ciHigh: figure,
        comparison: comparisonSchema.nullable().meta({ description: 'Null for the baseline.' }),
      })
      .array(),
  })
  .meta({ id: 'MetricResult' })

const stageField = z.enum(['COLLECTING', 'WINDOWS_OPEN', 'FINAL']).optional().meta({
  description:
    '`FINAL`: every variation has measured its planned visitors, or the test has ended and all conversion windows have closed. `WINDOWS_OPEN`: all planned visitors have arrived, or the test has ended, and some still have time to convert. `COLLECTING`: the test needs more visitors. A test that has ended stays `COLLECTING` if all its primary metrics were added after the events of its visitors had been deleted.',
})

const recommendationSchema = z.object({
  action: z.enum(['UNHEALTHY', 'KEEP_RUNNING', 'SHIP', 'REVIEW', 'ROLLBACK', 'NO_EFFECT']),
  variationId: z.string().nullable(),
  reasons: z
    .enum([
      'NO_EXPOSURES',
      'NO_PRIMARY_METRIC',
      'HEALTH_FAILED',
      'NOT_ENOUGH_DATA',
      'MIN_RUNTIME_NOT_REACHED',
      'PLANNED_SAMPLE_NOT_REACHED',
      'PLANNED_SAMPLE_REACHED',
      'WINDOWS_OPEN',
      'PRIMARY_BETTER',
      'PRIMARY_WORSE',
      'GUARDRAILS_PASSED',
      'GUARDRAIL_INCONCLUSIVE',
      'GUARDRAIL_BREACHED',
      'TIE',
    ])
    .array(),
  breached: z
    .object({ metricId: z.string(), name: z.string(), variationId: z.string() })
    .array()
    .optional()
    .meta({ description: 'The guardrail metrics that are proven to be worse than their margin allows, by variation.' }),
})

/** The results of a rule. All rates, lifts and probabilities are fractions; means have the unit of the metric. */
export const resultsSchema = z
  .object({
    ruleId: z.string(),
    flagId: z.string(),
    envId: z.string(),
    ruleType: z.enum(['TARGETED_DELIVERY', 'AB_TEST']),
    ruleStatus: z.enum(['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']),
    generatedAt: timeField,
    dataThrough: timeField.nullable(),
    startedAt: timeField.nullable(),
    endedAt: timeField.nullable().meta({
      description:
        'When the test ended: its experiment was completed, or a rule without an experiment was paused. Null before.',
    }),
    runtimeDays: z.number(),
    engineVersion: z.string(),
    settings: z
      .object({
        test: z.enum(['SEQUENTIAL', 'FIXED_HORIZON']),
        alpha: z.number(),
        sequentialTuningParameter: z.int(),
        correction: z.enum(['HOLM', 'BENJAMINI_HOCHBERG', 'NONE']),
        cuped: z.object({ enabled: z.boolean(), lookbackDays: z.int() }),
        conversionWindowHours: z.int().nullable(),
        inProgressConversions: z.enum(['EXCLUDE', 'INCLUDE']),
        minUnits: z.int(),
        minConversions: z.int(),
        minRuntimeDays: z.number(),
      })
      .nullable(),
    units: z.object({
      total: z.int(),
      excluded: z.object({
        crossover: z.int(),
        bot: z.int(),
        override: z.int(),
        paused: z.int().optional().meta({
          description: 'Visitors who were exposed while the rule was paused or, by their clock, before its launch.',
        }),
      }),
      variations: z
        .object({
          variationId: z.string(),
          key: z.string(),
          isBaseline: z.boolean(),
          weight: z.number(),
          expectedShare: z.number(),
          units: z.int(),
          share: z.number().nullable(),
        })
        .array(),
    }),
    health: z.object({
      status: z.enum(['NOT_MEASURED', ...healthStatus.options]),
      checks: checkSchema.array(),
    }),
    metrics: metricResultSchema.array(),
    setAside: z
      .object({
        kind: z.enum(['METRIC', 'DIMENSION']),
        name: z.string().meta({ description: 'The key of the metric, or the name of the dimension.' }),
      })
      .array()
      .optional()
      .meta({
        description:
          'What could not be computed, as far as known. These parts have no figures, all others are right, and the check `COMPUTATION` fails. Absent if everything was computed.',
      }),
    dimensions: z.string().array().meta({ description: 'The names that `dimension` can have.' }),
    progress: z
      .object({
        plannedUnitsPerVariation: z.int().nullable(),
        stage: stageField,
        measuredUnits: z.int().optional().meta({
          description: 'Visitors of the smallest variation whom every primary metric has measured.',
        }),
        fraction: figure.meta({ description: '`measuredUnits` as a share of the planned visitors, at most 1.' }),
        estimatedDaysRemaining: z.int().nullable().meta({
          description:
            'The number of days until every variation has measured its planned visitors, including open conversion windows.',
        }),
        minimumDetectableLift: figure,
      })
      .nullable(),
    recommendation: recommendationSchema.nullable(),
  })
  .meta({ id: 'Results' })

/** What a list shows of results. */
export const resultsSummarySchema = z
  .object({
    asOf: timeField,
    runtimeDays: z.number(),
    units: z.int().meta({ description: 'The visitors that results count.' }),
    health: z.object({
      status: resultsSchema.shape.health.shape.status,
      failed: checkSchema.shape.check.array().meta({ description: 'The checks that failed.' }),
    }),
    progress: resultsSchema.shape.progress,
    recommendation: resultsSchema.shape.recommendation,
    primaryMetric: z
      .object({
        metricId: z.string(),
        name: z.string(),
        direction: metricResultSchema.shape.direction,
        variations: z
          .object({
            variationId: z.string(),
            status: comparisonSchema.shape.status,
            significant: comparisonSchema.shape.significant,
            lift: comparisonSchema.shape.lift,
          })
          .array(),
      })
      .nullable()
      .meta({
        description:
          'The first primary metric, with the lift of each variation against the baseline. Null without a primary metric.',
      }),
  })
  .meta({ id: 'ResultsSummary' })

const seriesField = z
  .object({ asOf: timeField, metrics: metricResultSchema.array() })
  .array()
  .optional()
  .meta({
    description: 'One row per day, with the results as they were shown then. Present with `include=timeseries`.',
    examples: [[{ asOf: '2026-11-20T00:00:00.000Z', metrics: [] }]],
  })

const dimensionSchema = z
  .object({
    name: z.string(),
    values: z
      .object({
        value: z.string(),
        kind: z.enum(['VALUE', 'OTHER', 'NONE']).optional().meta({
          description:
            '`OTHER`: the visitors with a value that is not listed, together. `NONE`: the visitors whose first exposure has no value.',
        }),
        units: z.int(),
        metrics: metricResultSchema.array(),
      })
      .array(),
  })
  .meta({
    id: 'Dimension',
    examples: [{ name: 'country', values: [{ value: 'DE', kind: 'VALUE', units: 5120, metrics: [] }] }],
  })

const dimensionField = dimensionSchema.optional().meta({
  description:
    'The 20 values with the most visitors, by the first exposure of each visitor, and the remaining visitors: the rows add up to all visitors. Present with `dimension`. These figures are exploratory: their p-values are corrected together, and no recommendation follows.',
})

/** The answers of the routes of results. `extra` has their fields besides the results. */
export const resultsSchemas = (of: string, extra: z.ZodRawShape): { withSeries: z.ZodType; refreshed: z.ZodType } => ({
  withSeries: resultsSchema
    .extend({ dimension: dimensionField, timeseries: seriesField, ...extra })
    .meta({ id: `${of}ResultsOverTime` }),
  refreshed: resultsSchema
    .extend({ refreshing: z.boolean().meta({ description: 'Whether the computation is still running.' }), ...extra })
    .meta({ id: `Refreshed${of}Results` }),
})

export const resultsQuery = {
  metricId: idField.optional().meta({ description: 'Only this metric.' }),
  dimension: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Also splits the results by this fact of the `context` of exposures, such as `country`.' }),
  include: z.enum(['timeseries']).optional(),
  format: z.enum(['json', 'csv']).default('json').meta({
    description:
      '`csv`: a file with a row for each metric and variation. With `dimension`, it has these rows for each value.',
  }),
}

export type Results = z.output<typeof resultsSchema>
export type ResultsSummary = z.output<typeof resultsSummarySchema>
export type Dimension = z.output<typeof dimensionSchema>
export type MetricResult = z.output<typeof metricResultSchema>
export type ComparisonResult = z.output<typeof comparisonSchema>
export type HealthCheck = z.output<typeof checkSchema>
export type Settings = NonNullable<Results['settings']>
export type ReasonCode = z.output<typeof recommendationSchema>['reasons'][number]
