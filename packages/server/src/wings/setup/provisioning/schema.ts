import { z } from 'zod'
import { builtInRoles, capabilities, planFeatures, scopes } from '../../../catalogue/scopes.ts'
import { nameField } from '../../../fields.ts'
import { limits } from '../../people/accounts/index.ts'
import { notificationsField } from '../../people/organizations/index.ts'

const secretOf = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`), `A secret is ${prefix} and 32 random bytes in base64url.`)

const serviceToken = z.strictObject({
  name: nameField,
  secret: secretOf('svc_svc_'),
  scopes: z.enum(scopes).array(),
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
})

const member = z.strictObject({
  email: z.email(),
  name: nameField,
  password: z.string().min(limits.password.minLength).max(limits.password.maxLength).optional(),
  role: z
    .string()
    .meta({ description: `${Object.keys(builtInRoles).join(', ')}, or one of the organization's roles.` }),
  personalTokens: z
    .strictObject({
      name: nameField,
      secret: secretOf('svc_pat_'),
      expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
    })
    .array()
    .default([]),
})

const organization = z
  .strictObject({
    name: nameField,
    features: z
      .enum(planFeatures)
      .array()
      .default([...planFeatures]),
    notifications: notificationsField.default(null),
    roles: z
      .strictObject({ name: nameField, capabilities: z.enum(capabilities).array() })
      .array()
      .default([]),
    projects: z.strictObject({ name: nameField }).array().default([]),
    members: member.array().default([]),
    serviceTokens: serviceToken.array().default([]),
  })
  .superRefine(({ roles, members }, context) => {
    const known = new Set([...Object.keys(builtInRoles), ...roles.map(({ name }) => name)])
    for (const [index, { name }] of roles.entries())
      if (Object.hasOwn(builtInRoles, name))
        context.addIssue({ code: 'custom', path: ['roles', index, 'name'], message: 'This role is built in.' })
    for (const [index, { role }] of members.entries())
      if (!known.has(role))
        context.addIssue({ code: 'custom', path: ['members', index, 'role'], message: `There is no role ${role}.` })
  })

/** One secret opens one token; given twice, the second would be nobody's. */
function repeatedSecrets(organizations: readonly z.output<typeof organization>[]): (string | number)[][] {
  const seen = new Set<string>()
  const paths: (string | number)[][] = []
  const look = (tokens: readonly { secret: string }[], path: (string | number)[]) => {
    for (const [index, { secret }] of tokens.entries()) {
      if (seen.has(secret)) paths.push([...path, index, 'secret'])
      seen.add(secret)
    }
  }
  for (const [at, { serviceTokens, members }] of organizations.entries()) {
    look(serviceTokens, ['organizations', at, 'serviceTokens'])
    for (const [index, { personalTokens }] of members.entries())
      look(personalTokens, ['organizations', at, 'members', index, 'personalTokens'])
  }
  return paths
}

/** The provisioning file: `docs/provisioning.schema.json` is printed from it. */
export const provisioningSchema = z
  .strictObject({ $schema: z.string().optional(), organizations: organization.array() })
  .superRefine(({ organizations }, context) => {
    for (const path of repeatedSecrets(organizations))
      context.addIssue({ code: 'custom', path, message: 'This secret is given twice.' })
  })

export type Provisioning = z.output<typeof provisioningSchema>
