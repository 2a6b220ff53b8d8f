import { isDeepStrictEqual } from 'node:util'
import { invalid, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type Capability, holdsScope, type Scope, scopesOfRole } from '../../../catalogue/scopes.ts'
import type { Caller } from '../../../http/credentials.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { lockOrganization } from '../organizations/index.ts'
import {
  countRoles,
  deleteRoleRow,
  findRole,
  findRoleNamed,
  findRoleOf,
  insertRole,
  type Role,
  roleUses,
  saveRole,
} from './queries.ts'
import {
  type Holder,
  inOrder,
  maxRolesPerOrganization,
  refusesAdding,
  refusesEdit,
  refusesRoleDeletion,
} from './role.ts'

/**
 * A change of who belongs to the organization and as what: one after the other, and judged by what the caller is when it
 * is the change's turn. A role that was taken away while the request waited no longer counts.
 */
export function inStanding<Result>(
  db: Db,
  caller: Caller,
  needed: Scope | null,
  work: (tx: Tx, holder: Holder) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return inTransaction(db, async (tx) => {
    if (!(await lockOrganization(tx, caller.organization.id))) return notFound('Organization')
    const holder = await holderNow(tx, caller)
    if (!holder) return notFound('Organization')
    if (needed && !holdsScope(holder.scopes, needed))
      return refuse('scope_missing', `This call needs the scope ${needed}.`, { scope: needed })
    return work(tx, holder)
  })
}

async function holderNow(tx: Tx, { organization, user, role, scopes }: Caller): Promise<Holder | undefined> {
  if (!user) return { role, scopes }
  const current = await findRoleOf(tx, organization.id, user.id)
  return current && { role: current, scopes: scopesOfRole(current) }
}

export interface RoleRequest {
  name: string
  description: string | null
  capabilities: Capability[]
}

export function createRole(db: Db, by: Author, caller: Caller, wanted: RoleRequest): Promise<Role | Refusal> {
  const orgId = caller.organization.id
  const work = inStanding(db, caller, 'roles:write', async (tx, holder) => {
    const content = { ...wanted, capabilities: inOrder(wanted.capabilities) }
    const refusal = refusesAdding(holder, [], content.capabilities)
    if (refusal) return refusal
    if ((await countRoles(tx, orgId)) >= maxRolesPerOrganization)
      return invalid({ path: [], message: `An organization may have up to ${maxRolesPerOrganization} roles.` })
    if (await findRoleNamed(tx, orgId, content.name)) return nameTaken
    const times = { createdAt: by.now, updatedAt: by.now }
    const role: Role = { ...content, ...times, id: newId(), orgId, builtIn: false, version: 1, memberCount: 0 }
    await insertRole(tx, role)
    await recordRoleChange(tx, by, role, 'create', { after: content })
    return role
  })
  return work.catch(elseNameTaken)
}

export type RoleEdit = { [Field in keyof RoleRequest]?: RoleRequest[Field] | undefined }

export function updateRole(
  db: Db,
  by: Author,
  caller: Caller,
  ifMatch: IfMatch,
  { roleId, edit }: { roleId: string; edit: RoleEdit },
): Promise<Role | Refusal> {
  const work = inStanding(db, caller, 'roles:write', async (tx, holder) => {
    const role = await findRole(tx, caller.organization.id, roleId)
    if (!role) return notFound('Role')
    const before = { name: role.name, description: role.description, capabilities: role.capabilities }
    const { name = before.name, description = before.description, capabilities = before.capabilities } = edit
    const after = { name, description, capabilities: inOrder(capabilities) }
    const refusal =
      refusesAdding(holder, before.capabilities, after.capabilities) ?? ifMatch(roleEtag(role)) ?? refusesEdit(role)
    if (refusal) return refusal
    if (isDeepStrictEqual(before, after)) return role
    const namesake = await findRoleNamed(tx, role.orgId, name)
    if (namesake && namesake.id !== role.id) return nameTaken
    const updated = { ...role, ...after, version: role.version + 1, updatedAt: by.now }
    await saveRole(tx, updated)
    await recordRoleChange(tx, by, updated, 'update', { before, after })
    return updated
  })
  return work.catch(elseNameTaken)
}

export function deleteRole(db: Db, by: Author, caller: Caller, roleId: string): Promise<null | Refusal> {
  return inStanding(db, caller, 'roles:write', async (tx) => {
    const role = await findRole(tx, caller.organization.id, roleId)
    if (!role) return notFound('Role')
    const refusal = refusesRoleDeletion(role, await roleUses(tx, roleId))
    if (refusal) return refusal
    await deleteRoleRow(tx, roleId)
    const { name, description, capabilities } = role
    await recordRoleChange(tx, by, role, 'delete', { before: { name, description, capabilities } })
    return null
  })
}

export const roleEtag = ({ version }: Role): string => versionEtag('l', version)

const nameTaken = refuse('already_exists', 'Another role has this name.', {
  issues: [{ path: ['name'], message: 'Another role has this name.' }],
})

/** What the provisioning of another node inserts meanwhile is seen by the constraint alone. */
function elseNameTaken(error: unknown): Refusal {
  if (constraintOf(error) === 'roles_name_key') return nameTaken
  throw error
}

const recordRoleChange = (
  tx: Tx,
  by: Author,
  { id, orgId, name }: Role,
  verb: 'create' | 'update' | 'delete',
  states: { before?: unknown; after?: unknown },
): Promise<void> =>
  by.record(tx, { orgId, projectId: null, action: `role.${verb}`, object: { type: 'role', id, name }, ...states })
