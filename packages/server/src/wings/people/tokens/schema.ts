import { z } from 'zod'
import { scopes } from '../../../catalogue/scopes.ts'
import { descriptionField, idField, nameField, shownOnce, timeField } from '../../../fields.ts'
import { lifetimes, statuses } from './token.ts'

export const tokenParams = { tokenId: idField }

const expiresInField = z.enum(lifetimes).meta({ description: 'How long the token works. `1y` is 365 days.' })
const scopeField = z.enum(scopes)
const secretField = shownOnce(z.string(), 'Present only in this answer.')
const lastUse = {
  lastUsedAt: timeField.nullable().meta({ description: 'Accurate to 2 seconds.' }),
  lastUsedIp: z.string().nullable(),
  lastUsedUserAgent: z.string().nullable(),
}

export const serviceTokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    scopes: scopeField.array(),
    ineffectiveScopes: scopeField
      .array()
      .meta({ description: 'The scopes of the token that currently have no effect.' }),
    createdAt: timeField,
    createdBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of the creator. Null if the token is from the provisioning file.' }),
    initial: z.boolean().meta({
      description:
        'The service made this secret at its first start and wrote it to a file. A rotation gives the token a different one.',
    }),
    expiresAt: timeField.nullable(),
    status: z.enum(statuses).meta({
      description:
        '`EXPIRING`: the token expires within 7 days (within a day if its whole life is at most 7 days). `PREVIOUS_SECRET`: an old secret that was rotated and still works.',
    }),
    replacedBy: z.string().nullable().meta({ description: 'Present only for a previous secret: the id of its token.' }),
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
  previous: serviceTokenSchema.meta({ description: 'The old secret. It works until it expires or is revoked.' }),
})

export const scopeSchema = z
  .object({
    scope: scopeField,
    text: z.string(),
    ineffective: z.boolean().meta({ description: 'The scope can be chosen, but currently has no effect.' }),
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
  secret: z.string().meta({ description: 'Present only in this answer.' }),
})
