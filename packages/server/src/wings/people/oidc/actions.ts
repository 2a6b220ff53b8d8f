import { z } from 'zod'
import { isRefusal, notFound, type Refusal, type RefusalKind, refuse } from '../../../catalogue/refusals.ts'
import { nameField } from '../../../fields.ts'
import type { Person } from '../../../http/person-route.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Departure, type Identity, type Provider, ProviderFailure } from '../../../platform/oidc/provider.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import {
  type AccountChange,
  findAccount,
  findAccountByEmail,
  insertUser,
  lockAccount,
  recordOfPerson,
} from '../accounts/index.ts'
import { checkLink } from '../links/index.ts'
import {
  type AuthorAs,
  type Browser,
  isSignedIn,
  leaveSession,
  renewSession,
  type StartedSession,
  signedIn,
} from '../sessions/index.ts'
import { joinByInvitation } from '../sign-up/index.ts'
import { type Arrival, type ArrivalError, arrive } from './arrival.ts'
import { localPath, withError } from './local-path.ts'
import { deleteIdentity, findIdentityHolder, insertIdentity, listIdentities, type StoredIdentity } from './queries.ts'

export const detourSeconds = 600

export interface OidcContext {
  db: Db
  seal: Seal
  now: () => Date
  providers: readonly Provider[]
  /** Notifies the person after the change is committed. */
  notify: (email: string, change: AccountChange) => void
  /** Reports a failure to the operator. */
  onProviderFailure: (failure: { provider: string; reason: string; error: unknown }) => void
}

/** The data that the browser carries to the provider and back, sealed. */
const detourSchema = z.object({
  provider: z.string(),
  departure: z.object({
    state: z.string(),
    nonce: z.string(),
    codeVerifier: z.string(),
  }) satisfies z.ZodType<Departure>,
  returnTo: z.string(),
  invitation: z.string().nullable(),
  /** Set if a signed-in person links one more identity. */
  linkingFor: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
  expiresAt: z.number(),
})

type Detour = z.output<typeof detourSchema>

const sealedFor = 'oidc detour'

/** The address to send the browser to, and the data to keep in its cookie. */
export async function leave(
  context: OidcContext,
  provider: Provider,
  { returnTo, link }: { returnTo?: string | undefined; link?: string | undefined },
  person: Person | null,
): Promise<{ url: string; detour?: string }> {
  const path = localPath(returnTo)
  // An invitation is for the person that the provider names, who can differ from the one signed in to the browser.
  const linkingFor = person && link === undefined ? { userId: person.user.id, sessionId: person.id } : null
  try {
    const { url, departure } = await provider.depart()
    const expiresAt = context.now().getTime() + detourSeconds * 1000
    const invitation = link ?? null
    const detour: Detour = { provider: provider.id, departure, returnTo: path, invitation, linkingFor, expiresAt }
    return { url, detour: context.seal.seal(JSON.stringify(detour), sealedFor).toString('base64url') }
  } catch (error) {
    return { url: failed(errorOf(context, provider, error), { returnTo: path, linkingFor }) }
  }
}

/** Handles the return from the provider: the new session, if any, and the page to continue on. */
export async function comeBack(
  context: OidcContext,
  provider: Provider,
  { answer, sealed }: { answer: URLSearchParams; sealed: string | undefined },
  browser: Browser,
  authorAs: AuthorAs,
): Promise<{ url: string; session?: StartedSession | undefined }> {
  const detour = openDetour(context, provider, sealed)
  if (!detour) return { url: failed('expired', null) }
  let identity: Identity
  try {
    identity = await provider.arrive(answer, detour.departure)
  } catch (error) {
    return { url: failed(errorOf(context, provider, error), detour) }
  }
  const arrival = await decide(context, detour, identity)
  if ('error' in arrival) return { url: failed(arrival.error, detour) }
  const session = await carryOut(context, arrival, { identity, detour, provider }, { browser, authorAs })
  if (isRefusal(session)) return { url: failed(refusedErrors[session.refusal] ?? 'provider_failed', detour) }
  return { url: detour.returnTo, session }
}

