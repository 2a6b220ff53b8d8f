import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { limits } from '../accounts/index.ts'

const maxEmailLength = 254
const maxCodeLength = 64
const maxLinkLength = 128

export const emailField = z.email('Must be an e-mail address.').max(maxEmailLength)

/** A password that is only compared. Rules apply when a password is set. */
export const givenPasswordField = z
  .string()
  .min(1)
  .max(limits.password.maxLength * 4)

/** The text after the `#` of a single-use link. */
export const linkField = z.string().min(1).max(maxLinkLength)

export const codeField = z.string().min(1).max(maxCodeLength)

const sessionSchema = z
  .object({
    id: z.string(),
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      hasPassword: z.boolean(),
      secondFactor: z.boolean(),
    }),
    organizations: z
      .object({
        id: z.string(),
        shortId: z.int(),
        name: z.string(),
        features: z.string().array(),
        role: z.object({ id: z.string(), name: z.string() }).nullable(),
        administrator: z.boolean().meta({ description: 'Whether the role is the built-in OWNER or ADMIN.' }),
        scopes: z.string().array(),
        projects: z.string().array().nullable().meta({ description: 'Null: all projects.' }),
      })
      .array(),
    authenticatedAt: timeField,
    expiresAt: timeField.meta({
      description: 'The latest time at which the session ends. An unused session ends earlier.',
    }),
  })
  .meta({ id: 'Session' })

/** What a browser learns about its session: the answer of every call that signs in or out. */
export const standingSchema = z
  .object({
    session: sessionSchema.nullable(),
    stage: z.enum(['SIGNED_OUT', 'SECOND_FACTOR', 'SIGNED_IN']),
    setup: z.boolean().meta({
      description: 'Whether the owner must still be created, with the link that the service shows at its start.',
    }),
    providers: z.object({ id: z.string(), name: z.string() }).array(),
    mail: z.boolean().meta({ description: 'Whether the service sends mail.' }),
  })
  .meta({ id: 'Standing' })

export const listedSessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean(),
    createdAt: timeField,
    lastSeenAt: timeField,
    expiresAt: timeField,
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'ListedSession' })
