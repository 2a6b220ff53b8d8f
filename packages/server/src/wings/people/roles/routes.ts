import { z } from 'zod'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import { capabilities, capabilityScopes, capabilityTexts, scopesOfRole } from '../../../catalogue/scopes.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { createRole, deleteRole, roles, updateRole } from './actions.ts'
import { findRole, listRoles, type Role } from './queries.ts'
import { capabilitySchema, createRoleBody, roleParams, roleSchema, updateRoleBody } from './schema.ts'

export function roleRoutes(route: Route, { db }: { db: Db }): void {
  const tag = 'Role'
  const url = '/api/v1/roles'

  route({
    method: 'GET',
    url,
    operationId: 'listRoles',
    summary: 'List roles',
    description: 'The built-in ones first, then the organization’s own by name.',
    tag,
    scope: 'roles:read',
    data: roleSchema.array(),
    handle: async ({ caller }) => ({ data: (await listRoles(db, caller.organization.id)).map(present) }),
  })

  route({
    method: 'POST',
    url,
    operationId: 'createRole',
    summary: 'Create a role',
    description: 'Nobody puts more into a role than they hold themselves.',
    tag,
    scope: 'roles:write',
    body: createRoleBody,
    data: roleSchema,
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
    handle: async ({ found }) => answer(found),
  })

  route({
    ...one,
    method: 'PATCH',
    operationId: 'updateRole',
    summary: 'Update a role',
    description:
      'It counts for everybody who has the role from their next request on. Built-in roles stay as they are.',
    scope: 'roles:write',
    body: updateRoleBody,
    data: roleSchema,
    conditional: true,
    handle: async ({ caller, found, by, body, ifMatch }) =>
      answer(await updateRole(db, by, caller, ifMatch, { roleId: found.id, edit: body })),
  })

  route({
    ...one,
    method: 'DELETE',
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description: 'Only one that no member has and no open invitation names.',
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
    summary: 'What a role can carry, explained',
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