const refusedErrors: Partial<Record<RefusalKind, ArrivalError>> = {
  already_exists: 'identity_taken',
  unauthorized: 'expired',
  not_found: 'no_account',
}

function openDetour({ seal, now }: OidcContext, { id }: Provider, sealed: string | undefined): Detour | undefined {
  if (sealed === undefined) return undefined
  try {
    const text = seal.open(Buffer.from(sealed, 'base64url'), sealedFor)
    const detour = detourSchema.parse(JSON.parse(text))
    return detour.provider === id && detour.expiresAt > now().getTime() ? detour : undefined
  } catch {
    return undefined
  }
}

async function decide({ db, now }: OidcContext, detour: Detour, identity: Identity): Promise<Arrival> {
  const { linkingFor } = detour
  const session = linkingFor && { userId: linkingFor.userId, id: linkingFor.sessionId }
  if (session && !(await isSignedIn(db, session, now()))) return { error: 'expired' }
  const verifiedEmail = identity.emailVerified ? identity.email : null
  const addressee = verifiedEmail === null ? undefined : await findAccountByEmail(db, verifiedEmail)
  return arrive({
    holder: (await findIdentityHolder(db, identity.issuer, identity.subject)) ?? null,
    linkingFor: linkingFor?.userId ?? null,
    verifiedEmail,
    addressee: addressee?.id ?? null,
    invited: (await invitationTo(db, detour, verifiedEmail, now())) !== undefined,
  })
}

/** The invitation that was brought by the browser, if it is open and for this address. */
async function invitationTo(db: Db, { invitation }: Detour, email: string | null, now: Date) {
  const open = invitation === null ? undefined : await checkLink(db, invitation, now)
  if (open === undefined || isRefusal(open) || open.kind !== 'INVITATION' || open.email !== email) return undefined
  return { link: invitation!, organization: open.organization! }
}

interface Task {
  identity: Identity
  detour: Detour
  provider: Provider
}

interface Visitor {
  browser: Browser
  authorAs: AuthorAs
}

function carryOut(
  context: OidcContext,
  arrival: Exclude<Arrival, { error: ArrivalError }>,
  task: Task,
  visitor: Visitor,
): Promise<StartedSession | undefined | Refusal> {
  if (arrival.do === 'sign-in') return signInAs(context, arrival, task, visitor)
  if (arrival.do === 'link') return linkTo(context, arrival.userId, task, visitor)
  if (arrival.do === 'join') return join(context, task, visitor)
  return Promise.resolve(undefined)
}

/** Does not ask for the second factor, because the provider decides how its users prove their identity. */
async function signInAs(
  { db, notify, now }: OidcContext,
  { userId, link }: { userId: string; link: boolean },
  { identity, detour, provider }: Task,
  { browser, authorAs }: Visitor,
): Promise<StartedSession | Refusal> {
  const account = await findAccount(db, userId)
  if (!account) return notFound('Account')
  const by = authorAs(account)
  const person = async (tx: Tx) => {
    const locked = (await lockAccount(tx, userId)) ?? notFound('Account')
    return (link ? await addIdentity(tx, userId, identity, by.now) : undefined) ?? locked
  }
  const after = async (tx: Tx) => {
    if (link) await recordLink(tx, by, account, provider, identity)
    return signedIn(tx, account, browser.from, by, { method: 'OPENID_CONNECT', provider: provider.name })
  }
  await leaveSession(db, browser.formerSecret, authorAs, by.now)
  const invitation = await invitationTo(db, detour, account.email, now())
  const session = invitation
    ? await joinByInvitation(db, invitation, by, { person, after })
    : await inTransaction(db, async (tx) => {
        const refused = await person(tx)
        return isRefusal(refused) ? refused : after(tx)
      })
  if (link && !isRefusal(session)) notify(account.email, 'IDENTITY_LINKED')
  return session
}

