import { notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type Capability, holdsScope, type Scope, scopesOfRole } from '../../../catalogue/scopes.ts'
import type { Caller } from '../../../http/credentials.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { nounActions } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
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
 * Runs a change of members and their roles. These changes run one after another, and each checks the caller's rights at
 * its turn, so that a role that was taken away during the wait no longer counts.
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
      return refuse('scope_missing', `This call requires the scope ${needed}.`, { scope: needed })
    return work(tx, holder)
  })
}

async function holderNow(tx: Tx, { organization, user, role, scopes }: Caller): Promise<Holder | undefined> {
  if (!user) return { role, scopes }
  const current = await findRoleOf(tx, organization.id, user.id)
  return current && { role: current, scopes: scopesOfRole(current) }
}

export const roles = nounActions<Role, RoleRequest>({
  noun: 'role',
  place: 'organization',
  most: maxRolesPerOrganization,
  nameConstraint: 'roles_name_key',
  content: ({ name, description, capabilities }) => ({ name, description, capabilities }),
  record: ({ tx, by, orgId }, { id, name }, verb, states) =>
    by.record(tx, { orgId, projectId: null, action: `role.${verb}`, object: { type: 'role', id, name }, ...states }),
})

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
    const full = roles.refusesMoreThan(await countRoles(tx, orgId))
    if (full) return full
    if (await findRoleNamed(tx, orgId, content.name)) return roles.nameTaken
    const times = { createdAt: by.now, updatedAt: by.now }
    const role: Role = { ...content, ...times, id: newId(), orgId, builtIn: false, version: 1, memberCount: 0 }
    return roles.create({ tx, by, orgId }, role, () => insertRole(tx, role))
  })
  return roles.orTaken(work)
}

export type RoleEdit = { [Field in keyof RoleRequest]?: RoleRequest[Field] | undefined }

export function updateRole(
  db: Db,
  by: Author,
  caller: Caller,
  ifMatch: IfMatch,
  { roleId, edit }: { roleId: string; edit: RoleEdit },
): Promise<Role | Refusal> {
  const orgId = caller.organization.id
  const work = inStanding(db, caller, 'roles:write', async (tx, holder) => {
    const role = await findRole(tx, orgId, roleId)
    const wanted = edit.capabilities && inOrder(edit.capabilities)
    const refusal = role && refusesAdding(holder, role.capabilities, wanted ?? role.capabilities)
    if (refusal) return refusal
    return roles.edit({ tx, by, orgId }, role, {
      ifMatch,
      edit: { ...edit, capabilities: wanted },
      async refuses({ name }) {
        const fixed = role && refusesEdit(role)
        if (fixed) return fixed
        const namesake = await findRoleNamed(tx, orgId, name)
        return namesake && namesake.id !== roleId ? roles.nameTaken : undefined
      },
      save: (edited) => saveRole(tx, edited),
    })
  })
  return roles.orTaken(work)
}

export function deleteRole(
  db: Db,
  by: Author,
  caller: Caller,
  ifMatch: IfMatch,
  roleId: string,
): Promise<Role | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, 'roles:write', async (tx) =>
    roles.remove({ tx, by, orgId }, await findRole(tx, orgId, roleId), {
      ifMatch,
      refuses: async (role) => refusesRoleDeletion(role, await roleUses(tx, roleId)),
      remove: () => deleteRoleRow(tx, roleId),
    }),
  )
}
