import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { searchWords } from './search.ts'

const maxActionLength = 100
const maxSearchLength = 200
const maxSearchWords = 10

export const auditEntrySchema = z
  .object({
    id: z.string(),
    seq: z
      .int()
      .meta({ description: 'Number of the entry in the organization, without gaps, in the order of the commits.' }),
    at: timeField,
    actor: z.object({
      type: z.string().meta({ description: '`user`, `service_token`, `personal_token` or `system`.' }),
      id: z.string().nullable().meta({ description: 'Id of the user or token. Null for the service itself.' }),
      name: z.string(),
    }),
    action: z.string(),
    object: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    projectId: z.string().nullable().meta({ description: 'Null if the entry is about the organization or a person.' }),
    before: z.unknown().meta({ description: 'The changed fields before the change. Never contains a secret.' }),
    after: z.unknown().meta({ description: 'The changed fields after the change.' }),
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    hash: z.string().meta({ description: 'SHA-256 of the entry and the hash of the previous entry, in hexadecimal.' }),
  })
  .meta({ id: 'AuditEntry' })

const idField = z.guid('Must be an id.')

/** Filters. An entry must match all that are given. */
export const filterQuery = {
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Only entries at or after this time.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Only entries before this time.' }),
  actor: z
    .union([idField, z.literal('system')], 'Must be an id or `system`.')
    .optional()
    .meta({ description: 'Id of a user or token, or `system`. A user includes their personal tokens.' }),
  action: z.string().min(1).max(maxActionLength).optional().meta({
    description: 'An action such as `flag.update`, or a prefix such as `flag.` for all actions that begin with it.',
  }),
  objectId: idField.optional(),
  projectId: idField.optional(),
  q: z
    .string()
    .max(maxSearchLength)
    .refine((q) => !q.includes('\0'), 'Must not contain the NUL character.')
    .refine((q) => searchWords(q).length <= maxSearchWords, `Must have at most ${maxSearchWords} words.`)
    .optional()
    .meta({
      description:
        'Words that an entry must contain in the name of the actor or object, in the action (`flag.pause`, `paused the flag`) or in the comment of a publish. Case is ignored. A word that is an id matches the entry, actor, object, project or request with this id.',
    }),
}
