import { invalid, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type Holder, type RoleContent, rankOf, refusesGiving, refusesHandling } from '../roles/index.ts'

export const maxOpenInvitations = 500
export const maxChosenProjects = 1000

export interface Standing {
  role: RoleContent & { id: string }
  /** The only projects that the member sees; null: all. */
  projectIds: readonly string[] | null
}

export interface MemberStanding extends Standing {
  /** Whether nobody else owns the organization. */
  isLastOwner: boolean
}

/** Whether the holder may let somebody in like this. */
export const refusesInvitation = (holder: Holder, given: Standing): Refusal | undefined =>
  refusesGiving(holder, given.role) ?? refusesConfinement(given)

/** Whether the holder may turn a member's standing into another. */
export function refusesChange(holder: Holder, member: MemberStanding, after: Standing): Refusal | undefined {
  const isSameRole = after.role.id === member.role.id
  return (
    refusesHandling(holder, member.role) ??
    (isSameRole ? undefined : refusesGiving(holder, after.role)) ??
    refusesConfinement(after) ??
    (isSameRole ? undefined : refusesOrphaning(member))
  )
}

export const refusesRemoval = (holder: Holder, member: MemberStanding): Refusal | undefined =>
  refusesHandling(holder, member.role) ?? refusesOrphaning(member)

/** Everybody may leave but the last owner. */
export const refusesLeaving = (member: MemberStanding): Refusal | undefined => refusesOrphaning(member)

const refusesOrphaning = ({ isLastOwner }: MemberStanding): Refusal | undefined =>
  isLastOwner
    ? refuse('invalid_state', 'The organization must keep at least one owner. Make someone else an owner first.', {
        current: 'LAST_OWNER',
      })
    : undefined

/** Whoever manages members, tokens and the audit log of the whole organization sees the whole of it. */
const refusesConfinement = ({ role, projectIds }: Standing): Refusal | undefined =>
  projectIds !== null && rankOf(role) !== 'OTHER'
    ? invalid({
        path: ['projectIds'],
        message: 'Must be null for owners and administrators, because they see all projects.',
      })
    : undefined
