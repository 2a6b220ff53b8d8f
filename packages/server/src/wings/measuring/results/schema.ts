import { z } from 'zod'
import { timeField } from '../../../fields.ts'

/** The document of a rule without recorded exposures; the statistics engine will fill metrics, health and progress. */
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
    endedAt: timeField.nullable(),
    runtimeDays: z.number(),
    engineVersion: z.string(),
    settings: z
      .object({
        test: z.enum(['SEQUENTIAL', 'FIXED_HORIZON']),
        alpha: z.number(),
        sequentialTuningParameter: z.int(),
        correction: z.enum(['HOLM', 'BENJAMINI_HOCHBERG', 'NONE']),
        cuped: z.object({ enabled: z.boolean(), lookbackDays: z.int() }),
        conversionWindowHours: z.int(),
        inProgressConversions: z.enum(['EXCLUDE', 'INCLUDE']),
        minUnits: z.int(),
        minConversions: z.int(),
        minRuntimeDays: z.int(),
      })
      .nullable(),
    units: z.object({
      total: z.int(),
      excluded: z.object({ crossover: z.int(), bot: z.int(), override: z.int() }),
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
    health: z.object({ status: z.enum(['NOT_ENOUGH_DATA', 'OK', 'WARNING', 'FAILED']), checks: z.unknown().array() }),
    metrics: z.unknown().array(),
    progress: z.null(),
    recommendation: z
      .object({ action: z.string(), variationId: z.string().nullable(), reasons: z.string().array() })
      .nullable(),
  })
  .meta({ id: 'Results' })
