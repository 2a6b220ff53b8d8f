import { z } from 'zod'
import { defaultMargin } from '../results/index.ts'

export const maxVariations = 10
const maxUnitsPerDay = 1_000_000_000
const maxPrimaryMetrics = 10
const maxGuardrails = 10

const valueFields = {
  type: z.enum(['PROPORTION', 'MEAN', 'RATIO']),
  baseline: z.number().meta({ description: 'The rate, the mean or the ratio of the baseline, such as 0.05 for 5 %.' }),
  stddev: z.number().positive().nullable().default(null).meta({
    description:
      'The standard deviation of the value per visitor. For a RATIO, the standard deviation of the delta method, as results show it. Required for MEAN and RATIO.',
  }),
}

const guardrailBody = z
  .strictObject({
    ...valueFields,
    direction: z.enum(['INCREASE', 'DECREASE']).default('INCREASE').meta({ description: 'The good direction.' }),
    nonInferiorityMargin: z
      .number()
      .gt(0)
      .lt(1)
      .default(defaultMargin)
      .meta({ description: 'How much worse than the baseline is accepted, as a fraction of it.' }),
  })
  .meta({ id: 'SampleSizeGuardrail' })

export const sampleSizeBody = z
  .strictObject({
    ...valueFields,
    minimumDetectableLift: z.number().gt(-1).lt(100).meta({
      description: 'The smallest change to find, as a fraction of the baseline: 0.1 for 10 % more, -0.1 for 10 % less.',
    }),
    alpha: z.number().gt(0).max(0.5).default(0.05),
    power: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.8)
      .meta({ description: 'The probability that the test finds the change. Must be more than `alpha`.' }),
    test: z.enum(['SEQUENTIAL', 'FIXED_HORIZON']).default('SEQUENTIAL'),
    variations: z
      .int()
      .min(2)
      .max(maxVariations)
      .default(2)
      .meta({ description: 'The number of variations, including the baseline.' }),
    primaryMetrics: z.int().min(1).max(maxPrimaryMetrics).default(1).meta({
      description:
        'The number of primary metrics. Each is compared for each variation, and all comparisons are corrected together.',
    }),
    correction: z.enum(['HOLM', 'BENJAMINI_HOCHBERG', 'NONE']).default('HOLM').meta({
      description: 'The correction of p-values for several comparisons, as in the statistics of the test.',
    }),
    varianceReduction: z.number().min(0).lt(1).default(0).meta({
      description:
        'The share of the variance that CUPED removes, as results show it. 0 without CUPED, and for a RATIO.',
    }),
    guardrails: guardrailBody.array().max(maxGuardrails).default([]).meta({
      description: 'The guardrail metrics that the test must show to hold within their margins.',
    }),
    unitsPerDay: z.number().positive().max(maxUnitsPerDay).nullable().default(null).meta({
      description:
        'The number of new visitors per day who take part. With it, the answer says how long the test runs, and what tests of 1 to 12 weeks can find.',
    }),
  })
  .meta({
    id: 'SampleSizeRequest',
    example: { type: 'PROPORTION', baseline: 0.05, minimumDetectableLift: 0.1, unitsPerDay: 2_000 },
  })

export type SampleSizeRequest = z.output<typeof sampleSizeBody>

export const sampleSizeSchema = z
  .object({
    unitsPerVariation: z.int().meta({ description: 'Enough for the primary metric and all guardrails.' }),
    totalUnits: z.int(),
    primaryUnitsPerVariation: z.int().meta({ description: 'What the primary metric alone needs.' }),
    guardrails: z
      .object({ unitsPerVariation: z.int() })
      .array()
      .meta({ description: 'What each guardrail alone needs, in the order of the request.' }),
    comparisons: z.int().meta({ description: 'How many comparisons are corrected together.' }),
    days: z.int().nullable(),
    recommendedDays: z.int().nullable().meta({ description: 'Whole weeks, at least one.' }),
    durations: z
      .object({
        days: z.int(),
        unitsPerVariation: z.int(),
        minimumDetectableLift: z
          .number()
          .nullable()
          .meta({ description: 'Null if so few visitors cannot show any change.' }),
      })
      .array()
      .nullable()
      .meta({
        description:
          'The smallest change that a test of so many whole weeks finds, in the direction of the request. Null without `unitsPerDay`.',
        examples: [[{ days: 7, unitsPerVariation: 14_000, minimumDetectableLift: 0.2 }]],
      }),
    assumptions: z.string().array(),
  })
  .meta({ id: 'SampleSize' })

export type SampleSize = z.output<typeof sampleSizeSchema>
