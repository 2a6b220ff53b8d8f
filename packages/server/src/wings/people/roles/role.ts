import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import {
  type Capability,
  capabilities,
  holdsScope,
  membershipScopes,
  type Scope,
  scopesOfRole,
} from '../../../catalogue/scopes.ts'

export const maxRolesPerOrganization = 100

export interface RoleContent {
  name: string
  builtIn: boolean
  capabilities: readonly string[]
}

/** The acting person with a role, or a service token with its own scopes and no role. */
export interface Holder {
  role: { name: string; builtIn: boolean } | null
  scopes: ReadonlySet<Scope>
}

/** The rank of a role. */
export type Rank = 'OWNER' | 'ADMIN' | 'OTHER'

export const rankOf = ({ name, builtIn }: { name: string; builtIn: boolean }): Rank =>
  builtIn && (name === 'OWNER' || name === 'ADMIN') ? name : 'OTHER'

type Standing = Rank | 'EVERYTHING'

const standingOf = ({ role, scopes }: Holder): Standing => {
  if (scopes.has('admin:*')) return 'EVERYTHING'
  return role ? rankOf(role) : 'OTHER'
}

/** Who can give a role of this rank, and change or remove its members. */
const handlers: Record<Rank, { by: readonly Standing[]; otherwise: string }> = {
  OWNER: {
    by: ['OWNER', 'EVERYTHING'],
    otherwise: 'Only owners can make someone an owner, and change or remove an owner.',
  },
  ADMIN: {
    by: ['OWNER', 'ADMIN', 'EVERYTHING'],
    otherwise:
      'Only owners and administrators can make someone an administrator, and change or remove an administrator.',
  },
  OTHER: { by: ['OWNER', 'ADMIN', 'OTHER', 'EVERYTHING'], otherwise: 'Your role does not allow this.' },
}

/** Refuses if the holder must not change or remove members with this role. */
export function refusesHandling(holder: Holder, role: RoleContent): Refusal | undefined {
  const { by, otherwise } = handlers[rankOf(role)]
  return by.includes(standingOf(holder)) ? undefined : refuse('role_missing', otherwise)
}

/** Refuses if the holder must not give this role. */
export const refusesGiving = (holder: Holder, role: RoleContent): Refusal | undefined =>
  refusesHandling(holder, role) ?? refusesMore(holder, scopesOfRole(role))

/** A change of a role affects everyone who has it, so the holder must have each added scope. */
export function refusesAdding(
  holder: Holder,
  before: readonly Capability[],
  after: readonly Capability[],
): Refusal | undefined {
  const given = (held: readonly Capability[]) => scopesOfRole({ name: '', builtIn: false, capabilities: held })
  return refusesMore(holder, given(after).difference(given(before)))
}

/**
 * Nobody can give more than they hold. The scopes of every member are exempt, because `members:write` allows inviting
 * people.
 */
function refusesMore({ scopes }: Holder, given: ReadonlySet<Scope>): Refusal | undefined {
  const more = [...given].find((scope) => !membershipScopes.includes(scope) && !holdsScope(scopes, scope))
  return (
    more && refuse('scope_missing', `You can only give scopes that you hold. You do not hold ${more}.`, { scope: more })
  )
}

export const refusesEdit = ({ builtIn, name }: RoleContent): Refusal | undefined =>
  builtIn
    ? refuse('invalid_state', `${name} is a built-in role and cannot be changed or deleted.`, { current: 'BUILT_IN' })
    : undefined

/** The number of members with a role, and of open invitations that name it. */
export interface RoleUses {
  members: number
  invitations: number
}

export function refusesRoleDeletion(role: RoleContent, { members, invitations }: RoleUses): Refusal | undefined {
  const references = [
    { type: 'member', count: members },
    { type: 'invitation', count: invitations },
  ].filter(({ count }) => count > 0)
  const inUse = `${role.name} is in use. Give its members and open invitations a different role first.`
  return refusesEdit(role) ?? (references.length > 0 ? refuse('invalid_state', inUse, { references }) : undefined)
}

/** Each once, in the order of the vocabulary. */
export const inOrder = (chosen: readonly Capability[]): Capability[] =>
  capabilities.filter((capability) => chosen.includes(capability))
