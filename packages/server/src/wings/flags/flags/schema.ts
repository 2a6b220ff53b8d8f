import { z } from 'zod'
import { flagStatusField } from '../../../catalogue/payloads.ts'
import { descriptionField, idField, innerKeyField, keyField, nameField, timeField } from '../../../fields.ts'
import { flagTypes } from './value.ts'
import { maxSchemaBytes, schemaFaults, type ValueSchema } from './value-schema.ts'

const maxValueLength = 10_000
const maxTags = 20
const maxTagLength = 50
/** The longest e-mail address. */
const maxOwnerLength = 320

export const typeField = z.enum(flagTypes)

const valueField = z
  .string({
    error: ({ input }) =>
      `must be a string: ${typeof input === 'object' ? 'send the JSON as text' : `send "${input}", not ${input}`}.`,
  })
  .max(maxValueLength)
  .meta({
    description:
      'BOOLEAN: `true` or `false`. STRING: any text. NUMBER: a finite number, such as `0.25`. JSON: JSON of at most 8192 bytes. Numbers and JSON are rewritten to one spelling when they are saved.',
  })
const variationFields = { name: nameField, key: innerKeyField, value: valueField }
const variationCount = 'must have 2 to 4 variations.'
const variationsField = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(2, variationCount).max(4, variationCount)

const valueSchemaText =
  'The form that values of a JSON flag must have, as JSON Schema with the keywords type, properties, required, items, enum, const, additionalProperties, minimum, maximum, minLength and maxLength; at most 16 KB. Values are checked when they are saved. Null: any JSON.'

const valueSchemaField = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    if (Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes)
      context.addIssue({ code: 'custom', message: `must have at most ${maxSchemaBytes} bytes.` })
    else for (const { path, message } of schemaFaults(schema)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((schema) => schema as ValueSchema)
  .nullable()
  .meta({ description: valueSchemaText })

const ownerText = 'The id or e-mail address of a member of the organization'
/** The owner of a flag in a body. */
const ownedByField = z.string().min(1).max(maxOwnerLength).nullable()

export const ownerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    left: z.boolean().meta({ description: 'True if the person is no longer a member of the organization.' }),
  })
  .meta({ id: 'FlagOwner' })

export const tagsField = z
  .array(z.string().min(1).max(maxTagLength))
  .max(maxTags)
  .refine((tags) => new Set(tags).size === tags.length, 'must not have the same tag twice.')
  .meta({ uniqueItems: true })

export const stagedSchema = z
  .object({
    defaultVariationId: z.string().nullable(),
    variations: z.boolean(),
    overrides: z.boolean(),
    rules: z.int().meta({ description: 'Rules created, edited, moved or deleted since the last publish.' }),
  })
  .meta({ id: 'Staged' })

export const flagEnvironmentSchema = z
  .object({
    envId: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    defaultVariationId: z.string().meta({ description: 'The live default variation. `staged` contains the draft.' }),
    staged: stagedSchema,
    ruleCount: z.int(),
    runningRuleCount: z.int(),
    overrideCount: z.int(),
    lastPublishedRevision: z.int().nullable(),
    lastEvaluatedAt: timeField.nullable(),
  })
  .meta({ id: 'FlagEnvironment' })

export const flagSchema = z
  .object({
    id: z.string(),
    shortId: z.int(),
    projectId: z.string(),
    name: z.string(),
    key: z.string(),
    description: z.string().nullable(),
    type: typeField,
    status: flagStatusField,
    stale: z.boolean().meta({
      description: 'True if the flag was not edited for 90 days or not evaluated for 30; see `docs/publishing.md`.',
    }),
    permanent: z.boolean().meta({ description: 'True for a flag that you keep on purpose. It is never stale.' }),
    variations: z
      .object({ id: z.string(), name: z.string(), key: z.string(), value: z.string() })
      .meta({ id: 'Variation' })
      .array(),
    defaultVariationKey: z.string(),
    valueSchema: z.record(z.string(), z.unknown()).nullable().meta({ description: valueSchemaText }),
    tags: z.string().array(),
    owner: ownerSchema.nullable().meta({
      description:
        'The person who looks after the flag. A person who leaves the organization stays the owner until you choose another one.',
    }),
    environments: flagEnvironmentSchema.array(),
    createdAt: timeField,
    updatedAt: timeField,
    archivedAt: timeField.nullable(),
  })
  .meta({ id: 'Flag' })

export const flagParams = { projectId: idField, flagId: idField }

export const flagEnvironmentParams = { ...flagParams, envId: idField }

const maxSearchLength = 200
const noNul = (text: string) => !text.includes('\0')

/** Filters by a tag, and by a part of these texts. */
export const tagAndText = (texts: string) => ({
  tag: z.string().max(maxTagLength).refine(noNul, 'Must not contain the NUL character.').optional(),
  q: z
    .string()
    .max(maxSearchLength)
    .refine(noNul, 'Must not contain the NUL character.')
    .optional()
    .meta({ description: `Text that the ${texts} must contain. Case is ignored.` }),
})

export const flagFilters = {
  status: flagStatusField.optional(),
  type: typeField.optional(),
  stale: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  owner: z.string().min(1).max(maxOwnerLength).refine(noNul, 'Must not contain the NUL character.').optional().meta({
    description:
      'The id or e-mail address of the owner; `me` for the person of the token; `none` for flags without an owner who is still a member.',
  }),
  ...tagAndText('name, key or description'),
}

export const createFlagBody = z.strictObject({
  name: nameField,
  key: keyField,
  type: typeField,
  variations: variationsField(z.strictObject(variationFields).meta({ id: 'NewVariation' })),
  defaultVariationKey: z.string(),
  description: descriptionField.default(null),
  tags: tagsField.default([]),
  owner: ownedByField.optional().meta({
    description: `${ownerText}. Default: the person who creates the flag. A service token is no person, so its flags have no owner. Null: nobody.`,
  }),
  permanent: z.boolean().default(false),
  valueSchema: valueSchemaField.default(null),
})

export const updateFlagBody = z.strictObject({
  name: nameField.optional(),
  description: descriptionField.optional(),
  key: keyField.optional(),
  tags: tagsField.optional(),
  owner: ownedByField.optional().meta({ description: `${ownerText}; null for nobody.` }),
  permanent: z.boolean().optional(),
  valueSchema: valueSchemaField.optional(),
})

export const replaceVariationsBody = z.strictObject({
  variations: variationsField(
    z.strictObject({ id: idField.optional(), ...variationFields }).meta({ id: 'ReplacedVariation' }),
  ),
  defaultVariationKey: z.string().optional(),
})
