import { isDeepStrictEqual } from 'node:util'
import type { ActionOn } from '../../../catalogue/actions.ts'
import { invalid, isRefusal, notFound, type Refusal, refuse, refuseUnknown } from '../../../catalogue/refusals.ts'
import type { Caller } from '../../../http/credentials.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author, OrganizationChange } from '../../../platform/outbox.ts'
import {
  addProjects,
  deleteMembership,
  deleteOtherProjects,
  insertMembership,
  saveMembership,
} from '../accounts/index.ts'
import { createLink, deleteInvitation, renewLink } from '../links/index.ts'
import { findRole, inStanding, rankOf, refusesGiving, refusesHandling } from '../roles/index.ts'
import {
  type MemberStanding,
  maxOpenInvitations,
  refusesChange,
  refusesInvitation,
  refusesLeaving,
  refusesRemoval,
  type Standing,
} from './member.ts'
import {
  countInvitations,
  countOrganizations,
  countOwners,
  findInvitation,
  findMember,
  type Invitation,
  isMemberByEmail,
  knownProjects,
  lockInvitation,
  lockInvitationTo,
  type Member,
} from './queries.ts'

export interface MemberEdit {
  roleId?: string | undefined
  projectIds?: string[] | null | undefined
}

export function updateMember(
  db: Db,
  by: Author,
  caller: Caller,
  { userId, edit }: { userId: string; edit: MemberEdit },
): Promise<Member | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, 'members:write', async (tx, holder) => {
    const member = await findMember(tx, orgId, userId)
    if (!member) return notFound('Member')
    const after = await standingOf(tx, orgId, {
      roleId: edit.roleId ?? member.role.id,
      projectIds: edit.projectIds === undefined ? member.projectIds : edit.projectIds,
    })
    if (isRefusal(after)) return after
    const refusal = refusesChange(holder, await withOwners(tx, orgId, member), after)
    if (refusal) return refusal
    const states = { before: audited(member), after: audited(after) }
    if (isDeepStrictEqual(states.before, states.after)) return member
    await saveMembership(tx, { orgId, userId }, { roleId: after.role.id, allProjects: after.projectIds === null })
    await deleteOtherProjects(tx, { orgId, userId }, after.projectIds ?? [])
    if (after.projectIds) await addProjects(tx, { orgId, userId }, after.projectIds)
    await record(tx, by, orgId, 'member.update', { object: asObject(member), ...states })
    return (await findMember(tx, orgId, userId))!
  })
}

export function removeMember(db: Db, by: Author, caller: Caller, userId: string): Promise<null | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, 'members:write', async (tx, holder) => {
    const member = await findMember(tx, orgId, userId)
    if (!member) return notFound('Member')
    const refusal = refusesRemoval(holder, await withOwners(tx, orgId, member))
    return refusal ?? endMembership(tx, by, orgId, member, 'member.remove')
  })
}

/** Every role can leave. */
export function leaveOrganization(db: Db, by: Author, caller: Caller): Promise<null | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, null, async (tx) => {
    const member = caller.user && (await findMember(tx, orgId, caller.user.id))
    if (!member) return notFound('Member')
    const refusal = refusesLeaving(await withOwners(tx, orgId, member))
    return refusal ?? endMembership(tx, by, orgId, member, 'member.leave')
  })
}

async function endMembership(
  tx: Tx,
  by: Author,
  orgId: string,
  member: Member,
  action: 'member.remove' | 'member.leave',
): Promise<null> {
  await deleteMembership(tx, { orgId, userId: member.userId })
  await record(tx, by, orgId, action, { object: asObject(member), before: audited(member) })
  return null
}

/** Returns whether the person was not a member yet. An existing member keeps the role and the projects. */
export async function joinOrganization(
  tx: Tx,
  by: Author,
  {
    invitation: { orgId, roleId, projectIds },
    user,
  }: {
    invitation: { orgId: string; roleId: string; projectIds: readonly string[] | null }
    user: { id: string }
  },
): Promise<boolean> {
  if (!(await insertMembership(tx, { orgId, userId: user.id, roleId, projectIds, now: by.now }))) return false
  const member = (await findMember(tx, orgId, user.id))!
  await record(tx, by, orgId, 'member.join', { object: asObject(member), after: audited(member) })
  return true
}

export interface InvitationRequest {
  /** In lower case. */
  email: string
  roleId: string
  projectIds: string[] | null
}

/** An invitation with the secret of its link, which cannot be read again. */
export interface SentInvitation {
  invitation: Invitation
  secret: string
}