/** Links one more identity to a signed-in person. */
async function linkTo(
  { db, notify }: OidcContext,
  userId: string,
  { identity, detour, provider }: Task,
  { authorAs }: Visitor,
): Promise<StartedSession | Refusal> {
  const account = await findAccount(db, userId)
  if (!account) return notFound('Account')
  const by = authorAs(account)
  const session = await inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    const refused = await addIdentity(tx, userId, identity, by.now)
    if (refused) return refused
    await recordLink(tx, by, account, provider, identity)
    return renewSession(tx, detour.linkingFor!.sessionId)
  })
  if (!isRefusal(session)) notify(account.email, 'IDENTITY_LINKED')
  return session
}

/** Creates an account for an invited person, without a password until they set one. */
async function join(
  { db, now }: OidcContext,
  { identity, detour, provider }: Task,
  { browser, authorAs }: Visitor,
): Promise<StartedSession | Refusal> {
  const email = identity.email!
  const invitation = await invitationTo(db, detour, email, now())
  if (!invitation) return notFound('Invitation')
  const named = nameField.safeParse(identity.name)
  const user = { id: newId(), name: named.success ? named.data : email.split('@')[0]!, email }
  const by = authorAs(user)
  return joinByInvitation(db, invitation, by, {
    person: async (tx) => {
      await insertUser(tx, { ...user, passwordHash: null, now: by.now })
      return (await addIdentity(tx, user.id, identity, by.now)) ?? user
    },
    after: async (tx) => {
      await recordLink(tx, by, user, provider, identity)
      return signedIn(tx, user, browser.from, by, { method: 'OPENID_CONNECT', provider: provider.name })
    },
  })
}

async function addIdentity(
  tx: Tx,
  userId: string,
  { issuer, subject, email }: Identity,
  now: Date,
): Promise<Refusal | undefined> {
  const isNew = await insertIdentity(tx, { id: newId(), userId, issuer, subject, email: email!, now })
  return isNew ? undefined : refuse('already_exists', 'This identity has just been linked by a different request.')
}

const recordLink = (
  tx: Tx,
  by: Author,
  { id, name }: { id: string; name: string },
  provider: Provider,
  { email }: Identity,
): Promise<void> =>
  recordOfPerson(tx, by, id, {
    action: 'user.identity_link',
    object: { type: 'user', id, name },
    after: { provider: provider.name, email },
  })

/** Unlinks an identity, unless it is the last way to sign in. */
export async function unlink(
  { db, providers, notify }: OidcContext,
  { user }: Person,
  identityId: string,
  by: Author,
): Promise<null | Refusal> {
  const unlinked = await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, user.id)
    const identities = await listIdentities(tx, user.id)
    const leaving = identities.find(({ id }) => id === identityId)
    if (!account || !leaving) return notFound('Identity')
    const isUseful = ({ id, issuer }: StoredIdentity) =>
      id !== identityId && providerOf(providers, issuer) !== undefined
    if (account.passwordHash === null && !identities.some(isUseful))
      return refuse('invalid_state', 'This is your only way to sign in. Set a password first.')
    await deleteIdentity(tx, user.id, identityId)
    await recordOfPerson(tx, by, user.id, {
      action: 'user.identity_unlink',
      object: { type: 'user', id: user.id, name: user.name },
      before: { provider: nameOfIssuer(providers, leaving.issuer), email: leaving.email },
    })
    return null
  })
  if (!isRefusal(unlinked)) notify(user.email, 'IDENTITY_REMOVED')
  return unlinked
}

const providerOf = (providers: readonly Provider[], issuer: string) => providers.find((each) => each.issuer === issuer)

/** A provider that is no longer configured is shown by its address. */
export const nameOfIssuer = (providers: readonly Provider[], issuer: string): string =>
  providerOf(providers, issuer)?.name ?? new URL(issuer).host

const failed = (error: ArrivalError, detour: Pick<Detour, 'returnTo' | 'linkingFor'> | null): string =>
  withError(detour?.linkingFor ? detour.returnTo : '/sign-in', error)

function errorOf({ onProviderFailure }: OidcContext, { id }: Provider, error: unknown): ArrivalError {
  if (!(error instanceof ProviderFailure)) throw error
  onProviderFailure({ provider: id, reason: error.reason, error: error.cause })
  return `provider_${error.reason}`
}
