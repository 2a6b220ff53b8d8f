import type { FastifyRequest } from 'fastify'
import type { Actor } from '../platform/outbox.ts'
import { notFound, type Refusal, refuse } from '../refusals.ts'
import type { Scope } from '../scopes.ts'

export interface Organization {
  id: string
  shortId: number
  name: string
  features: string[]
}

export interface Membership {
  organization: Organization
  /** Null for a service token, which has scopes of its own. */
  role: { id: string; name: string } | null
  scopes: ReadonlySet<Scope>
}

/** What a bearer secret proves: who holds it, and in which organizations with which scopes. */
export interface Credential {
  type: 'SERVICE_TOKEN' | 'PERSONAL_TOKEN'
  id: string
  name: string
  user: { id: string; name: string; email: string } | null
  memberships: Membership[]
}

/** A credential in the one organization that this request acts in. */
export type Caller = Omit<Credential, 'memberships'> & Membership

/** Looks a secret up by its hash, and notes that it was used. The tokens feature provides it. */
export type Authenticate = (
  secret: string,
  use: { ip: string; userAgent: string | null },
) => Promise<Credential | Refusal>

export async function readCredential(
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Credential | Refusal> {
  const secret = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!secret) return refuse('unauthorized', 'Send a token: Authorization: Bearer <token>.')
  return authenticate(secret, { ip: request.ip, userAgent: userAgentOf(request) })
}

/** A personal token's holder may belong to several organizations; the header says which one is meant. */
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

export function actorOf(request: FastifyRequest, caller: Caller): Actor {
  return {
    type: caller.type === 'SERVICE_TOKEN' ? 'service_token' : 'personal_token',
    id: caller.id,
    name: caller.user ? `${caller.user.name} (${caller.name})` : caller.name,
    user: caller.user && { ...caller.user, role: caller.role?.name ?? '' },
    requestId: request.id,
    ip: request.ip,
    userAgent: userAgentOf(request),
  }
}

const maxUserAgentLength = 512

function userAgentOf(request: FastifyRequest): string | null {
  return request.headers['user-agent']?.slice(0, maxUserAgentLength) ?? null
}
