import { z } from 'zod'
import { isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Caller } from '../../../http/credentials.ts'
import type { AttemptLimits } from '../../../http/limits/attempt-limit.ts'
import { type Cursors, onlyPage, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { afterCommit } from '../../../platform/transaction.ts'
import { linkUrl } from '../links/index.ts'
import {
  createResetLink,
  invite,
  leaveOrganization,
  removeMember,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
  updateMember,
} from './actions.ts'
import { invitationMail } from './invitation-mail.ts'
import { findInvitation, findMember, type Invitation, listInvitations, listMembers, type Member } from './queries.ts'
import {
  createInvitationBody,
  invitationParams,
  invitationSchema,
  memberParams,
  memberSchema,
  resetLinkSchema,
  sentInvitationSchema,
  updateMemberBody,
} from './schema.ts'

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
  baseUrl: string
  /** Null if the service sends no mail: links are then shown to their creators. */
  mailer: Mailer | null
  attempts: AttemptLimits
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function memberRoutes(route: Route, { db, cursors, now, baseUrl, mailer, attempts }: Context): void {
  const tag = 'Member'
  const url = '/api/v1/members'

  route({
    method: 'GET',
    url,
    operationId: 'listMembers',
    summary: 'List members',
    description: 'Sorted by account, newest first.',
    tag,
    scope: 'members:read',
    query: pageQuery,
    data: memberSchema.array(),
    paged: true,
    async handle({ caller, query }) {
      const list = ['members', caller.organization.id]
      const read = async (after: string | null, limit: number) =>
        (await listMembers(db, caller.organization.id, after, limit)).map((member) => ({
          ...member,
          id: member.userId,
        }))
      return cursors.list(query, list, read, (rows) => rows.map((member) => presentMember(member, caller)))
    },
  })

  const one = {
    tag,
    url: `${url}/:userId`,
    params: memberParams,
    find: ({ userId }: { userId: string }, caller: { organization: { id: string } }) =>
      findMember(db, caller.organization.id, userId),
  }

  route({
    ...one,
    method: 'GET',
    operationId: 'getMember',
    summary: 'Get a member',
    scope: 'members:read',
    data: memberSchema,
    handle: async ({ found, caller }) => ({ data: presentMember(found, caller) }),
  })

  route({
    ...one,
    method: 'PATCH',
    operationId: 'updateMember',
    summary: 'Change the role or projects of a member',
    description:
      'The change takes effect with the member’s next request, in all sessions and for all personal tokens. Only owners can add, change or remove owners. Only owners and administrators can add, change or remove administrators. You can only give scopes that you hold. The organization must keep at least one owner.',
    scope: 'members:write',
    body: updateMemberBody,
    data: memberSchema,
    refusals: ['role_missing'],
    async handle({ caller, found, by, body }) {
      const member = await updateMember(db, by, caller, { userId: found.userId, edit: body })
      return isRefusal(member) ? member : { data: presentMember(member, caller) }
    },
  })

  route({
    ...one,
    method: 'DELETE',
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'The account is kept for other organizations. Its sessions and personal tokens lose access to this organization.',
    scope: 'members:write',
    data: z.null(),
    refusals: ['role_missing'],
    handle: async ({ caller, found, by }) => nothingBut(await removeMember(db, by, caller, found.userId)),
  })

  route({
    method: 'POST',
    url: '/api/dashboard/organization/leave',
    operationId: 'leaveOrganization',
    // A repeated call comes from a caller who is no longer a member.
    idempotent: false,
    summary: 'Leave the organization',
    tag,
    access: 'session',
    scope: null,
    data: z.null(),
    handle: async ({ caller, by }) => nothingBut(await leaveOrganization(db, by, caller)),
  })

  route({
    ...one,
    method: 'POST',
    url: '/api/dashboard/members/:userId/password-reset-link',
    operationId: 'createPasswordResetLink',
    summary: 'Create a password reset link for a member',
    description:
      'Possible only if the service sends no mail, and only for people who belong to no other organization. Only owners can create a link for an owner.',
    access: 'administrator',
    scope: null,
    data: resetLinkSchema,
    status: 201,
    async handle({ caller, found, by }) {
      if (mailer) return sendsMail
      const made = await createResetLink(db, by, caller, found.userId)
      if (isRefusal(made)) return made
      return {
        data: { link: linkUrl(baseUrl, 'PASSWORD_RESET', made.secret), expiresAt: made.expiresAt.toISOString() },
      }
    },
  })

  const invitations = `${url}/invitations`

  route({
    method: 'GET',
    url: invitations,
    operationId: 'listInvitations',
    summary: 'List open invitations',
    description: 'Newest first, including expired invitations.',
    tag,
    scope: 'members:read',
    data: invitationSchema.array(),
    paged: true,
    async handle({ caller }) {
      const open = await listInvitations(db, caller.organization.id)
      return { data: open.map((invitation) => presentInvitation(invitation, caller, now())), page: onlyPage }
    },
  })

  route({
    method: 'POST',
    url: invitations,
    operationId: 'inviteMember',
    summary: 'Invite a person',
    description:
      'The service sends the invitation by mail. Without a mail server, the answer has a link for you to pass on. An earlier invitation for the same address is revoked.',
    tag,
    scope: 'members:write',
    body: createInvitationBody,
    data: sentInvitationSchema,
    refusals: ['already_exists', 'role_missing'],
    status: 201,
    prepare: ({ caller, body }) => tooMany(caller, body.email),
    handle: async ({ caller, by, body }) => handOn(await invite(db, by, caller, body), caller),
  })

  const oneInvitation = {
    tag,
    params: invitationParams,
    find: ({ invitationId }: { invitationId: string }, caller: { organization: { id: string } }) =>
      findInvitation(db, caller.organization.id, invitationId),
  }

  route({
    ...oneInvitation,
    method: 'POST',
    url: `${invitations}/:invitationId/resend`,
    operationId: 'resendInvitation',
    summary: 'Resend an invitation with a new link',
    description: 'The previous link stops working.',
    scope: 'members:write',
    data: sentInvitationSchema,
    refusals: ['role_missing'],
    prepare: ({ caller, found }) => tooMany(caller, found.email),
    handle: async ({ caller, found, by }) => handOn(await resendInvitation(db, by, caller, found.id), caller),
  })

  route({
    ...oneInvitation,
    method: 'DELETE',
    url: `${invitations}/:invitationId`,
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    scope: 'members:write',
    data: z.null(),
    refusals: ['role_missing'],
    handle: async ({ caller, found, by }) => nothingBut(await revokeInvitation(db, by, caller, found.id)),
  })

  /** Protects mailboxes from floods. Each organization has its own count, so that none can block another. */
  const tooMany = ({ organization }: Caller, email: string) =>
    attempts.take('invitation', `${organization.id} ${email}`)

  /** Sends the link by mail, or puts it into the answer. */
  function handOn(sent: SentInvitation | Refusal, caller: Caller) {
    if (isRefusal(sent)) return sent
    const { invitation, secret } = sent
    const link = linkUrl(baseUrl, 'INVITATION', secret)
    const { name: organization } = caller.organization
    afterCommit(() => mailer?.post(invitationMail({ ...invitation, organization, link })))
    return { data: { ...presentInvitation(invitation, caller, now()), link: mailer ? null : link } }
  }
}

const sendsMail = refuse(
  'invalid_state',
  'This service sends mail, so the person can request a new password on the sign-in page.',
)

const nothingBut = (result: null | Refusal) => (isRefusal(result) ? result : { data: null })

/** Leaves out projects that the reader cannot see. */
const visible = (projectIds: string[] | null, { projects }: Caller): string[] | null =>
  projects && projectIds ? projectIds.filter((id) => projects.has(id)) : projectIds

const named = ({ id, name }: Member['role']) => ({ id, name })

const presentMember = ({ role, projectIds, lastSeenAt, createdAt, ...member }: Member, caller: Caller) => ({
  ...member,
  role: named(role),
  projectIds: visible(projectIds, caller),
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})

const presentInvitation = (
  { orgId: _orgId, role, projectIds, createdAt, expiresAt, ...invitation }: Invitation,
  caller: Caller,
  now: Date,
) => ({
  ...invitation,
  role: named(role),
  projectIds: visible(projectIds, caller),
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  expired: expiresAt <= now,
})
