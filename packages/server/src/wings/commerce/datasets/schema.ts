import { z } from 'zod'
import { idField, madeKeyField, nameField, timeField } from '../../../fields.ts'
import { scheduleField } from '../../../platform/jobs/schedule.ts'
import { maxEventKeyLength } from '../../measuring/events/index.ts'
import { datasetKinds, defaultActions, defaultGuards } from './dataset.ts'

const maxActions = 10
const maxWeight = 1_000

/** Keys of events with the weights of what they tell. */
export const actionsField = z
  .record(z.string().min(1).max(maxEventKeyLength), z.number().positive().max(maxWeight))
  .refine((actions) => Object.keys(actions).length > 0, 'Must name at least one event.')
  .refine((actions) => Object.keys(actions).length <= maxActions, `Must name at most ${maxActions} events.`)
  .meta({
    description: `Keys of tracked events with a \`productId\` in their properties, and \`order\` → how much one of them counts. Default: ${JSON.stringify(defaultActions)}.`,
    examples: [defaultActions],
  })

const kindField = z.enum(datasetKinds).meta({
  description:
    'INTERACTIONS: what visitors did with products, derived from events and orders. NEIGHBOURS: which products go together, uploaded. Cannot change.',
})
const derivationField = z
  .strictObject({
    envId: idField.optional().meta({ description: 'Whose events are read. Default: Production.' }),
    actions: actionsField.optional(),
    windowDays: z
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .meta({ description: 'How many days are read. Default: 90, or all that are kept (`SVC_EVENT_RETENTION`).' }),
  })
  .nullable()
  .meta({ description: 'Of INTERACTIONS alone: which events they are.' })
const shareField = z.number().min(0).max(1)
const guardsField = z
  .strictObject({
    maxRowDrop: shareField.optional().meta({
      description: `The share of the rows of the active version that can be gone. Default: ${defaultGuards.maxRowDrop}.`,
    }),
    maxUnknownShare: shareField.optional().meta({
      description: `The share of rows whose product the catalog does not have. An empty catalog is not asked. Default: ${defaultGuards.maxUnknownShare}.`,
    }),
  })
  .meta({ description: 'When a version is held instead of going live.' })
const scheduled = scheduleField
  .nullable()
  .meta({ description: 'Of INTERACTIONS alone: when a version is derived without a request. Default: null.' })

export const createDatasetBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  kind: kindField,
  derivation: derivationField.optional(),
  guards: guardsField.default({}),
  schedule: scheduled.default(null),
})

export const updateDatasetBody = z
  .strictObject({
    name: nameField,
    derivation: derivationField.meta({ description: 'Replaced as a whole.' }),
    guards: guardsField.meta({ description: 'Replaced as a whole.' }),
    schedule: scheduled,
  })
  .partial()

export const datasetSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    kind: kindField,
    derivation: derivationField,
    guards: guardsField,
    schedule: scheduleField.nullable(),
    activeVersion: z
      .object({ id: z.string(), number: z.int(), rows: z.int() })
      .nullable()
      .meta({ description: 'The version that models learn from. The ETag does not change with it.' }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Dataset' })

export const versionSchema = z
  .object({
    id: z.string(),
    number: z.int(),
    jobId: z.string().nullable(),
    status: z.enum(['READY', 'HELD']).meta({ description: 'HELD: a guard has stopped it. It can be activated.' }),
    isActive: z.boolean(),
    rows: z.int(),
    units: z.int().nullable().meta({ description: 'How many different visitors there are; null for NEIGHBOURS.' }),
    products: z.int(),
    from: timeField.nullable().meta({ description: 'Of a derived version: since when events count.' }),
    through: timeField.nullable().meta({ description: 'Of a derived version: until when events count.' }),
    sha256: z.string().meta({ description: 'Of the rows. Versions with the same rows have the same.' }),
    checks: z.array(
      z.object({
        check: z.enum(['ROW_DROP', 'UNKNOWN_PRODUCTS']),
        status: z.enum(['OK', 'FAILED', 'SKIPPED']),
        value: z.number().nullable(),
        limit: z.number(),
      }),
    ),
    createdAt: timeField,
    activatedAt: timeField.nullable().meta({ description: 'When it last went live.' }),
  })
  .meta({ id: 'DatasetVersion' })

export const activateBody = z
  .strictObject({
    run: z.boolean().optional().meta({ description: 'Whether models that learn from it run at once. Default: false.' }),
  })
  .optional()

/** The rows of a version of NEIGHBOURS. */
export const datasetFile = z.any().meta({
  id: 'DatasetFile',
  type: 'string',
  format: 'binary',
  description: 'CSV or JSON lines of pairs of products.',
  examples: ['productId,relatedId,score\nG17,G4,0.8'],
})

export const sampleSchema = z.array(
  z.union([
    z
      .object({
        unit: z.string().nullable().meta({ description: 'Null: nobody knows who placed the order.' }),
        productId: z.string(),
        action: z.string().meta({ description: 'The key of the event.' }),
        at: timeField,
        weight: z.number(),
      })
      .meta({ id: 'DatasetInteraction' }),
    z.object({ productId: z.string(), relatedId: z.string(), score: z.number() }).meta({ id: 'DatasetNeighbour' }),
  ]),
)
