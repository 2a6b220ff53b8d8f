import { z } from 'zod'
import { timeField } from '../../../fields.ts'

const maxActionLength = 100

export const auditEntrySchema = z
  .object({
    id: z.string(),
    seq: z
      .int()
      .meta({ description: 'Counts the organization’s entries without a gap, in the order of their commits.' }),
    at: timeField,
    actor: z.object({
      type: z.string().meta({ description: '`user`, `service_token`, `personal_token` or `system`.' }),
      id: z.string().nullable().meta({ description: 'The user’s or the token’s; null: the service itself.' }),
      name: z.string(),
    }),
    action: z.string(),
    object: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    projectId: z.string().nullable().meta({ description: 'Null: it concerns the organization or a person.' }),
    before: z.unknown().meta({ description: 'What the change is about, as it was. Never a secret.' }),
    after: z.unknown().meta({ description: 'The same, as the change left it.' }),
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    hash: z.string().meta({ description: 'SHA-256 over the entry and the hash of the one before it, in hexadecimal.' }),
  })
  .meta({ id: 'AuditEntry' })

const idField = z.guid('This is an id.')

/** What to look for; everything that is given has to fit. */
export const filterQuery = {
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Entries of this moment and later.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Entries before this moment.' }),
  actor: z
    .union([idField, z.literal('system')], 'This is an id, or system.')
    .optional()
    .meta({ description: 'Id of a user, who is found behind personal tokens as well, or of a token; or `system`.' }),
  action: z
    .string()
    .min(1)
    .max(maxActionLength)
    .optional()
    .meta({ description: 'One action, such as `flag.update`, or with a dot at its end all of a kind: `flag.`' }),
  objectId: idField.optional(),
  projectId: idField.optional(),
}
