import { z } from 'zod'

export const maxVariations = 10
const maxUnitsPerDay = 1_000_000_000

export const sampleSizeBody = z
  .strictObject({
    type: z.enum(['PROPORTION', 'MEAN']),
    baseline: z.number().meta({ description: 'The rate or the mean of the baseline, such as 0.05 for 5 %.' }),
    minimumDetectableLift: z.number().gt(-1).lt(100).meta({
      description: 'The smallest change to find, as a fraction of the baseline: 0.1 for 10 % more, -0.1 for 10 % less.',
    }),
    stddev: z
      .number()
      .positive()
      .nullable()
      .default(null)
      .meta({ description: 'The standard deviation of the value per visitor. Required for a MEAN.' }),
    alpha: z.number().gt(0).max(0.5).default(0.05),
    power: z.number().gt(0).lt(1).default(0.8).meta({ description: 'More than `alpha`.' }),
    test: z.enum(['SEQUENTIAL', 'FIXED_HORIZON']).default('SEQUENTIAL'),
    variations: z.int().min(2).max(maxVariations).default(2).meta({ description: 'With the baseline.' }),
    unitsPerDay: z.number().positive().max(maxUnitsPerDay).nullable().default(null).meta({
      description:
        'New visitors a day that take part. With it, the answer says how long the test runs, and what tests of 1 to 12 weeks can find.',
    }),
  })
  .meta({ id: 'SampleSizeRequest' })

export type SampleSizeRequest = z.output<typeof sampleSizeBody>

export const sampleSizeSchema = z
  .object({
    unitsPerVariation: z.int(),
    totalUnits: z.int(),
    days: z.int().nullable(),
    recommendedDays: z.int().nullable().meta({ description: 'Whole weeks, at least one.' }),
    durations: z
      .object({
        days: z.int(),
        unitsPerVariation: z.int(),
        minimumDetectableLift: z.number().nullable().meta({ description: 'Null if so few units find no change.' }),
      })
      .array()
      .nullable()
      .meta({
        description:
          'The smallest change that a test of so many whole weeks finds, in the direction that was asked for. Null without `unitsPerDay`.',
        examples: [[{ days: 7, unitsPerVariation: 14_000, minimumDetectableLift: 0.2 }]],
      }),
    assumptions: z.string().array(),
  })
  .meta({ id: 'SampleSize' })

export type SampleSize = z.output<typeof sampleSizeSchema>
