import { isRefusal } from '../../../catalogue/refusals.ts'
import { ineffectiveScopes, scopes, scopeText } from '../../../catalogue/scopes.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { PersonRoute } from '../../../http/person-route.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import {
  createPersonalToken,
  createServiceToken,
  revokePersonalToken,
  revokeServiceToken,
  rotateServiceToken,
} from './actions.ts'
import {
  findServiceToken,
  listPersonalTokens,
  listServiceTokens,
  type PersonalToken,
  type ServiceToken,
} from './queries.ts'
import {
  createdPersonalTokenSchema,
  createdServiceTokenSchema,
  createPersonalTokenBody,
  createServiceTokenBody,
  personalTokenSchema,
  rotatedServiceTokenSchema,
  scopeSchema,
  serviceTokenSchema,
  tokenParams,
} from './schema.ts'
import { statusOf } from './token.ts'

export interface PersonalTokenContext {
  db: Db
  now: () => Date
  cursors: Cursors
}

export interface ServiceTokenContext extends PersonalTokenContext {
  /** How long a rotated secret keeps working. */
  rotationGraceMs: number
}

/** Only for the dashboard: a token cannot create, change or revoke tokens. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function serviceTokenRoutes(route: Route, { db, now, cursors, rotationGraceMs }: ServiceTokenContext): void {
  const url = '/api/dashboard/service-tokens'
  const all = { tag: 'Service token', access: 'administrator', scope: null } as const
  const one = {
    ...all,
    params: tokenParams,
    find: ({ tokenId }: { tokenId: string }, { organization }: { organization: { id: string } }) =>
      findServiceToken(db, organization.id, tokenId),
  }

  route({
    ...all,
    method: 'GET',
    url,
    operationId: 'listServiceTokens',
    summary: 'List service tokens',
    description: 'Newest first, each followed by its previous secrets. Includes revoked and expired tokens.',
    query: pageQuery,
    data: serviceTokenSchema.array(),
    paged: true,
    async handle({ caller: { organization }, query }) {
      const list = ['service-tokens', organization.id]
      const read = async (after: string | null, limit: number) => {
        const [pair = '', id = ''] = after?.split(' ') ?? []
        const tokens = await listServiceTokens(db, organization.id, after ? { pair, id } : null, limit)
        return tokens.map((token) => ({ id: `${token.replacedBy ?? token.id} ${token.id}`, token }))
      }
      return cursors.list(query, list, read, (rows) => rows.map(({ token }) => present(token)))
    },
  })

  route({
    ...all,
    method: 'POST',
    url,
    operationId: 'createServiceToken',
    summary: 'Create a service token',
    description: 'Only this answer contains the secret.',
    body: createServiceTokenBody,
    data: createdServiceTokenSchema,
    status: 201,
    async handle({ caller, by, body }) {
      const created = await createServiceToken(db, by, caller.organization.id, body)
      return isRefusal(created) ? created : { data: { ...present(created.token), secret: created.secret } }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:tokenId/rotate`,
    operationId: 'rotateServiceToken',
    summary: 'Rotate the secret of a service token',
    description:
      'The token gets a new secret and keeps its id, scopes and expiry. The old secret keeps working for a while. It is listed separately and can be revoked separately.',
    data: rotatedServiceTokenSchema,
    async handle({ found, by }) {
      const rotated = await rotateServiceToken(db, by, rotationGraceMs, { orgId: found.orgId, tokenId: found.id })
      if (isRefusal(rotated)) return rotated
      const { token, secret, previous } = rotated
      return { data: { token: present(token), secret, previous: present(previous) } }
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:tokenId`,
    operationId: 'revokeServiceToken',
    summary: 'Revoke a service token, or one of its secrets',
    description: 'Takes effect at once and cannot be undone. A previous secret and its token are revoked separately.',
    data: serviceTokenSchema,
    async handle({ found, by }) {
      const token = await revokeServiceToken(db, by, { orgId: found.orgId, tokenId: found.id })
      return isRefusal(token) ? token : { data: present(token) }
    },
  })

  route({
    method: 'GET',
    url: '/api/dashboard/scopes',
    operationId: 'listScopes',
    summary: 'List the scopes that a service token can have',
    tag: 'Service token',
    access: 'session',
    scope: null,
    data: scopeSchema.array(),
    handle: async () => ({
      data: scopes.map((scope) => ({ scope, text: scopeText(scope), ineffective: ineffectiveScopes.has(scope) })),
    }),
  })

  const present = ({ orgId: _orgId, ...token }: ServiceToken) => ({
    id: token.id,
    name: token.name,
    description: token.description,
    scopes: token.scopes,
    ineffectiveScopes: token.scopes.filter((scope) => ineffectiveScopes.has(scope)),
    createdAt: token.createdAt.toISOString(),
    createdBy: token.createdBy,
    initial: token.initial,
    status: statusOf(token, now()),
    replacedBy: token.replacedBy,
    ...presentTimes(token),
  })
}

/** The caller's own tokens, only for the dashboard. */
export function personalTokenRoutes(route: PersonRoute, { db, now, cursors }: PersonalTokenContext): void {
  const url = '/api/dashboard/personal-tokens'
  const all = { tag: 'Personal token', access: 'session' } as const

  route({
    ...all,
    method: 'GET',
    url,
    operationId: 'listPersonalTokens',
    summary: 'List your personal tokens',
    description: 'Newest first, including revoked and expired tokens.',
    query: pageQuery,
    data: personalTokenSchema.array(),
    paged: true,
    async handle({ person: { user }, query }) {
      const list = ['personal-tokens', user.id]
      const read = (after: string | null, limit: number) => listPersonalTokens(db, user.id, after, limit)
      return cursors.list(query, list, read, (rows) => rows.map(present))
    },
  })

  route({
    ...all,
    method: 'POST',
    url,
    operationId: 'createPersonalToken',
    summary: 'Create a personal token',
    description: 'The token can do whatever your role currently allows. Only this answer contains the secret.',
    body: createPersonalTokenBody,
    data: createdPersonalTokenSchema,
    status: 201,
    async handle({ person, authorAs, body }) {
      const created = await createPersonalToken(db, authorAs(person.user), person.user.id, body)
      return isRefusal(created) ? created : { data: { ...present(created.token), secret: created.secret } }
    },
  })

  route({
    ...all,
    method: 'DELETE',
    url: `${url}/:tokenId`,
    operationId: 'revokePersonalToken',
    summary: 'Revoke a personal token',
    description: 'Takes effect at once and cannot be undone.',
    params: tokenParams,
    data: personalTokenSchema,
    async handle({ person, authorAs, params }) {
      const token = await revokePersonalToken(db, authorAs(person.user), person.user.id, params.tokenId)
      return isRefusal(token) ? token : { data: present(token) }
    },
  })

  const present = ({ id, name, createdAt, expiresAt, ...token }: PersonalToken) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    expired: expiresAt !== null && expiresAt <= now(),
    ...presentTimes({ ...token, expiresAt }),
  })
}

function presentTimes(token: Pick<PersonalToken, 'expiresAt' | 'revokedAt' | LastUseField>) {
  const { expiresAt, revokedAt, lastUsedAt, lastUsedIp, lastUsedUserAgent } = token
  return {
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedIp,
    lastUsedUserAgent,
  }
}

type LastUseField = 'lastUsedAt' | 'lastUsedIp' | 'lastUsedUserAgent'
