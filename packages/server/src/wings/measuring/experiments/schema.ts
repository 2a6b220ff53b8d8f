import { z } from 'zod'
import { scheduleSchema, winnerSchema } from '../../../catalogue/payloads.ts'
import { descriptionField, idField, innerKeyField, nameField, timeField } from '../../../fields.ts'
import { tagAndText, tagsField } from '../../flags/flags/index.ts'
import { abTestFields, conditionSchema, statisticsSchema } from '../../flags/rules/index.ts'
import { allowlistField, allowlistSchema } from '../../flags/switches/index.ts'
import { experimentStatuses } from '../../model/experiments/index.ts'
import {
  activationField,
  activationSelectorField,
  applyAtField,
  pagesField,
  redirectSchema,
} from '../../model/web/index.ts'
import { resultsSummarySchema } from '../results/index.ts'
import { phaseReasons } from './phases.ts'

const { name: _name, description: _description, hypothesis: _hypothesis, ...ofRule } = abTestFields
const weightField = z.int().min(0).max(10_000).meta({ description: 'Basis points. All weights sum to 10000.' })

const autoPauseField = z
  .strictObject({
    srm: z.boolean().default(false),
    traffic: z.boolean().default(false),
    guardrailMetric: z.boolean().default(false),
    codeErrors: z.boolean().optional().meta({
      description:
        'Errors of the code of variations: an error that 2 % of the visitors of a variation have met, and at least 20. Only for a web experiment. If omitted, it stays. Default: false.',
    }),
  })
  .meta({ description: 'Which failed checks pause the experiment. Takes effect at once.' })

const definition = {
  ...ofRule,
  variations: z
    .array(
      z
        .strictObject({
          key: innerKeyField,
          name: nameField.optional().meta({ description: 'Only for a web experiment. Default: made from the key.' }),
          weight: weightField,
          redirect: redirectSchema.nullable().optional().meta({
            description:
              'Only for a web experiment: where its visitors go instead of seeing changes. Null removes it. If omitted, it stays.',
          }),
        })
        .meta({ id: 'NewExperimentVariation' }),
    )
    .min(2)
    .max(4)
    .meta({
      description:
        'FEATURE: variations of the flag, by key. WEB: the variations of the experiment; until the launch, they can be added and removed.',
    }),
  statistics: ofRule.statistics.omit({ autoPause: true }),
  allowlist: allowlistField.meta({
    description: 'Visitors who get a variation without being counted.',
  }),
}

/** Fields that only a web experiment has. */
const webFields = {
  pages: pagesField.meta({
    description: 'Where visitors take part: on any of these pages. Only for a web experiment. Default: none.',
  }),
  activation: activationField.meta({
    description:
      'When a visitor is counted, in every variation alike. PAGE: when a page matches. SEEN: when `activationSelector` is seen. CALL: when the page calls `svc.activate`. Only for a web experiment. Default: PAGE.',
  }),
  activationSelector: activationSelectorField.meta({
    description: 'Required when `activation` is SEEN, otherwise null. Default: null.',
  }),
  applyAt: applyAtField.meta({
    description:
      'AUTO: changes wait for a framework that hydrates the page, if there is one. EARLY: they never wait. HYDRATED: they always wait. Only for a web experiment. Default: AUTO.',
  }),
}

export const webFieldNames = Object.keys(webFields) as (keyof typeof webFields)[]

export const definitionFields = Object.keys(definition) as (keyof typeof definition)[]

const optional = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial().shape

export const createExperimentBody = z
  .strictObject({
    flagId: idField.optional().meta({
      description: 'Required in a project of the type FEATURE_FLAG. A web experiment has no flag.',
    }),
    envId: idField.optional().meta({ description: 'Default: Production.' }),
    ruleId: idField.optional().meta({
      description:
        'An A/B rule of the flag that the experiment adopts. The experiment then takes its definition from the rule.',
    }),
    name: nameField,
    hypothesis: descriptionField.default(null),
    description: descriptionField.default(null),
    tags: tagsField.default([]),
    autoPause: autoPauseField.optional().meta({ description: 'Default: the checks of the adopted rule, or none.' }),
    ...optional({ ...definition, ...webFields }),
  })
  .meta({
    id: 'NewExperiment',
    example: {
      flagId: 'new-checkout',
      name: 'Shorter checkout copy',
      hypothesis: 'Shorter copy lifts paid orders',
      variations: [
        { key: 'off', weight: 5000 },
        { key: 'on', weight: 5000 },
      ],
      baselineVariationKey: 'off',
      metrics: { primary: ['order_paid'] },
    },
  })

