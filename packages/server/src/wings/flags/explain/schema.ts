import { z } from 'zod'

const maxFlagKeys = 1000
const maxKeyLength = 128
const maxContextCharacters = 32_768
const maxRevision = 2_147_483_647
const points = ['at', 'revision', 'draft'] as const

export const evaluateBody = z
  .strictObject({
    context: z
      .record(z.string(), z.unknown())
      .refine(
        (context) => JSON.stringify(context).length <= maxContextCharacters,
        `A context may have up to ${maxContextCharacters} characters as JSON.`,
      )
      .meta({
        description: 'What the SDK would be given: `targetingKey` and attributes.',
        example: { targetingKey: 'u-17', country: 'NL' },
      }),
    flagKeys: z.string().max(maxKeyLength).array().max(maxFlagKeys).optional().meta({
      description: 'Left out: every flag of the environment. Each is answered once.',
    }),
    at: z.iso.datetime({ offset: true }).optional().meta({
      description: 'The revision that was served at this moment, with the clock (`$now`) set to it.',
    }),
    revision: z.int().min(0).max(maxRevision).optional().meta({ description: 'A past revision of the data file.' }),
    draft: z.boolean().optional().meta({
      description: 'True: the drafts as if they were published, with the switches as they are.',
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
  negated: z.boolean().meta({ description: 'The question stands under a `not`: it should not have held.' }),
  audience: z.string().optional().meta({ description: 'The audience that asks, where it is not the rule itself.' }),
}

const failedSchema = z.union([
  z.object({
    attribute: z.string(),
    operator: z.string(),
    value: z.unknown().optional(),
    caseSensitive: z.boolean().optional(),
    actual: z.unknown().meta({ description: 'What the context holds; null where it holds nothing.' }),
    ...failedFields,
  }),
  z.object({ segment: z.string().meta({ description: 'Whether the visitor is in this segment.' }), ...failedFields }),
])

const ruleSchema = z.object({
  ruleId: z.string(),
  name: z.string(),
  type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']),
  outcome: z
    .enum([
      'OVERRIDE',
      'MATCHED',
      'CONDITIONS_FAILED',
      'UNIT_MISSING',
      'OUTSIDE_GROUP',
      'OUTSIDE_TRAFFIC',
      'UNKNOWN_HASH',
      'ERROR',
      'PAUSED',
    ])
    .meta({ description: 'Of the rule by itself: those behind the deciding one are asked as well.' }),
  variationKey: z.string().nullable().meta({ description: 'What the rule gives; null where it gives nothing.' }),
  failed: failedSchema.array().meta({
    description:
      'The conditions that kept the rule from matching: up to 20 of each rule and 5000 in all, long texts and lists cut with `…`.',
  }),
  moreFailed: z.int().meta({ description: 'How many more there are.' }),
  unit: z.string().nullable().meta({ description: 'What the rule buckets by, as read from the context.' }),
  traffic: z
    .object({ bucket: z.int(), allocation: z.int() })
    .nullable()
    .meta({ description: 'Basis points: the visitor enters where `bucket` is below `allocation`.' }),
  split: z.object({ bucket: z.int() }).nullable().meta({ description: 'The place in the split, 0 to 9999.' }),
})

export const evaluationSchema = z
  .object({
    envId: z.string(),
    revision: z.int().nullable().meta({ description: 'The revision that was asked; null: the drafts.' }),
    flags: z
      .object({
        flagId: z.string().nullable(),
        flagKey: z.string(),
        enabled: z.boolean().meta({ description: 'False: paused, everybody gets the default variation.' }),
        value: z.unknown().meta({
          description: 'Of the type of the flag; of a JSON flag any JSON, also null. Null with an error.',
        }),
        variationKey: z.string().nullable(),
        ruleId: z.string().nullable().meta({ description: 'The rule that decided; null where none did.' }),
        reason: z.enum(['DISABLED', 'OVERRIDE', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'UNIT_MISSING', 'ERROR']),
        errorCode: z.enum(['FLAG_NOT_FOUND', 'PARSE_ERROR']).nullable(),
        rules: ruleSchema.array(),
      })
      .array()
      .meta({ description: 'In the order of `flagKeys`, else by key.' }),
  })
  .meta({ id: 'ExplainedEvaluation' })
