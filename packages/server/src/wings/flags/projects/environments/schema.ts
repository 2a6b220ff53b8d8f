import { z } from 'zod'
import { idField, madeKeyField, nameField, timeField } from '../../../../fields.ts'
import { ingestKeyRequirements } from '../../../model/environments/index.ts'
import { maxEnvironmentsPerProject } from './environment.ts'

const requirementField = z.enum(ingestKeyRequirements).meta({
  description:
    'Which events count only if their request has an ingest key. `NONE`: events count without one. `TRACKED_EVENTS`: tracked events need one, and exposures do not. `ALL`: exposures need one, too.',
})

export const environmentSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    key: z.string(),
    color: z.string(),
    builtIn: z.boolean(),
    protected: z.boolean().meta({ description: 'The dashboard asks for a confirmation before each switch.' }),
    ingestKeyRequiredFor: requirementField,
    ingestKeyMissedAt: timeField.nullable().meta({
      description:
        'When an event was last rejected because it had no ingest key, to the minute. Null: that has not happened.',
    }),
    position: z.int().meta({ description: 'Place in the order of the project’s environments, from 0.' }),
    status: z.literal('ACTIVE'),
    sdkKey: z
      .string()
      .meta({ description: 'The public key that names the environment to SDKs. If it has two, the newest.' }),
    connected: z.boolean().meta({ description: 'True once an SDK has confirmed a fetch.' }),
    lastHeartbeatAt: timeField.nullable(),
    sdks: z
      .object({ type: z.string(), version: z.string(), lastSeenAt: timeField, instances: z.int() })
      .array()
      .meta({ description: 'SDKs seen in the last 10 minutes.' }),
    dataFile: z.object({ url: z.url(), revision: z.int(), etag: z.string(), publishedAt: timeField.nullable() }),
    hasStagedChanges: z.boolean(),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Environment' })

export const environmentParams = { projectId: idField, envId: idField }

const colorField = z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must have the form #RRGGBB.')

const protectedField = z.boolean().meta({ description: 'Ask for a confirmation in the dashboard before each switch.' })
const positionField = z.int().min(0).max(maxEnvironmentsPerProject)

export const createEnvironmentBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  color: colorField.optional(),
  protected: protectedField.default(false),
  position: positionField.optional().meta({ description: 'Place in the order, from 0. Default: last.' }),
  copyFromEnvId: idField.nullable().default(null).meta({
    description:
      'Copy the drafts of this environment. All flags start paused, and rules get new salts, so visitors are bucketed differently.',
  }),
})

export const updateEnvironmentBody = z.strictObject({
  name: nameField.optional(),
  color: colorField.optional(),
  protected: protectedField.optional(),
  ingestKeyRequiredFor: requirementField.optional(),
  position: positionField.optional().meta({
    description: 'Move the environment to this place in the order, from 0. The environments behind it move up or down.',
  }),
})
