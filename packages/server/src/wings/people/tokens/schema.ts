import { z } from 'zod'
import { scopes } from '../../../catalogue/scopes.ts'
import { descriptionField, idField, nameField, shownOnce, timeField } from '../../../fields.ts'
import { lifetimes, statuses } from './token.ts'

export const tokenParams = { tokenId: idField }

const expiresInField = z.enum(lifetimes).meta({ description: 'A year is 365 days, and the most there is.' })
const scopeField = z.enum(scopes)
const secretField = shownOnce(z.string(), 'In this answer and nowhere else.')
const lastUse = {
  lastUsedAt: timeField.nullable().meta({ description: 'To within 2 seconds.' }),
  lastUsedIp: z.string().nullable(),
  lastUsedUserAgent: z.string().nullable(),
}

export const serviceTokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    scopes: scopeField.array(),
    ineffectiveScopes: scopeField.array().meta({ description: 'Those of its scopes that open nothing.' }),
    createdAt: timeField,
    createdBy: z.string().nullable().meta({ description: 'A name; null: the token came from the provisioning file.' }),
    expiresAt: timeField.nullable(),
    status: z.enum(statuses).meta({
      description:
        'EXPIRING: within 7 days of its expiry, or within a day where it lives for 7 days at most. PREVIOUS_SECRET: rotated out, and still working.',
    }),
    replacedBy: z
      .string()
      .nullable()
      .meta({ description: 'For a previous secret: the token that it was the secret of.' }),
    revokedAt: timeField.nullable(),
    ...lastUse,
  })
  .meta({ id: 'ServiceToken' })

export const createServiceTokenBody = z.strictObject({
  name: nameField,
  description: descriptionField.default(null),
  scopes: scopeField.array().transform((chosen) => scopes.filter((scope) => chosen.includes(scope))),
  expiresIn: expiresInField,
})

export const createdServiceTokenSchema = serviceTokenSchema.extend({ secret: secretField })

export const rotatedServiceTokenSchema = z.object({
  token: serviceTokenSchema,
  secret: secretField,
  previous: serviceTokenSchema.meta({ description: 'The old secret: it works until it expires or is revoked.' }),
})

export const scopeSchema = z
  .object({
    scope: scopeField,
    text: z.string(),
    ineffective: z.boolean().meta({ description: 'It can be chosen, and opens nothing.' }),
  })
  .meta({ id: 'Scope' })

export const personalTokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: timeField,
    expiresAt: timeField.nullable(),
    expired: z.boolean(),
    revokedAt: timeField.nullable(),
    ...lastUse,
  })
  .meta({ id: 'PersonalToken' })

export const createPersonalTokenBody = z.strictObject({ name: nameField, expiresIn: expiresInField })

export const createdPersonalTokenSchema = personalTokenSchema.extend({
  secret: z.string().meta({ description: 'In this answer and nowhere else.' }),
})
