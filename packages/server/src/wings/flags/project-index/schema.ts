import { z } from 'zod'
import { indexedNouns, indexFieldOf, nouns } from '../../../catalogue/nouns.ts'
import { flagStatusField } from '../../../catalogue/payloads.ts'
import { timeField } from '../../../fields.ts'
import { typeField } from '../flags/index.ts'

const environmentSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    color: z.string(),
    protected: z.boolean(),
    revision: z.int(),
  })
  .meta({ id: 'IndexedEnvironment' })

const servesSchema = z
  .object({
    rules: z.int().meta({
      description:
        'How many rules serve. Rules below one that everyone gets do not count. More than 1: no other field.',
    }),
    variationKey: z
      .string()
      .optional()
      .meta({ description: 'What the only rule serves, or without rules what everyone gets.' }),
    abTest: z.literal(true).optional().meta({ description: 'The only rule is an A/B test.' }),
    share: z.int().optional().meta({
      description: 'The share of its visitors that the only rule serves, in hundredths of a percent. Omitted: all.',
    }),
    everyone: z.literal(true).optional().meta({ description: 'The only rule has no conditions, or there is no rule.' }),
  })
  .meta({ id: 'IndexedServing' })

const stateSchema = z
  .object({
    running: z.literal(true).optional(),
    firstRun: z.literal(true).optional().meta({
      description: 'The flag was never published here: a run publishes its draft, and a pause does not take that back.',
    }),
    abTest: z.literal(true).optional().meta({ description: 'An A/B test is live here, whether it runs or is paused.' }),
    serves: servesSchema.optional().meta({ description: 'What visitors get. Only of a running flag.' }),
    unpublished: z.int().optional().meta({ description: 'How many changes the next publish would make live.' }),
    scheduled: z.object({ action: z.enum(['RUN', 'PAUSE']), runAt: timeField }).optional(),
    lastEvaluatedAt: timeField.optional(),
  })
  .meta({ id: 'IndexedFlagState', description: 'Fields that are false, 0 or missing are omitted.' })

const flagSchema = z
  .object({
    shortId: z.int(),
    key: z.string(),
    name: z.string(),
    type: typeField,
    status: flagStatusField,
    stale: z.literal(true).optional(),
    tags: z.string().array(),
    updatedAt: timeField,
    updatedBy: z.string().optional().meta({
      description:
        'The name of the person or token that edited or switched the flag last. Omitted for changes before this was recorded.',
    }),
    owner: z.string().optional().meta({ description: 'The id of the person who looks after the flag.' }),
    states: stateSchema.array().meta({ description: 'One for each environment, in the order of `environments`.' }),
  })
  .meta({ id: 'IndexedFlag' })

const unless = (scope: string) => `Null if the token lacks the scope \`${scope}\`.`
const called = {
  key: { key: z.string() },
  number: { shortId: z.int() },
  both: { shortId: z.int(), key: z.string() },
}
const archivedField = { archived: z.literal(true).optional() }

/** One field for each noun: `audiences`, `exclusionGroups`. */
const nounFields = Object.fromEntries(
  indexedNouns.map(({ noun, path, calledBy, archived }) => {
    const { label, readBy } = nouns[noun]
    const row = z
      .object({ id: z.string(), ...called[calledBy], name: z.string(), ...(archived && archivedField) })
      .meta({ id: `Indexed${label.replaceAll(/ (\w)/g, (_all, letter: string) => letter.toUpperCase())}` })
    const field = row
      .array()
      .nullable()
      .meta({ description: unless(readBy) })
    return [indexFieldOf({ path }), field]
  }),
)

export const projectIndexSchema = z
  .object({
    environments: environmentSchema.array().nullable().meta({
      description:
        'In the order of their positions. Null if the token has neither the scope `projects:read` nor `flags:read`.',
    }),
    flags: flagSchema
      .array()
      .nullable()
      .meta({ description: `Newest first. ${unless('flags:read')}` }),
    owners: z
      .object({ id: z.string(), name: z.string(), left: z.literal(true).optional() })
      .meta({ id: 'IndexedOwner', description: '`left`: the person is no longer a member of the organization.' })
      .array()
      .nullable()
      .meta({ description: `The people who own flags of the project, by name. ${unless('flags:read')}` }),
    ...nounFields,
    attributes: z
      .string()
      .array()
      .nullable()
      .meta({ description: `The attributes that rules and audiences read, at most 1,000. ${unless('flags:read')}` }),
  })
  .meta({ id: 'ProjectIndex' })
