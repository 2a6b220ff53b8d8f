import { z } from 'zod'
import { scheduleSchema } from '../../../catalogue/payloads.ts'
import { descriptionField, idField, madeKeyField, nameField, timeField } from '../../../fields.ts'
import { conditionField, conditionIssues, conditionSchema } from '../../model/conditions/index.ts'

const maxAttributeLength = 200
const maxAudiences = 20
const maxMetrics = 20
const maxSaltLength = 128

const basisPoints = z.int().min(0).max(10_000).meta({ description: 'Basis points: 0 to 10000.' })

const editable = {
  name: nameField,
  description: descriptionField,
  audienceIds: idField
    .array()
    .max(maxAudiences)
    .refine((ids) => new Set(ids).size === ids.length, 'must not contain an audience twice.')
    .meta({ uniqueItems: true }),
  conditions: conditionField,
  bucketBy: z
    .string()
    .min(1, { abort: true })
    .max(maxAttributeLength, { abort: true })
    .refine((name) => name !== '$now', 'must not be $now.')
    .superRefine((attribute, context) => {
      for (const { message } of conditionIssues({ attribute, operator: 'exists' }))
        context.addIssue({ code: 'custom', message })
    })
    .meta({ description: 'The attribute with the bucketing unit.' }),
  trafficAllocation: basisPoints,
  salt: z.string().min(1).max(maxSaltLength),
}

const delivery = {
  variationKey: z.string(),
  exposures: z
    .boolean()
    .meta({ description: 'Whether SDKs count the visitors of the rule. An A/B test always counts them.' }),
}

const metricKeys = z.string().array().max(maxMetrics)

const statisticsField = z.strictObject({
  test: z.enum(['SEQUENTIAL', 'FIXED_HORIZON']).default('SEQUENTIAL'),
  alpha: z.number().gt(0).max(0.5).default(0.05),
  correction: z.enum(['HOLM', 'BENJAMINI_HOCHBERG', 'NONE']).default('HOLM'),
  cuped: z.boolean().default(false),
  conversionWindowHours: z
    .int()
    .min(1)
    .max(2160)
    .nullable()
    .default(null)
    .meta({ description: 'The conversion window of all metrics of the test. Null: each metric has its own.' }),
  inProgressConversions: z
    .enum(['EXCLUDE', 'INCLUDE'])
    .default('EXCLUDE')
    .meta({ description: 'Whether visitors count before their conversion window has closed.' }),
  plannedUnitsPerVariation: z.int().min(1).max(1_000_000_000).nullable().default(null),
  maxUnits: z.int().min(1).max(1_000_000_000).nullable().default(null).meta({
    description: 'The traffic cap: from this number of visitors on, the check `TRAFFIC_CAP` warns. Null: no cap.',
  }),
  minRuntimeDays: z.int().min(0).max(365).default(7),
  minUnits: z.int().min(2).max(1_000_000_000).default(100),
  minConversions: z.int().min(0).max(1_000_000_000).default(25),
  autoPause: z
    .strictObject({
      srm: z.boolean().default(false),
      traffic: z.boolean().default(false),
      guardrailMetric: z.boolean().default(false),
    })
    .prefault({})
    .meta({ description: 'Which failed checks pause the rule. `traffic` includes `TRAFFIC_CAP`.' }),
})

const abTest = {
  hypothesis: descriptionField,
  variations: z
    .array(z.strictObject({ variationKey: z.string(), weight: basisPoints }))
    .min(2)
    .max(4),
  baselineVariationKey: z.string(),
  metrics: z.strictObject({
    primary: metricKeys.default([]),
    secondary: metricKeys.default([]),
    guardrails: metricKeys.default([]),
  }),
  statistics: statisticsField,
  exclusionGroupId: idField.nullable().meta({
    description: 'The rule takes a slot of the group: its traffic is a share of the visitors in the slot.',
  }),
  holdoutId: idField.nullable().meta({ description: 'The rule leaves out the visitors of the holdout.' }),
  sticky: z.boolean().meta({
    description:
      'Visitors keep their variation after the weights have changed: in SDKs with a `stickyStore`, and in web experiments by the cookie `svc_kept`.',
  }),
}

const created = {
  ...editable,
  key: madeKeyField,
  description: editable.description.default(null),
  audienceIds: editable.audienceIds.default([]),
  conditions: conditionField.default({ all: [] }),
  bucketBy: editable.bucketBy.default('targetingKey'),
  trafficAllocation: basisPoints.default(10_000),
  salt: editable.salt.optional().meta({ description: 'Default: 8 letters and digits that no other rule has.' }),
  enabled: z.boolean().default(true),
  position: z.int().min(0).optional().meta({ description: 'Place in the order. Default: last.' }),
}

/** The fields of an A/B test that an edit can change. */
export const abTestFields = { ...editable, ...abTest }

export const newAbTestBody = z
  .strictObject({
    type: z.literal('AB_TEST'),
    ...created,
    ...abTest,
    hypothesis: abTest.hypothesis.default(null),
    metrics: abTest.metrics.default({ primary: [], secondary: [], guardrails: [] }),
    statistics: statisticsField.prefault({}),
    exclusionGroupId: abTest.exclusionGroupId.default(null),
    holdoutId: abTest.holdoutId.default(null),
    sticky: abTest.sticky.default(false),
  })
  .meta({ id: 'NewAbTestRule' })

