import { z } from 'zod'
import { runMetricsField } from '../../../../catalogue/payloads.ts'
import { idField, madeKeyField, nameField, timeField } from '../../../../fields.ts'
import { scheduleField } from '../../../../platform/jobs/schedule.ts'
import { actionsField } from '../../datasets/index.ts'
import { modelStrategies } from './model.ts'

const strategyField = z.enum(modelStrategies).meta({ description: 'How products are chosen. Cannot change.' })
const settingsField = z
  .strictObject({
    envId: idField.optional().meta({ description: 'Whose events are read. Default: Production.' }),
    actions: actionsField.optional(),
  })
  .meta({ description: 'Of POPULAR and TRENDING alone: what they count. All other strategies have none.' })
const datasetField = idField.nullable().meta({
  description:
    'What the model learns from: for VIEWED_TOGETHER, BOUGHT_TOGETHER and FOR_YOU a dataset of INTERACTIONS, for IMPORTED one of NEIGHBOURS. All others have none. Default: null.',
})
const scheduled = scheduleField
  .nullable()
  .meta({ description: 'When it runs by itself. Null: only when it is asked to. Default: null.' })

export const createModelBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  strategy: strategyField,
  datasetId: datasetField.default(null),
  settings: settingsField.default({}),
  schedule: scheduled.default(null),
})

export const updateModelBody = z
  .strictObject({
    name: nameField,
    datasetId: datasetField,
    settings: settingsField.meta({ description: 'Replaced as a whole.' }),
    schedule: scheduled,
  })
  .partial()

export const modelSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    strategy: strategyField,
    datasetId: datasetField,
    settings: settingsField,
    schedule: scheduleField.nullable(),
    activeRun: z
      .object({ id: z.string(), number: z.int(), activatedAt: timeField })
      .nullable()
      .meta({ description: 'The run that serves. Null: none does yet. The ETag does not change with it.' }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'RecommendationModel' })

export const runSchema = z
  .object({
    id: z.string(),
    number: z.int(),
    jobId: z.string(),
    status: z.enum(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED']).meta({
      description: 'QUEUED: after a fault that can pass, the run is tried again.',
    }),
    startedAt: timeField,
    endedAt: timeField.nullable(),
    metrics: runMetricsField,
    products: z.int().nullable().meta({ description: 'How many products the model has something for.' }),
    bytes: z.int().nullable().meta({ description: 'The size of the model in the memory of a node.' }),
    activated: z.boolean().meta({ description: 'Whether this run serves now.' }),
    activatedAt: timeField.nullable().meta({ description: 'When it last went live.' }),
    reason: z.string().nullable().meta({ description: 'Why it failed, or did not go live by itself.' }),
  })
  .meta({ id: 'RecommendationRun' })
