import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { organizationEtag, updateOrganization } from './actions.ts'
import { findOrganization, type OrganizationRow } from './queries.ts'
import { organizationSchema, organizationSettingsSchema, updateOrganizationBody } from './schema.ts'

export function organizationRoutes(route: Route, { db }: { db: Db }): void {
  const tag = 'Organization'
  const find = (_params: object, caller: { organization: { id: string } }) =>
    findOrganization(db, caller.organization.id)

  route({
    method: 'GET',
    url: '/api/v1/organization',
    operationId: 'getOrganization',
    summary: 'Get the organization',
    tag,
    scope: 'org:read',
    data: organizationSchema,
    etag: true,
    find,
    handle: async ({ found }) => ({ data: present(found), etag: organizationEtag(found) }),
  })

  const settings = {
    tag,
    url: '/api/dashboard/organization',
    scope: null,
    data: organizationSettingsSchema,
    etag: true,
    find,
  } as const

  route({
    ...settings,
    method: 'GET',
    access: 'session',
    operationId: 'getOrganizationSettings',
    summary: 'Get the organization with its settings',
    handle: async ({ found }) => answerSettings(found),
  })

  route({
    ...settings,
    method: 'PATCH',
    access: 'administrator',
    operationId: 'updateOrganization',
    summary: 'Change the name or the notification settings of the organization',
    body: updateOrganizationBody,
    conditional: true,
    async handle({ found, by, body, ifMatch }) {
      const organization = await updateOrganization(db, by, ifMatch, found.id, body)
      return isRefusal(organization) ? organization : answerSettings(organization)
    },
  })
}

export const notificationSettingsOf = ({ notifications, quietHours, digestAt, digestTimezone }: OrganizationRow) => ({
  notifications,
  quietHours,
  digestAt,
  digestTimezone,
})

const answerSettings = (organization: OrganizationRow) => ({
  data: { ...present(organization), ...notificationSettingsOf(organization) },
  etag: organizationEtag(organization),
})

const present = ({ id, shortId, name, features, createdAt }: OrganizationRow) => ({
  id,
  shortId,
  name,
  features,
  createdAt: createdAt.toISOString(),
})
