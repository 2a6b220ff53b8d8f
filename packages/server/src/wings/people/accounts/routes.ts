import { z } from 'zod'
import { isRefusal } from '../../../catalogue/refusals.ts'
import { nameField } from '../../../fields.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { rename } from './actions.ts'

const meSchema = z
  .object({
    type: z.enum(['SERVICE_TOKEN', 'PERSONAL_TOKEN', 'SESSION']),
    id: z.string(),
    name: z.string(),
    organization: z.object({ id: z.string(), shortId: z.int(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    role: z.object({ id: z.string(), name: z.string() }).nullable(),
    scopes: z.string().array().meta({ description: 'Sorted, as they count for this request.' }),
  })
  .meta({ id: 'Me' })

export function accountRoutes(route: Route): void {
  route({
    method: 'GET',
    url: '/api/v1/me',
    operationId: 'getMe',
    summary: 'Who am I',
    tag: 'Account',
    scope: null,
    data: meSchema,
    async handle({ caller: { type, id, name, user, organization, role, scopes } }) {
      return {
        data: {
          type,
          id,
          name,
          organization: { id: organization.id, shortId: organization.shortId, name: organization.name },
          user,
          role: role && { id: role.id, name: role.name },
          scopes: [...scopes].sort(),
        },
      }
    },
  })
}

/** What people change about themselves. */
export function profileRoutes(route: PersonRoute, { db }: { db: Db }): void {
  route({
    method: 'PATCH',
    url: '/api/dashboard/me',
    operationId: 'updateProfile',
    summary: 'Change my name',
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
