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

/** Who acts: a person in a role, or a service token, which has scopes of its own and no role. */
export interface Holder {
  role: { name: string; builtIn: boolean } | null
  scopes: ReadonlySet<Scope>
}

/** How high a role stands. */
export type Rank = 'OWNER' | 'ADMIN' | 'OTHER'

export const rankOf = ({ name, builtIn }: { name: string; builtIn: boolean }): Rank =>
  builtIn && (name === 'OWNER' || name === 'ADMIN') ? name : 'OTHER'

type Standing = Rank | 'EVERYTHING'

const standingOf = ({ role, scopes }: Holder): Standing => {
  if (scopes.has('admin:*')) return 'EVERYTHING'
  return role ? rankOf(role) : 'OTHER'
}

/** Who may give somebody a role of this rank, and change or remove whoever has it. */
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

/** Whether the holder may change or remove somebody who has this role. */
export function refusesHandling(holder: Holder, role: RoleContent): Refusal | undefined {
  const { by, otherwise } = handlers[rankOf(role)]
  return by.includes(standingOf(holder)) ? undefined : refuse('role_missing', otherwise)
}

/** Whether the holder may give this role to somebody. */
export const refusesGiving = (holder: Holder, role: RoleContent): Refusal | undefined =>
  refusesHandling(holder, role) ?? refusesMore(holder, scopesOfRole(role))

/** A change of a role reaches everybody who has it: what it adds, the holder has to hold. */
export function refusesAdding(
  holder: Holder,
  before: readonly Capability[],
  after: readonly Capability[],
): Refusal | undefined {
  const given = (held: readonly Capability[]) => scopesOfRole({ name: '', builtIn: false, capabilities: held })
  return refusesMore(holder, given(after).difference(given(before)))
}

/**
 * Nobody gives more than they hold. What membership alone brings is left out: letting people in is what `members:write`
 * is for.
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

/** How many members have a role, and how many open invitations name it. */
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
