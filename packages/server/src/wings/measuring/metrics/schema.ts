import { z } from 'zod'
import { keyField, lineField, nameField, timeField } from '../../../fields.ts'
import { ruleUseSchema } from '../../model/rules/index.ts'
import { triggerField, triggerSchema } from '../../model/web/index.ts'
import { maxMetricEventKeyLength, metricDirections, metricTypes } from './metric.ts'

const maxUnitLength = 20
const maxWindowHours = 2160

const eventKeyField = lineField.max(maxMetricEventKeyLength).meta({ description: 'The `eventKey` that `track` sends.' })
const valueFromField = z
  .literal('value')
  .nullable()
  .meta({ description: '`value`: the value of each event. Null: each event counts as 1.' })
const denominatorField = z.strictObject({ eventKey: eventKeyField, valueFrom: valueFromField.default(null) })

const triggerText =
  'What visitors do on pages that the script of a WEB project tells by itself, as the event `eventKey`, while an experiment with this metric runs. Null: only programs and `svc.track` send the event. An event can have one trigger in a project.'

const definition = {
  type: z.enum(metricTypes).meta({
    description:
      '`PROPORTION`: the share of visitors with the event. `MEAN`: the sum of its values, or the number of events, per visitor. `RATIO`: the sum divided by the sum of `denominator`.',
  }),
  eventKey: eventKeyField,
  valueFrom: valueFromField,
  denominator: denominatorField.nullable(),
  direction: z.enum(metricDirections).meta({ description: 'The good direction.' }),
  unit: nameField
    .max(maxUnitLength)
    .nullable()
    .meta({ description: 'The unit of the value, for example `EUR`. It is only shown.' }),
  conversionWindowHours: z
    .int()
    .min(1)
    .max(maxWindowHours)
    .meta({ description: 'Events count until this many hours after the first exposure of a visitor.' }),
  winsorizeAt: z.number().min(0.5).lt(1).nullable().meta({
    description:
      'For a `MEAN` only. Caps each visitor’s sum at this quantile of their sizes, so that a few visitors cannot decide the test.',
  }),
  nonInferiorityMargin: z.number().gt(0).lt(1).nullable().meta({
    description: 'For a guardrail: how much worse a variation can be, as a share of the baseline.',
  }),
  trigger: triggerField.nullable().meta({ description: triggerText }),
}

export const createMetricBody = z.strictObject({
  key: keyField,
  name: nameField,
  ...definition,
  valueFrom: definition.valueFrom.default(null),
  denominator: definition.denominator.default(null),
  direction: definition.direction.default('INCREASE'),
  unit: definition.unit.default(null),
  conversionWindowHours: definition.conversionWindowHours.default(168),
  winsorizeAt: definition.winsorizeAt.default(null),
  nonInferiorityMargin: definition.nonInferiorityMargin.default(null),
  // The document leaves out the default of what is transformed, such as conditions.
  trigger: definition.trigger.prefault(null),
})

export const updateMetricBody = z
  .strictObject(
    {
      name: nameField,
      ...definition,
      archived: z.boolean().meta({ description: 'New rules cannot use an archived metric; results keep it.' }),
    },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' && (keys as string[]).includes('key')
          ? 'key cannot be changed, because rules name the metric by it. Create a new metric.'
          : undefined,
    },
  )
  .partial()

export const metricSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    key: z.string().meta({ description: 'The name of the metric in rules and addresses.' }),
    name: z.string(),
    type: definition.type,
    eventKey: z.string(),
    valueFrom: valueFromField,
    denominator: z.object({ eventKey: z.string(), valueFrom: valueFromField }).nullable(),
    direction: definition.direction,
    unit: z.string().nullable(),
    conversionWindowHours: z.int(),
    winsorizeAt: z.number().nullable(),
    nonInferiorityMargin: z.number().nullable(),
    trigger: triggerSchema.nullable().meta({ description: triggerText }),
    archived: z.boolean(),
    inUse: z.boolean().meta({
      description:
        'Whether a test that has started uses the metric, or an experiment has ended with it: it can then be renamed and archived, but not redefined.',
    }),
    usedBy: ruleUseSchema.array().meta({
      description:
        'The first 100 drafted or live rules that use the metric. In a project of the type WEB, the experiments.',
    }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Metric' })
