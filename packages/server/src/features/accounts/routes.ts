import { z } from 'zod'
import type { Route } from '../../http/route.ts'

const meSchema = z
  .object({
    type: z.enum(['SERVICE_TOKEN', 'PERSONAL_TOKEN']),
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
    async handle({ caller: { organization, scopes, ...holder } }) {
      const { id, shortId, name } = organization
      return { data: { ...holder, organization: { id, shortId, name }, scopes: [...scopes].sort() } }
    },
  })
}
