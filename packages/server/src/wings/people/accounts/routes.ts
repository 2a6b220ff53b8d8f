import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { nameField } from '../../../fields.ts'
import type { CredentialRoute } from '../../../http/credential-route.ts'
import type { Membership, Organization } from '../../../http/credentials.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { rename } from './actions.ts'

const organizationSchema = z.object({ id: z.string(), shortId: z.int(), name: z.string() })

const meSchema = z
  .object({
    type: z.enum(['SERVICE_TOKEN', 'PERSONAL_TOKEN', 'SESSION']),
    id: z.string(),
    name: z.string(),
    organization: organizationSchema.nullable().meta({
      description: 'The organization of this request. Null if there are several and `Svc-Org-Id` is missing.',
    }),
    organizations: organizationSchema
      .extend({ role: z.object({ id: z.string(), name: z.string() }).nullable() })
      .meta({ id: 'MyOrganization' })
      .array()
      .meta({
        description:
          'All organizations that the credential gives access to. Send the id of one of them as `Svc-Org-Id`.',
      }),
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    role: z.object({ id: z.string(), name: z.string() }).nullable(),
    scopes: z.string().array().meta({ description: 'The scopes of this request, sorted.' }),
  })
  .meta({ id: 'Me' })

export function accountRoutes(route: CredentialRoute): void {
  route({
    method: 'GET',
    url: '/api/v1/me',
    operationId: 'getMe',
    summary: 'Get the current credential',
    description: 'Works without `Svc-Org-Id` even if the holder belongs to several organizations.',
    tag: 'Account',
    data: meSchema,
    handle({ credential: { type, id, name, user, memberships }, caller }) {
      return {
        data: {
          type,
          id,
          name,
          organization: caller && shown(caller.organization),
          organizations: memberships.map(({ organization, role }) => ({ ...shown(organization), role: named(role) })),
          user,
          role: named(caller?.role ?? null),
          scopes: [...(caller?.scopes ?? [])].sort(),
        },
      }
    },
  })
}

const shown = ({ id, shortId, name }: Organization) => ({ id, shortId, name })
const named = (role: Membership['role']) => role && { id: role.id, name: role.name }

/** Changes that people make to their own account. */
export function profileRoutes(route: PersonRoute, { db }: { db: Db }): void {
  route({
    method: 'PATCH',
    url: '/api/dashboard/me',
    operationId: 'updateProfile',
    summary: 'Change your name',
    tag: 'Profile',
    access: 'session',
    body: z.strictObject({ name: nameField }),
    data: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    async handle({ body: { name }, person: { user }, authorAs }) {
      const renamed = await rename(db, user.id, name, authorAs(user))
      return isRefusal(renamed) ? renamed : { data: { id: user.id, name, email: user.email } }
    },
  })
}