export type NewExperiment = z.output<typeof createExperimentBody>

export const updateExperimentBody = z.strictObject({
  name: nameField.optional(),
  hypothesis: descriptionField.optional(),
  description: descriptionField.optional(),
  tags: tagsField.optional(),
  autoPause: autoPauseField.optional(),
  ...optional({ ...definition, ...webFields }),
})

export type ExperimentUpdate = z.output<typeof updateExperimentBody>

export const duplicateExperimentBody = z
  .strictObject({
    envId: idField
      .optional()
      .meta({ description: 'The environment of the copy. Default: the environment of the experiment.' }),
  })
  .optional()

export const experimentFilters = {
  status: z.enum(experimentStatuses).optional(),
  type: z.enum(['FEATURE', 'WEB']).optional(),
  envId: idField.optional(),
  ...tagAndText('name, hypothesis or description'),
}

export type ExperimentFilters = z.output<z.ZodObject<typeof experimentFilters>>

export const phasesField = z
  .object({
    phase: z.int().meta({ description: 'Counted from 1.' }),
    startedAt: timeField,
    endedAt: timeField.nullable().meta({ description: 'When the next phase began; null for the last phase.' }),
    revision: z.int().meta({ description: 'The published revision that brought this split.' }),
    reason: z.enum(phaseReasons).meta({
      description:
        'LAUNCHED: visitors got the test for the first time. SPLIT_CHANGED: the weights changed. BUCKETING_CHANGED: `bucketBy` or `salt` changed. RESTARTED: a publish had `newPhase`.',
    }),
    variations: z.object({ variationId: z.string(), weight: z.number() }).array(),
  })
  .meta({ id: 'ExperimentPhase' })
  .array()
  .meta({
    description:
      'The phases of the experiment. A phase begins when visitors get a different variation. Results of different phases are never pooled.',
  })

const sourceField = z
  .object({
    ruleId: z.string(),
    flagId: z.string().nullable().meta({ description: 'Null for a web experiment.' }),
    flagKey: z.string().nullable(),
    experimentId: z.string().nullable().meta({ description: 'The web experiment; null for a rule of a flag.' }),
  })
  .meta({ id: 'RecentSource', description: 'The rule whose visitors were measured.' })

export const recentMetricFigures = z
  .object({
    baseline: z.number().meta({ description: 'A share as a fraction, a mean, or a ratio.' }),
    stddev: z.number().nullable().meta({
      description:
        'The standard deviation per visitor. Null for a PROPORTION, whose deviation follows from the baseline.',
    }),
    units: z.number().meta({ description: 'The number of visitors behind the figures.' }),
    source: sourceField,
  })
  .meta({ id: 'RecentMetricFigures' })

export const recentFiguresSchema = z
  .object({
    from: z.iso.date().meta({ description: 'The first day (UTC).' }),
    until: z.iso.date().meta({ description: 'The day after the last one: today.' }),
    visitors: z
      .object({
        units: z.number().meta({ description: 'How many visitors were new in these days.' }),
        days: z.int().meta({ description: 'The number of days since the first of these visitors.' }),
        perDay: z.number(),
        source: sourceField,
      })
      .meta({ id: 'RecentVisitors' })
      .nullable()
      .meta({ description: 'Null if no rule of the environment has counted visitors.' }),
    metrics: z
      .object({
        key: z.string(),
        type: z.enum(['PROPORTION', 'MEAN', 'RATIO']),
        figures: recentMetricFigures
          .nullable()
          .meta({ description: 'Null if no test of the environment has measured the metric in these days.' }),
      })
      .meta({ id: 'RecentMetric' })
      .array()
      .meta({ description: 'The metrics of the experiment as drafted, primary ones first.' }),
  })
  .meta({
    id: 'RecentFigures',
    example: {
      from: '2026-11-12',
      until: '2026-11-26',
      visitors: {
        units: 28_000,
        days: 14,
        perDay: 2_000,
        source: {
          ruleId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
          flagId: '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00',
          flagKey: 'new-checkout',
          experimentId: null,
        },
      },
      metrics: [
        {
          key: 'order_paid',
          type: 'PROPORTION',
          figures: {
            baseline: 0.052,
            stddev: null,
            units: 14_000,
            source: {
              ruleId: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
              flagId: '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00',
              flagKey: 'new-checkout',
              experimentId: null,
            },
          },
        },
      ],
    },
  })

