import { z } from 'zod'
import { auditedNouns } from '../../../catalogue/nouns.ts'

export const maxIds = 100

export const namesBody = z.strictObject({
  ids: z
    .guid('Must be an id.')
    .toLowerCase()
    .array()
    .min(1)
    .max(maxIds)
    .meta({ description: `1 to ${maxIds} ids of any kind.` }),
})

export const placeSchema = z
  .object({ id: z.string(), shortId: z.int(), key: z.string(), name: z.string() })
  .meta({ id: 'NamedPlace' })

const knownSchema = z
  .object({
    id: z.string(),
    visible: z.literal(true),
    kind: z.enum(auditedNouns),
    name: z.string().meta({ description: 'The name; for a deleted object, its last name.' }),
    key: z.string().nullable(),
    shortId: z.int().nullable(),
    project: placeSchema
      .nullable()
      .meta({ description: 'The project of the object. For a project, the project itself.' }),
    environment: z.object({ id: z.string(), key: z.string(), name: z.string() }).nullable(),
    flag: placeSchema.nullable().meta({ description: 'The flag of a rule.' }),
    deleted: z.boolean(),
  })
  .meta({ id: 'VisibleName' })

const unknownSchema = z.object({ id: z.string(), visible: z.literal(false) }).meta({ id: 'InvisibleName' })

export const nameSchema = z.discriminatedUnion('visible', [knownSchema, unknownSchema]).meta({
  id: 'NameOfId',
  description: '`visible` is false for an id that does not exist or that the token cannot read.',
})