/** Each address has at most one open invitation: a new one replaces the previous one. */
export function invite(
  db: Db,
  by: Author,
  caller: Caller,
  { email, ...wanted }: InvitationRequest,
): Promise<SentInvitation | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, 'members:write', async (tx, holder) => {
    const given = await standingOf(tx, orgId, wanted)
    if (isRefusal(given)) return given
    const earlier = await lockInvitationTo(tx, orgId, email)
    const refusal = refusesInvitation(holder, given) ?? (earlier && refusesHandling(holder, earlier.role))
    if (refusal) return refusal
    if (await isMemberByEmail(tx, orgId, email)) return memberAlready
    if (earlier) await deleteInvitation(tx, earlier.id)
    if ((await countInvitations(tx, orgId)) >= maxOpenInvitations)
      return invalid({
        path: [],
        message: `There can be at most ${maxOpenInvitations} open invitations. Revoke some first.`,
      })
    const { role, projectIds } = given
    const link = { kind: 'INVITATION', orgId, email, roleId: role.id, projectIds, createdBy: nameOf(by) } as const
    const { id, secret } = await createLink(tx, { ...link, now: by.now })
    const invitation = (await findInvitation(tx, orgId, id))!
    await record(tx, by, orgId, 'member.invite', {
      object: { type: 'invitation', id, name: email },
      ...(earlier && { before: { email, ...audited(earlier) } }),
      after: { email, ...audited(given) },
    })
    return { invitation, secret }
  })
}

const memberAlready = refuse('already_exists', 'A member with this address already exists.', {
  issues: [{ path: ['email'], message: 'A member with this address already exists.' }],
})

/** Creates a new link with the full lifetime. The previous link stops working. */
export function resendInvitation(db: Db, by: Author, caller: Caller, id: string): Promise<SentInvitation | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, 'members:write', async (tx, holder) => {
    const invitation = await lockInvitation(tx, orgId, id)
    if (!invitation) return notFound('Invitation')
    const refusal = refusesGiving(holder, invitation.role)
    if (refusal) return refusal
    const { secret } = await renewLink(tx, { id, kind: 'INVITATION', createdBy: nameOf(by), now: by.now })
    const renewed = (await findInvitation(tx, orgId, id))!
    const { email, expiresAt } = invitation
    await record(tx, by, orgId, 'invitation.resend', {
      object: { type: 'invitation', id, name: email },
      before: { expiresAt },
      after: { expiresAt: renewed.expiresAt },
    })
    return { invitation: renewed, secret }
  })
}

export function revokeInvitation(db: Db, by: Author, caller: Caller, id: string): Promise<null | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, 'members:write', async (tx, holder) => {
    const invitation = await lockInvitation(tx, orgId, id)
    if (!invitation) return notFound('Invitation')
    const refusal = refusesHandling(holder, invitation.role)
    if (refusal) return refusal
    await deleteInvitation(tx, id)
    const { email } = invitation
    await record(tx, by, orgId, 'invitation.revoke', {
      object: { type: 'invitation', id, name: email },
      before: { email, ...audited(invitation) },
    })
    return null
  })
}

/** For a member who lost the password of a service that sends no mail. */
export function createResetLink(
  db: Db,
  by: Author,
  caller: Caller,
  userId: string,
): Promise<{ secret: string; expiresAt: Date } | Refusal> {
  const orgId = caller.organization.id
  return inStanding(db, caller, null, async (tx, holder) => {
    const member = await findMember(tx, orgId, userId)
    if (!member) return notFound('Member')
    const refusal = refusesHandling(holder, member.role)
    if (refusal) return refusal
    if ((await countOrganizations(tx, userId)) > 1)
      return refuse(
        'invalid_state',
        'This person also belongs to a different organization, so you cannot create a reset link.',
      )
    const { secret, expiresAt } = await createLink(tx, {
      kind: 'PASSWORD_RESET',
      userId,
      createdBy: nameOf(by),
      now: by.now,
    })
    await record(tx, by, orgId, 'member.password_reset_link', { object: asObject(member), after: { expiresAt } })
    return { secret, expiresAt: expiresAt! }
  })
}

/** The role and the projects that a request names, looked up in this organization. */
async function standingOf(
  tx: Tx,
  orgId: string,
  wanted: { roleId: string; projectIds: string[] | null },
): Promise<Standing | Refusal> {
  const role = await findRole(tx, orgId, wanted.roleId)
  if (!role) return invalid({ path: ['roleId'], message: 'Must be the id of a role of this organization.' })
  const projectIds = wanted.projectIds && (await knownProjects(tx, orgId, wanted.projectIds))
  const unknown = wanted.projectIds?.filter((id) => !projectIds?.includes(id.toLowerCase())) ?? []
  if (unknown.length === 0) return { role, projectIds }
  return refuseUnknown('projectIds', 'This organization has no project', unknown)
}

async function withOwners(tx: Tx, orgId: string, member: Member): Promise<MemberStanding> {
  const isLastOwner = rankOf(member.role) === 'OWNER' && (await countOwners(tx, orgId)) === 1
  return { ...member, isLastOwner }
}

const nameOf = ({ actor }: Author): string => actor.user?.name ?? actor.name

const asObject = ({ userId, name }: Member) => ({ type: 'member', id: userId, name }) as const

const audited = ({ role, projectIds }: Standing) => ({ role: { id: role.id, name: role.name }, projectIds })

const record = <A extends ActionOn<'member' | 'invitation'>>(
  tx: Tx,
  by: Author,
  orgId: string,
  action: A,
  states: Pick<OrganizationChange<A>, 'object' | 'before' | 'after'>,
): Promise<void> => by.record(tx, { orgId, projectId: null, action, ...states })
