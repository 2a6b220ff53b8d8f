import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { notFound, type Refusal, refuse } from '../catalogue/refusals.ts'
import type { Scope } from '../catalogue/scopes.ts'
import type { Actor } from '../platform/outbox.ts'
import { type InTurn, TooBusy } from '../turns.ts'

export interface Organization {
  id: string
  shortId: number
  name: string
  features: string[]
}

export interface Membership {
  organization: Organization
  /** Null for a service token, which has scopes of its own. */
  role: { id: string; name: string; builtIn: boolean } | null
  scopes: ReadonlySet<Scope>
  /** The only projects that the holder sees; null: all of the organization's. */
  projects: ReadonlySet<string> | null
}

/** What a secret proves: who holds it, and in which organizations with which scopes. */
export interface Credential {
  type: 'SERVICE_TOKEN' | 'PERSONAL_TOKEN' | 'SESSION'
  id: string
  name: string
  user: { id: string; name: string; email: string } | null
  memberships: Membership[]
}

/** A credential in the one organization that this request acts in. */
export type Caller = Omit<Credential, 'memberships'> & Membership

/** What queries need of a caller. */
export interface InOrganization {
  organization: { id: string }
}

/** From where a request comes. */
export interface Origin {
  ip: string
  userAgent: string | null
}

/** Looks a secret up by its hash, and notes that it was used. */
export type Authenticate = (secret: string, from: Origin) => Promise<Credential | Refusal>

export interface Authenticators {
  /** Look-ups, a few at once: those of others wait here, where it costs nothing to leave them out. */
  inTurn: InTurn
  /** By the tokens feature. */
  bearer: Authenticate
  /** By the sessions feature; the secret is what the cookie holds. */
  session: Authenticate
}

/** How the session's cookie is called and kept, and the only origin whose writes it opens. */
export interface SessionCookie {
  name: string
  secure: boolean
  origin: string
}

/** Browsers take `Secure` cookies on https and from this machine itself; elsewhere only a plain one would arrive. */
export function sessionCookieOf(baseUrl: string): SessionCookie {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  const secure = protocol === 'https:' || isLoopback
  return { name: secure ? '__Host-svc_session' : 'svc_session', secure, origin }
}

/**
 * A bearer token where the route takes tokens and one was sent, else the session's cookie. Where a session is required,
 * a token is ignored.
 */
export async function readCredential(
  request: FastifyRequest,
  { inTurn, bearer, session }: Authenticators,
  { cookie, sessionsOnly }: { cookie: SessionCookie; sessionsOnly: boolean },
): Promise<Credential | Refusal> {
  const from = originOf(request)
  const { authorization } = request.headers
  if (authorization !== undefined && !sessionsOnly) {
    const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    return secret
      ? lookUp(request, inTurn, () => bearer(secret, from))
      : refuse('unauthorized', 'Send a token: Authorization: Bearer <token>.')
  }
  const secret = request.cookies[cookie.name]
  if (secret === undefined)
    return refuse(
      'unauthorized',
      sessionsOnly ? 'Sign in first.' : 'Send a token: Authorization: Bearer <token>, or sign in to the dashboard.',
    )
  return refuseCrossSite(request, cookie) ?? lookUp(request, inTurn, () => session(secret, from))
}

/**
 * Nobody is looked up for a request that has ended by its turn, and nothing more is done for one that ends meanwhile:
 * whoever sends what the parser refuses, or hangs up at once, would else leave the database more work than it can do.
 */
async function lookUp(
  request: FastifyRequest,
  inTurn: InTurn,
  find: () => Promise<Credential | Refusal>,
): Promise<Credential | Refusal> {
  const { socket } = request.raw
  const hasEnded = () => socket.destroyed || socket.writableEnded
  const ended = () => refuse('validation_failed', 'The request was broken off.')
  // The head of a request comes here before the parser has seen the rest of the packet.
  await nextTurn()
  try {
    const found = await inTurn(async () => (hasEnded() ? ended() : find()))
    return hasEnded() ? ended() : found
  } catch (error) {
    if (error instanceof TooBusy) return refuse('unavailable', 'Too many requests wait. Try again shortly.')
    throw error
  }
}

/** Browsers say where a write comes from. */
export const isFromBrowser = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/** A write that a browser sends along with its cookie has to come from the dashboard itself. */
export function refuseCrossSite(request: FastifyRequest, { origin }: SessionCookie): Refusal | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const { 'sec-fetch-site': site, origin: sentOrigin } = request.headers
  const isOwn = site === undefined ? sentOrigin === origin : site === 'same-origin'
  return isOwn ? undefined : refuse('cross_site', 'This request does not come from the dashboard of this service.')
}

/** A holder may belong to several organizations; the header says which one is meant. */
export function chooseOrganization(credential: Credential, header: string | string[] | undefined): Caller | Refusal {
  const { memberships, ...holder } = credential
  const only = memberships.length === 1 ? memberships[0] : undefined
  if (header === undefined)
    return only
      ? { ...holder, ...only }
      : refuse('organization_required', 'Say which organization is meant: send its id in the header Svc-Org-Id.', {
          header: 'Svc-Org-Id',
        })
  const named = memberships.find(
    ({ organization }) => organization.id === String(header).toLowerCase() || String(organization.shortId) === header,
  )
  return named ? { ...holder, ...named } : notFound('Organization')
}

const actorTypes = {
  SESSION: 'user',
  SERVICE_TOKEN: 'service_token',
  PERSONAL_TOKEN: 'personal_token',
} as const satisfies Record<Credential['type'], Actor['type']>

export function actorOf(request: FastifyRequest, caller: Omit<Caller, keyof Membership> & Partial<Membership>): Actor {
  const { type, id, name, user, role } = caller
  return {
    type: actorTypes[type],
    id: type === 'SESSION' && user ? user.id : id,
    name: type === 'PERSONAL_TOKEN' && user ? `${user.name} (${name})` : name,
    user: user && { ...user, role: role?.name ?? '' },
    requestId: request.id,
    ...originOf(request),
  }
}

/** Owners and administrators by their built-in role: a custom role of the same name is not one. */
export const isAdministrator = ({ role }: Pick<Membership, 'role'>): boolean =>
  role?.builtIn === true && (role.name === 'OWNER' || role.name === 'ADMIN')

const maxUserAgentLength = 512

export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, maxUserAgentLength) ?? null,
})