const shownPage = z
  .object({
    key: z.string(),
    name: z.string(),
    url: z.string().nullable().meta({ description: 'Where the page is opened for editing.' }),
    conditions: conditionSchema,
  })
  .meta({ id: 'PageOfExperiment' })

export const experimentSchema = z
  .object({
    id: z.string(),
    shortId: z.int().meta({ description: 'Unique in the project. Addresses accept it instead of the id.' }),
    projectId: z.string(),
    envId: z.string(),
    type: z.enum(['FEATURE', 'WEB']).meta({ description: 'FEATURE: tests a flag. WEB: tests web pages.' }),
    flagId: z.string().nullable().meta({ description: 'Null for a WEB experiment.' }),
    ruleId: z.string().meta({ description: 'The A/B rule that the experiment owns.' }),
    name: z.string(),
    hypothesis: z.string().nullable(),
    description: z.string().nullable(),
    tags: z.string().array(),
    status: z.enum(experimentStatuses).meta({
      description:
        'DRAFT: never launched. RUNNING: visitors get it now. PAUSED: visitors got it before, but not now. COMPLETED: ended for good. ARCHIVED: retired. `unarchive` restores the status before.',
    }),
    hasStagedChanges: z.boolean().meta({ description: 'Whether a publish would change what is tested.' }),
    variations: z
      .object({
        ...{ id: z.string(), key: z.string(), name: z.string(), weight: weightField },
        changes: z.int().optional().meta({ description: 'How many changes it has. Only of a web experiment.' }),
        hasCss: z.boolean().optional().meta({ description: 'Only of a web experiment.' }),
        hasCode: z.boolean().optional().meta({ description: 'Only of a web experiment.' }),
        redirect: redirectSchema.nullable().optional().meta({ description: 'Only of a web experiment.' }),
      })
      .meta({ id: 'ExperimentVariation' })
      .array(),
    baselineVariationKey: z.string(),
    audienceIds: z.string().array(),
    conditions: conditionSchema,
    trafficAllocation: z.int().meta({ description: 'Basis points: 0 to 10000.' }),
    bucketBy: z.string(),
    salt: z.string(),
    metrics: z.object({
      primary: z.string().array(),
      secondary: z.string().array(),
      guardrails: z.string().array(),
    }),
    statistics: statisticsSchema.omit({ autoPause: true }).meta({ id: 'ExperimentStatistics' }),
    exclusionGroupId: z.string().nullable(),
    holdoutId: z.string().nullable(),
    sticky: z.boolean(),
    allowlist: allowlistSchema,
    pages: shownPage.array().nullable().meta({ description: 'Null for a FEATURE experiment.' }),
    activation: activationField.nullable().meta({ description: 'Null for a FEATURE experiment.' }),
    activationSelector: z.string().nullable(),
    applyAt: applyAtField.nullable().meta({ description: 'Null for a FEATURE experiment.' }),
    autoPause: statisticsSchema.shape.autoPause.extend({
      codeErrors: z.boolean().meta({ description: 'False for a FEATURE experiment.' }),
    }),
    winner: winnerSchema.nullable(),
    schedule: scheduleSchema
      .pick({ id: true, action: true, runAt: true, status: true })
      .nullable()
      .meta({ description: 'The open schedule.' }),
    results: resultsSummarySchema.nullable().meta({
      description:
        'A summary of the last snapshot. Null before the first snapshot, and without the scope `results:read`. `GET …/results` has the figures.',
    }),
    launchedAt: timeField.nullable(),
    completedAt: timeField.nullable(),
    archivedAt: timeField.nullable(),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Experiment' })