export const newDeliveryBody = z
  .strictObject({
    type: z.literal('TARGETED_DELIVERY'),
    ...created,
    ...delivery,
    exposures: delivery.exposures.default(false),
  })
  .meta({ id: 'NewDeliveryRule' })

export const createRuleBody = z.discriminatedUnion('type', [newDeliveryBody, newAbTestBody])

export type RuleRequest = z.output<typeof createRuleBody>

export const updateRuleBody = z
  .strictObject(
    {
      ...editable,
      ...delivery,
      ...abTest,
      statistics: statisticsField,
      type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']).meta({ description: 'Cannot change.' }),
      position: z.int().min(0),
    },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' && (keys as string[]).includes('enabled')
          ? 'enabled cannot be changed here. Send POST to /run or /pause of the rule.'
          : undefined,
    },
  )
  .partial()
  .extend({
    confirmReassignment: z.boolean().default(false),
    dryRun: z.boolean().default(false).meta({
      description:
        'Checks the edit without saving it, so that the refusal `reassignment_unconfirmed` says beforehand how many visitors would move.',
    }),
  })

export type RuleUpdate = z.output<typeof updateRuleBody>

const definitionBase = {
  id: z.string(),
  shortId: z
    .int()
    .meta({ description: 'Unique in the project. The data file identifies the rule by this number, as a string.' }),
  key: z.string().meta({ description: 'Unique among the rules of the flag in the environment. Never changes.' }),
  name: z.string(),
  description: z.string().nullable(),
  audienceIds: z.string().array(),
  conditions: conditionSchema,
  bucketBy: z.string(),
  trafficAllocation: basisPoints,
  salt: z.string(),
  hashVersion: z.literal(1),
}

const readBase = {
  ...definitionBase,
  flagId: z.string(),
  envId: z.string(),
  position: z.int(),
  status: z.enum(['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']).meta({
    description:
      'DRAFT: never served. RUNNING: served now. PAUSED: served before, but not now. COMPLETED: its experiment has ended.',
  }),
  enabled: z.boolean().meta({ description: 'The rule’s own switch.' }),
  hasStagedChanges: z.boolean(),
  experimentId: z.string().nullable().meta({
    description: 'The experiment that owns the rule. Only the experiment can edit, run and delete it.',
  }),
  schedule: scheduleSchema
    .pick({ id: true, action: true, runAt: true, status: true })
    .nullable()
    .meta({ description: 'The open schedule of the rule.' }),
  firstServedAt: timeField.nullable().meta({ description: 'When visitors first got the rule.' }),
  createdAt: timeField,
  updatedAt: timeField,
}

const metricLists = z.object({ primary: metricKeys, secondary: metricKeys, guardrails: metricKeys })

const deliveryRead = { type: z.literal('TARGETED_DELIVERY'), ...delivery }

export const statisticsSchema = z.object({
  test: z.enum(['SEQUENTIAL', 'FIXED_HORIZON']),
  alpha: z.number(),
  correction: z.enum(['HOLM', 'BENJAMINI_HOCHBERG', 'NONE']),
  cuped: z.boolean(),
  conversionWindowHours: z.int().nullable(),
  inProgressConversions: z.enum(['EXCLUDE', 'INCLUDE']),
  plannedUnitsPerVariation: z.int().nullable(),
  maxUnits: z.int().nullable(),
  minRuntimeDays: z.int(),
  minUnits: z.int(),
  minConversions: z.int(),
  autoPause: z.object({ srm: z.boolean(), traffic: z.boolean(), guardrailMetric: z.boolean() }),
})

const abTestRead = {
  type: z.literal('AB_TEST'),
  hypothesis: z.string().nullable(),
  variations: z.object({ variationKey: z.string(), weight: basisPoints }).array(),
  baselineVariationKey: z.string(),
  metrics: metricLists,
  statistics: statisticsSchema,
  exclusionGroupId: z.string().nullable(),
  holdoutId: z.string().nullable(),
  sticky: z.boolean(),
}

export const ruleSchema = z
  .discriminatedUnion('type', [
    z.object({ ...readBase, ...deliveryRead }).meta({ id: 'DeliveryRule' }),
    z.object({ ...readBase, ...abTestRead }).meta({ id: 'AbTestRule' }),
  ])
  .meta({ id: 'Rule' })

/** A rule in a version: without its switch, schedule and history. */
export const ruleDefinitionSchema = z
  .discriminatedUnion('type', [
    z.object({ ...definitionBase, ...deliveryRead }).meta({ id: 'DeliveryRuleDefinition' }),
    z.object({ ...definitionBase, ...abTestRead }).meta({ id: 'AbTestRuleDefinition' }),
  ])
  .meta({ id: 'RuleDefinition' })

const maxRuleIds = 1000

export const reorderBody = z.strictObject({ ruleIds: idField.array().max(maxRuleIds) })

export const copyBody = z.strictObject({ sourceEnvId: idField })

export const copiedSchema = z
  .object({ rules: ruleSchema.array(), skipped: z.array(z.never()).max(0) })
  .meta({ id: 'CopiedRules' })
