import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { isRefusal, notFound, type Refusal, refuse } from '../catalogue/refusals.ts'
import type { Capability, Scope } from '../catalogue/scopes.ts'
import { editorPrefix } from '../platform/ids.ts'
import type { Actor } from '../platform/outbox.ts'
import { type InTurn, TooBusy } from '../turns.ts'
import { sourceIn } from './source.ts'

export interface Organization {
  id: string
  shortId: number
  name: string
  features: string[]
}

export interface Membership {
  organization: Organization
  /** Null for a service token, which has its own scopes. */
  role: { id: string; name: string; builtIn: boolean; capabilities: readonly string[] } | null
  scopes: ReadonlySet<Scope>
  /** The projects that the holder can see. Null: all projects of the organization. */
  projects: ReadonlySet<string> | null
}

/** The holder of a secret, with the organizations and scopes that it gives. */
export interface Credential {
  type: 'SERVICE_TOKEN' | 'PERSONAL_TOKEN' | 'SESSION'
  id: string
  name: string
  user: { id: string; name: string; email: string } | null
  memberships: Membership[]
  /** Set for the visual editor, which acts for a person in one experiment. */
  editor?: EditorSession
}

/** What a session of the visual editor opens. */
export interface EditorSession {
  id: string
  /** For the editor, all others are missing. */
  experimentId: string
}

/** A credential in the organization of this request. */
export type Caller = Omit<Credential, 'memberships'> & Membership

/** What queries need to know about a caller. */
export interface InOrganization {
  organization: { id: string }
}

/** The source of a request. */
export interface Origin {
  ip: string
  userAgent: string | null
}

/** Finds a secret by its hash, and records the use. */
export type Authenticate = (secret: string, from: Origin) => Promise<Credential | Refusal>

export interface Authenticators {
  /** Limits how many credentials are looked up at once. Waiting requests can be dropped here without cost. */
  inTurn: InTurn
  /** Provided by the tokens feature. */
  bearer: Authenticate
  /** Provided by the sessions feature. The secret is the value of the cookie. */
  session: Authenticate
  /** Provided by the experiments feature. `isUse`: whether the request shows that somebody uses the editor. */
  editor: (secret: string, isUse: boolean) => Promise<Credential | Refusal>
}

/** WHILE_IDLE: what the editor calls by itself, so it does not show that somebody uses it. */
export type OpensToEditors = true | 'WHILE_IDLE'

/** Name and attributes of the session cookie, and the only origin that can write with it. */
export interface SessionCookie {
  name: string
  secure: boolean
  origin: string
}

/** Browsers accept `Secure` cookies over https and from localhost. For other addresses the cookie must be plain. */
export function sessionCookieOf(baseUrl: string): SessionCookie {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  const secure = protocol === 'https:' || isLoopback
  return { name: secure ? '__Host-svc_session' : 'svc_session', secure, origin }
}

/**
 * The bearer token, if the route accepts tokens and the request has one, or else the session cookie. A route that
 * requires a session ignores tokens, except those of the editor if it opens to them.
 */
export async function readCredential(
  request: FastifyRequest,
  { inTurn, bearer, session, editor }: Authenticators,
  {
    cookie,
    sessionsOnly,
    opensToEditors,
  }: { cookie: SessionCookie; sessionsOnly: boolean; opensToEditors?: OpensToEditors | undefined },
): Promise<Credential | Refusal> {
  const from = originOf(request)
  const { authorization } = request.headers
  const secret = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (opensToEditors && secret?.startsWith(editorPrefix))
    return lookUp(request, inTurn, () => editor(secret, opensToEditors === true))
  if (authorization !== undefined && !sessionsOnly)
    return secret
      ? lookUp(request, inTurn, () => bearer(secret, from))
      : refuse('unauthorized', 'Send a token: Authorization: Bearer <token>.')
  const ofCookie = request.cookies[cookie.name]
  if (ofCookie === undefined)
    return refuse(
      'unauthorized',
      sessionsOnly ? 'Sign in first.' : 'Send a token: Authorization: Bearer <token>, or sign in to the dashboard.',
    )
  return refuseCrossSite(request, cookie) ?? lookUp(request, inTurn, () => session(ofCookie, from))
}

/**
 * Stops when the request ends before its turn or during the look-up. Otherwise callers who send malformed requests or
 * hang up at once could overload the database.
 */
async function lookUp(
  request: FastifyRequest,
  inTurn: InTurn,
  find: () => Promise<Credential | Refusal>,
): Promise<Credential | Refusal> {
  const { socket } = request.raw
  const hasEnded = () => socket.destroyed || socket.writableEnded
  const ended = () => refuse('validation_failed', 'The request was aborted.')
  // The headers arrive here before the parser has seen the rest of the packet.
  await nextTurn()
  try {
    const found = await inTurn(async () => (hasEnded() ? ended() : find()))
    return hasEnded() ? ended() : found
  } catch (error) {
    if (error instanceof TooBusy) return refuse('unavailable', 'Too many requests are waiting. Try again shortly.')
    throw error
  }
}

/** Browsers send the origin of a write. */
export const isFromBrowser = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/** A write with the session cookie must come from the dashboard. */
export function refuseCrossSite(request: FastifyRequest, { origin }: SessionCookie): Refusal | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const { 'sec-fetch-site': site, origin: sentOrigin } = request.headers
  const isOwn = site === undefined ? sentOrigin === origin : site === 'same-origin'
  return isOwn ? undefined : refuse('cross_site', 'This request must come from the dashboard of this service.')
}

/** A holder can belong to several organizations. The header selects one. */
export function chooseOrganization(credential: Credential, header: string | string[] | undefined): Caller | Refusal {
  const { memberships, ...holder } = credential
  const only = memberships.length === 1 ? memberships[0] : undefined
  if (header === undefined)
    return only
      ? { ...holder, ...only }
      : refuse('organization_required', 'Choose an organization: send its id in the header Svc-Org-Id.', {
          header: 'Svc-Org-Id',
        })
  const named = memberships.find(
    ({ organization }) => organization.id === String(header).toLowerCase() || String(organization.shortId) === header,
  )
  return named ? { ...holder, ...named } : notFound('Organization')
}

/** Like `chooseOrganization`. Null if there are several and the header is missing. */
export function chooseOrganizationIfAny(
  credential: Credential,
  header: string | string[] | undefined,
): Caller | null | Refusal {
  const chosen = chooseOrganization(credential, header)
  return isRefusal(chosen) && chosen.refusal === 'organization_required' ? null : chosen
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
    ...sourceIn(request.headers),
  }
}

/** Whether a caller has a capability. A service token has no role: its scopes alone decide. */
export const hasCapability = ({ role }: Pick<Membership, 'role'>, capability: Capability): boolean =>
  role === null || role.capabilities.includes(capability)

/** Whether the role is the built-in owner or administrator. A custom role of the same name does not count. */
export const isAdministrator = ({ role }: Pick<Membership, 'role'>): boolean =>
  role?.builtIn === true && (role.name === 'OWNER' || role.name === 'ADMIN')

const maxUserAgentLength = 512

export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, maxUserAgentLength) ?? null,
})
