import {
  type Issue,
  invalid,
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseIssues,
} from '../../../catalogue/refusals.ts'
import { planFeatures } from '../../../catalogue/scopes.ts'
import type { Person } from '../../../http/person-route.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import {
  createOrganization,
  findRoleByName,
  hasOwner,
  insertUser,
  lockAccount,
  lockOrganizationWithoutMembers,
} from '../accounts/index.ts'
import { checkLink, lockOwnership, type OpenLink, takeLink } from '../links/index.ts'
import { joinOrganization } from '../members/index.ts'
import { lockOrganization, updateOrganizationName } from '../organizations/index.ts'
import { newPasswordHash } from '../passwords/index.ts'
import {
  type AuthorAs,
  type Browser,
  leaveSession,
  renewSession,
  type StartedSession,
  signedIn,
} from '../sessions/index.ts'
import { revokeTokensOfFirstStart } from '../tokens/index.ts'

export interface NewOwner {
  link: string
  organizationName: string
  name: string
  email: string
  password: string
  /** Whether the token of the first start ends with the sign-up. */
  revokeInitialToken: boolean
}

/** Creates the owner with the link of the first start. The link cannot be used again. */
export async function signUp(
  db: Db,
  { link, organizationName, name, email, password, revokeInitialToken }: NewOwner,
  browser: Browser,
  authorAs: AuthorAs,
  now: Date,
): Promise<StartedSession | Refusal> {
  const open = await openLinkOf(db, link, 'OWNER', now)
  if (isRefusal(open)) return open
  const passwordHash = await newPasswordHash(password, email, 'password')
  if (isRefusal(passwordHash)) return passwordHash
  const user = { id: newId(), name, email: email.toLowerCase() }
  const by = authorAs(user)
  await leaveSession(db, browser.formerSecret, authorAs, now)
  const work = inTransaction(db, async (tx) => {
    await lockOwnership(tx)
    const taken = await takeLink(tx, link, 'OWNER', by.now)
    if (isRefusal(taken)) return taken
    if (await hasOwner(tx)) return notFound('Link')
    await insertUser(tx, { ...user, passwordHash, now: by.now })
    const orgId = await firstOrganization(tx, organizationName, by)
    if (revokeInitialToken) await revokeTokensOfFirstStart(tx, by, orgId)
    const role = await findRoleByName(tx, orgId, 'OWNER')
    await joinOrganization(tx, by, { invitation: { orgId, roleId: role!.id, projectIds: null }, user })
    return signedIn(tx, user, browser.from, by, { method: 'SIGN_UP' })
  })
  return work.catch(elseAddressTaken)
}

/** The organization of the first start under its new name, if nobody has joined it, or else a new one. */
async function firstOrganization(tx: Tx, name: string, by: Author): Promise<string> {
  const waiting = await lockOrganizationWithoutMembers(tx)
  const id =
    waiting?.id ?? (await createOrganization(tx, { name, features: planFeatures, notifications: null }, by.now))
  if (waiting) await updateOrganizationName(tx, id, name, by.now)
  await by.record(tx, {
    orgId: id,
    projectId: null,
    action: waiting ? 'organization.update' : 'organization.create',
    object: { type: 'organization', id, name },
    ...(waiting && { before: { name: waiting.name } }),
    after: { name },
  })
  return id
}

export interface Acceptance {
  link: string
  name?: string | undefined
  password?: string | undefined
}

/** Joins the organization with a new account, or with the account of the invited address if it is signed in. */
export async function acceptInvitation(
  db: Db,
  acceptance: Acceptance,
  person: Person | null,
  browser: Browser,
  authorAs: AuthorAs,
  now: Date,
): Promise<StartedSession | Refusal> {
  const open = await openLinkOf(db, acceptance.link, 'INVITATION', now)
  if (isRefusal(open)) return open
  if (open.userId === null) return joinAsNew(db, acceptance, open, browser, authorAs)
  if (person?.user.id !== open.userId)
    return refuse('invalid_state', 'An account with this address exists. Sign in to it, then accept the invitation.', {
      current: person ? 'SIGNED_IN_AS_SOMEBODY_ELSE' : 'SIGNED_OUT',
    })
  return joinAs(db, acceptance.link, open, person, authorAs(person.user))
}

async function joinAsNew(
  db: Db,
  { link, name, password }: Acceptance,
  { organization, email }: OpenLink,
  browser: Browser,
  authorAs: AuthorAs,
): Promise<StartedSession | Refusal> {
  const issues: Issue[] = []
  if (name === undefined) issues.push({ path: ['name'], message: 'Is required for a new account.' })
  if (password === undefined) issues.push({ path: ['password'], message: 'Is required for a new account.' })
  if (name === undefined || password === undefined) return refuseIssues(issues)!
  const passwordHash = await newPasswordHash(password, email!, 'password')
  if (isRefusal(passwordHash)) return passwordHash
  const user = { id: newId(), name, email: email! }
  const by = authorAs(user)
  await leaveSession(db, browser.formerSecret, authorAs, by.now)
  return joinByInvitation(db, { link, organization: organization! }, by, {
    person: async (tx) => {
      await insertUser(tx, { ...user, passwordHash, now: by.now })
      return user
    },
    after: (tx) => signedIn(tx, user, browser.from, by, { method: 'INVITATION' }),
  })
}

/** The session gets a new id, because it has just gained rights. */
function joinAs(
  db: Db,
  link: string,
  { organization }: OpenLink,
  { id, user }: Person,
  by: Author,
): Promise<StartedSession | Refusal> {
  return joinByInvitation(db, { link, organization: organization! }, by, {
    person: async (tx) => (await lockAccount(tx, user.id)) ?? refuse('unauthorized', 'This account no longer exists.'),
    after: (tx) => renewSession(tx, id),
  })
}

/** Uses up an invitation for a person that `work` finds or creates. An existing member keeps the role. */
export function joinByInvitation<Result>(
  db: Db,
  { link, organization }: { link: string; organization: { id: string } },
  by: Author,
  steps: {
    person: (tx: Tx) => Promise<{ id: string } | Refusal>
    after: (tx: Tx) => Promise<Result | Refusal>
  },
): Promise<Result | Refusal> {
  const work = inTransaction(db, async (tx) => {
    await lockOrganization(tx, organization.id)
    const taken = await takeLink(tx, link, 'INVITATION', by.now)
    if (isRefusal(taken)) return taken
    const user = await steps.person(tx)
    if (isRefusal(user)) return user
    const { orgId, roleId, projectIds } = taken
    await joinOrganization(tx, by, { invitation: { orgId: orgId!, roleId: roleId!, projectIds }, user })
    return steps.after(tx)
  })
  return work.catch(elseAddressTaken)
}

async function openLinkOf(db: Db, link: string, kind: OpenLink['kind'], now: Date): Promise<OpenLink | Refusal> {
  const open = await checkLink(db, link, now)
  return isRefusal(open) || open.kind === kind ? open : notFound('Link')
}

/** Of two concurrent sign-ups with one address, the second is refused. */
function elseAddressTaken(error: unknown): Refusal {
  if (constraintOf(error) !== 'users_email_key') throw error
  return invalid({ path: ['email'], message: 'An account with this address already exists.' })
}
