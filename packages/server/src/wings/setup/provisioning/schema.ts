import { z } from 'zod'
import { builtInRoles, capabilities, planFeatures, scopes } from '../../../catalogue/scopes.ts'
import { nameField } from '../../../fields.ts'
import { limits } from '../../people/accounts/index.ts'
import { notificationsField } from '../../people/organizations/index.ts'
import { lifetimesMs } from '../../people/tokens/index.ts'

const secretOf = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`),
      `must be ${prefix} and 32 random bytes in base64url (43 characters)`,
    )

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
    .meta({ description: `${Object.keys(builtInRoles).join(', ')}, or a custom role of the organization.` }),
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
    features: z.enum(planFeatures).array().optional().meta({
      description:
        'Features to turn on; other features do not change. Without this list, a new organization has all features, and an existing one keeps its features.',
    }),
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
        context.addIssue({
          code: 'custom',
          path: ['roles', index, 'name'],
          message: `must not be ${name}, which is built in`,
        })
    for (const [index, { role }] of members.entries())
      if (!known.has(role))
        context.addIssue({
          code: 'custom',
          path: ['members', index, 'role'],
          message: `must be a built-in role or one of the organization’s \`roles\` (got ${JSON.stringify(role)})`,
        })
  })

/** A secret belongs to one token, so a repeated secret is refused. */
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
      context.addIssue({
        code: 'custom',
        path,
        message: 'must not be the same as the secret of an earlier token in this file',
      })
  })

export type Provisioning = z.output<typeof provisioningSchema>

/** A token from the API lives for at most a year, and the same limit applies to the file. */
export function lateExpiries({ organizations }: Provisioning, now: Date): string[] {
  const last = new Date(now.getTime() + lifetimesMs['1y'])
  return organizations.flatMap(({ serviceTokens }, at) =>
    serviceTokens.flatMap(({ expiresAt }, index) =>
      expiresAt !== null && new Date(expiresAt) > last
        ? [
            `organizations[${at}].serviceTokens[${index}].expiresAt must be at most a year from now, ${last.toISOString()}, or null for never (got ${expiresAt}).`,
          ]
        : [],
    ),
  )
}
