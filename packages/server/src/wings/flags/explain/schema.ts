import { z } from 'zod'

const maxFlagKeys = 1000
const maxKeyLength = 128
const maxContextCharacters = 32_768
const maxRevision = 2_147_483_647
const points = ['at', 'revision', 'draft'] as const

export const contextField = z
  .record(z.string(), z.unknown())
  .refine(
    (context) => JSON.stringify(context).length <= maxContextCharacters,
    `must have at most ${maxContextCharacters} characters as JSON.`,
  )
  .meta({
    description: 'The context as passed to the SDK: `targetingKey` and attributes.',
    example: { targetingKey: 'u-17', country: 'NL' },
  })

export const evaluateBody = z
  .strictObject({
    context: contextField,
    flagKeys: z.string().max(maxKeyLength).array().max(maxFlagKeys).optional().meta({
      description: 'Default: all flags of the environment. Repeated keys are returned once.',
    }),
    at: z.iso.datetime({ offset: true }).optional().meta({
      description: 'Use the revision that was served at this time, and set the clock (`$now`) to it.',
    }),
    revision: z.int().min(0).max(maxRevision).optional().meta({ description: 'A past revision of the data file.' }),
    draft: z.boolean().optional().meta({
      description: 'True evaluates the drafts as if they were published, with the current switches.',
    }),
  })
  .check(({ value, issues }) => {
    const given = points.filter((field) => value[field] !== undefined && value[field] !== false)
    if (given.length < 2) return
    const message = `Only one of ${points.join(', ')} can be given.`
    for (const field of given) issues.push({ code: 'custom', input: value, path: [field], message })
  })
  .meta({ example: { context: { targetingKey: 'u-17', country: 'NL' }, flagKeys: ['new-checkout'] } })

const failedFields = {
  negated: z
    .boolean()
    .meta({ description: 'True if the condition is inside a `not`: the condition holds, but must not.' }),
  audience: z
    .string()
    .optional()
    .meta({ description: 'The audience that contains the condition; absent if it is in the rule itself.' }),
}

const failedSchema = z.union([
  z
    .object({
      attribute: z.string(),
      operator: z.string(),
      value: z.unknown().optional(),
      caseSensitive: z.boolean().optional(),
      actual: z.unknown().meta({ description: 'The value in the context; null if it is missing.' }),
      ...failedFields,
    })
    .meta({ id: 'FailedCondition' }),
  z
    .object({ segment: z.string().meta({ description: 'Whether the visitor is in this segment.' }), ...failedFields })
    .meta({ id: 'FailedSegment' }),
])

const ruleSchema = z
  .object({
    ruleId: z.string(),
    name: z.string(),
    type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']),
    outcome: z
      .enum([
        'OVERRIDE',
        'MATCHED',
        'CONDITIONS_FAILED',
        'UNIT_MISSING',
        'HOLDOUT',
        'OUTSIDE_GROUP',
        'OUTSIDE_TRAFFIC',
        'UNKNOWN_HASH',
        'ERROR',
        'PAUSED',
      ])
      .meta({ description: 'The outcome of the rule by itself. Rules after the one that decided are evaluated too.' }),
    variationKey: z
      .string()
      .nullable()
      .meta({ description: 'The variation that the rule gives; null if it gives none.' }),
    failed: failedSchema.array().meta({
      description:
        'The conditions that kept the rule from matching: up to 20 of each rule and 5000 in all, long texts and lists cut with `…`.',
    }),
    moreFailed: z.int().meta({ description: 'How many more conditions failed.' }),
    unit: z.string().nullable().meta({ description: 'The bucketing unit, as read from the context.' }),
    traffic: z
      .object({ bucket: z.int(), allocation: z.int() })
      .nullable()
      .meta({ description: 'In basis points. The visitor enters if `bucket` is below `allocation`.' }),
    split: z.object({ bucket: z.int() }).nullable().meta({ description: 'The bucket in the split, 0 to 9999.' }),
  })
  .meta({ id: 'ExplainedRule' })

export const explainedFlagSchema = z
  .object({
    flagId: z.string().nullable(),
    experimentId: z.string().nullable().meta({
      description: 'The web experiment, whose `flagId` is null; null for a flag, and once the experiment is deleted.',
    }),
    flagKey: z.string().meta({ description: 'For a web experiment, `x` and its short id, such as `x12`.' }),
    enabled: z
      .boolean()
      .meta({ description: 'False if the flag is paused: every visitor gets the default variation.' }),
    value: z.unknown().meta({
      description: 'Has the type of the flag. Null if there is an error; a JSON flag can also have the value null.',
    }),
    variationKey: z.string().nullable(),
    ruleId: z.string().nullable().meta({ description: 'The rule that decided; null if no rule did.' }),
    reason: z.enum(['DISABLED', 'OVERRIDE', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'UNIT_MISSING', 'HOLDOUT', 'ERROR']),
    errorCode: z.enum(['FLAG_NOT_FOUND', 'PARSE_ERROR']).nullable(),
    rules: ruleSchema.array(),
  })
  .meta({ id: 'ExplainedFlag' })

export const evaluateAudienceBody = z
  .strictObject({ context: contextField })
  .meta({ example: { context: { targetingKey: 'u-17', country: 'NL' } } })

export const audienceEvaluationSchema = z
  .object({
    matches: z.boolean().meta({ description: 'Whether the visitor is in the audience.' }),
    failed: failedSchema.array().meta({
      description: 'Up to 20 conditions that keep the visitor out, long texts and lists cut with `…`.',
    }),
    moreFailed: z.int().meta({ description: 'How many more conditions failed.' }),
  })
  .meta({
    id: 'AudienceEvaluation',
    example: {
      matches: false,
      failed: [{ attribute: 'country', operator: 'equals', value: 'BE', actual: 'NL', negated: false }],
      moreFailed: 0,
    },
  })

export const evaluationSchema = z
  .object({
    envId: z.string(),
    revision: z.int().nullable().meta({ description: 'The evaluated revision; null for the drafts.' }),
    flags: explainedFlagSchema.array().meta({ description: 'In the order of `flagKeys`, or sorted by key.' }),
  })
  .meta({ id: 'ExplainedEvaluation' })
