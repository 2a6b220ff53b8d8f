import { invalid, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type Holder, type RoleContent, rankOf, refusesGiving, refusesHandling } from '../roles/index.ts'

export const maxOpenInvitations = 500
export const maxChosenProjects = 1000

export interface Standing {
  role: RoleContent & { id: string }
  /** The only projects that the member sees; null for all. */
  projectIds: readonly string[] | null
}

export interface MemberStanding extends Standing {
  /** Whether the organization has no other owner. */
  isLastOwner: boolean
}

/** Refuses an invitation that the holder must not send. */
export const refusesInvitation = (holder: Holder, given: Standing): Refusal | undefined =>
  refusesGiving(holder, given.role) ?? refusesConfinement(given)

/** Refuses a change of a member's role or projects that the holder must not make. */
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

/** Everyone except the last owner can leave. */
export const refusesLeaving = (member: MemberStanding): Refusal | undefined => refusesOrphaning(member)

const refusesOrphaning = ({ isLastOwner }: MemberStanding): Refusal | undefined =>
  isLastOwner
    ? refuse('invalid_state', 'The organization must keep at least one owner. Make someone else an owner first.', {
        current: 'LAST_OWNER',
      })
    : undefined

/** Owners and administrators manage members, tokens and the audit log, so they must see the whole organization. */
const refusesConfinement = ({ role, projectIds }: Standing): Refusal | undefined =>
  projectIds !== null && rankOf(role) !== 'OTHER'
    ? invalid({
        path: ['projectIds'],
        message: 'Must be null for owners and administrators, because they see all projects.',
      })
    : undefined
