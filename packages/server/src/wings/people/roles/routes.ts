import { z } from 'zod'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import { capabilities, capabilityScopes, capabilityTexts, scopesOfRole } from '../../../catalogue/scopes.ts'
import { type Cursors, maxPageSize, pageQuery, rowsAfter } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { createRole, deleteRole, roles, updateRole } from './actions.ts'
import { findRole, listRoles, type Role } from './queries.ts'
import { capabilitySchema, createRoleBody, roleParams, roleSchema, updateRoleBody } from './schema.ts'

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function roleRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  const tag = 'Role'
  const url = '/api/v1/roles'

  route({
    method: 'GET',
    url,
    operationId: 'listRoles',
    summary: 'List roles',
    description: 'Built-in roles first, then custom roles by name.',
    tag,
    scope: 'roles:read',
    query: {
      ...pageQuery,
      limit: pageQuery.limit.default(maxPageSize).meta({ ...pageQuery.limit.meta(), default: maxPageSize }),
    },
    data: roleSchema.array(),
    paged: true,
    async handle({ caller, query }) {
      const { id } = caller.organization
      return cursors.list(query, ['roles', id], rowsAfter(await listRoles(db, id)), (rows) => rows.map(present))
    },
  })

  route({
    method: 'POST',
    url,
    operationId: 'createRole',
    summary: 'Create a role',
    description: 'A role can only include scopes that you hold.',
    tag,
    scope: 'roles:write',
    body: createRoleBody,
    data: roleSchema,
    refusals: ['already_exists'],
    etag: true,
    status: 201,
    handle: async ({ caller, by, body }) => answer(await createRole(db, by, caller, body)),
  })

  const one = {
    tag,
    url: `${url}/:roleId`,
    params: roleParams,
    find: ({ roleId }: { roleId: string }, caller: { organization: { id: string } }) =>
      findRole(db, caller.organization.id, roleId),
  }

  route({
    ...one,
    method: 'GET',
    operationId: 'getRole',
    summary: 'Get a role',
    scope: 'roles:read',
    data: roleSchema,
    etag: true,
    handle: async ({ found }) => answer(found),
  })

  route({
    ...one,
    method: 'PATCH',
    operationId: 'updateRole',
    summary: 'Update a role',
    description:
      'The change takes effect with the next request of each member who has the role. Built-in roles cannot be changed.',
    scope: 'roles:write',
    body: updateRoleBody,
    data: roleSchema,
    refusals: ['already_exists'],
    etag: true,
    conditional: true,
    handle: async ({ caller, found, by, body, ifMatch }) =>
      answer(await updateRole(db, by, caller, ifMatch, { roleId: found.id, edit: body })),
  })

  route({
    ...one,
    method: 'DELETE',
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description: 'A role can be deleted once no member and no open invitation has it.',
    scope: 'roles:write',
    data: z.null(),
    conditional: true,
    async handle({ caller, found, by, ifMatch }) {
      const deleted = await deleteRole(db, by, caller, ifMatch, found.id)
      return isRefusal(deleted) ? deleted : { data: null }
    },
  })

  route({
    method: 'GET',
    url: '/api/dashboard/capabilities',
    operationId: 'listCapabilities',
    summary: 'List the capabilities that a role can have',
    tag,
    access: 'session',
    scope: null,
    data: capabilitySchema.array(),
    handle: async () => ({ data: explained }),
  })
}

const explained = capabilities.map((capability) => ({
  capability,
  text: capabilityTexts[capability],
  scopes: [...capabilityScopes[capability]],
}))

function answer(role: Role | Refusal) {
  return isRefusal(role) ? role : { data: present(role), etag: roles.etag(role) }
}

function present({ orgId: _orgId, version: _version, ...role }: Role) {
  return {
    ...role,
    scopes: [...scopesOfRole(role)].sort(),
    createdAt: role.createdAt.toISOString(),
    updatedAt: role.updatedAt.toISOString(),
  }
}
