import { notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Scope } from '../../../catalogue/scopes.ts'
import type { Authenticate } from '../../../http/credentials.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId, newPersonalSecret, newServiceSecret, personalPrefix, servicePrefix } from '../../../platform/ids.ts'
import type { Author, OrganizationChange } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { membershipOf, recordOfPerson } from '../accounts/index.ts'
import {
  findTokenByHash,
  insertPreviousSecret,
  insertToken,
  lockPersonalToken,
  lockServiceToken,
  type PersonalToken,
  replaceSecret,
  revokeActivePersonalTokens,
  revokeInitialTokens,
  type ServiceToken,
  setRevoked,
} from './queries.ts'
import { hashOf, isSecret } from './secret.ts'
import { expiryOf, type Lifetime, previousSecretOf, refusesRotation, refusesUse } from './token.ts'
import type { LastUses } from './worker.ts'

export function authenticator(db: Db, lastUses: LastUses, now: () => Date): Authenticate {
  return async (secret, use) => {
    const wellFormed = isSecret(secret, servicePrefix) || isSecret(secret, personalPrefix)
    const secretHash = hashOf(secret)
    const token = wellFormed ? await findTokenByHash(db, secretHash) : undefined
    if (!token) return refuse('unauthorized', 'This token is unknown.')
    const refusal = refusesUse(token, now())
    if (refusal) return refusal
    lastUses.note({ secretHash: secretHash.toString('hex'), at: now(), ...use })
    return {
      type: token.kind === 'SERVICE' ? 'SERVICE_TOKEN' : 'PERSONAL_TOKEN',
      id: token.id,
      name: token.name,
      user: token.user,
      memberships: token.memberships.map((membership) =>
        token.scopes ? { ...membershipOf(membership), scopes: new Set(token.scopes) } : membershipOf(membership),
      ),
    }
  }
}

export interface ServiceTokenRequest {
  name: string
  description: string | null
  scopes: readonly Scope[]
  expiresIn: Lifetime
}

const neverUsed = { lastUsedAt: null, lastUsedIp: null, lastUsedUserAgent: null }

export async function createServiceToken(
  db: Db,
  by: Author,
  orgId: string,
  { expiresIn, ...wanted }: ServiceTokenRequest,
): Promise<{ token: ServiceToken; secret: string } | Refusal> {
  const secret = newServiceSecret()
  return inTransaction(db, async (tx) => {
    const token = {
      ...wanted,
      id: newId(),
      orgId,
      scopes: [...wanted.scopes],
      expiresAt: expiryOf(expiresIn, by.now),
      createdAt: by.now,
      createdBy: authorName(by),
      initial: false,
      replacedBy: null,
      revokedAt: null,
      ...neverUsed,
    }
    await insertToken(tx, { ...token, kind: 'SERVICE', userId: null, secretHash: hashOf(secret) }, by.now)
    const { name, description, scopes, expiresAt } = token
    await by.record(tx, changeOf(token, 'create', { after: { name, description, scopes, expiresAt } }))
    return { token, secret }
  })
}

/**
 * Gives the token a new secret. The old secret becomes a separate row until its grace period ends. A secret from an
 * earlier rotation keeps its own grace period.
 */
export async function rotateServiceToken(
  db: Db,
  by: Author,
  graceMs: number,
  { orgId, tokenId }: { orgId: string; tokenId: string },
): Promise<{ token: ServiceToken; secret: string; previous: ServiceToken } | Refusal> {
  const secret = newServiceSecret()
  return inTransaction(db, async (tx) => {
    const locked = await lockServiceToken(tx, orgId, tokenId)
    if (!locked) return notFound('Service token')
    const refusal = refusesRotation(locked, by.now)
    if (refusal) return refusal
    const { secretHash, ...token } = locked
    const previous = { ...token, ...previousSecretOf(token, graceMs, by.now), id: newId(), replacedBy: token.id }
    await replaceSecret(tx, token.id, hashOf(secret))
    await insertPreviousSecret(tx, { ...previous, secretHash })
    const after = { previousSecret: { id: previous.id, expiresAt: previous.expiresAt } }
    await by.record(tx, changeOf(token, 'rotate', { after }))
    return { token: { ...token, ...neverUsed, initial: false }, secret, previous }
  })
}

/** Revokes only this row; the other secret of a rotated token keeps working. Repeating it changes nothing. */
export async function revokeServiceToken(
  db: Db,
  by: Author,
  { orgId, tokenId }: { orgId: string; tokenId: string },
): Promise<ServiceToken | Refusal> {
  return inTransaction(db, async (tx) => {
    const token = await lockServiceToken(tx, orgId, tokenId)
    if (!token) return notFound('Service token')
    if (token.revokedAt) return token
    await setRevoked(tx, tokenId, by.now)
    await by.record(tx, changeOf(token, 'revoke', revoked(by.now)))
    return { ...token, revokedAt: by.now }
  })
}

/** Ends the token of the first start, as the change of the person who becomes the owner. */
export async function revokeTokensOfFirstStart(tx: Tx, by: Author, orgId: string): Promise<void> {
  for (const token of await revokeInitialTokens(tx, orgId, by.now))
    await by.record(tx, changeOf(token, 'revoke', revoked(by.now)))
}

const changeOf = (
  { orgId, id, name }: ServiceToken,
  verb: 'create' | 'rotate' | 'revoke',
  values: { before?: unknown; after?: unknown },
): OrganizationChange<`service_token.${typeof verb}`> => ({
  orgId,
  projectId: null,
  action: `service_token.${verb}`,
  object: { type: 'service_token', id, name },
  ...values,
})

const revoked = (now: Date) => ({ before: { revokedAt: null }, after: { revokedAt: now } })

const authorName = ({ actor }: Author): string => actor.user?.name ?? actor.name

export async function createPersonalToken(
  db: Db,
  by: Author,
  userId: string,
  { name, expiresIn }: { name: string; expiresIn: Lifetime },
): Promise<{ token: PersonalToken; secret: string } | Refusal> {
  const secret = newPersonalSecret()
  return inTransaction(db, async (tx) => {
    const expiresAt = expiryOf(expiresIn, by.now)
    const token = { id: newId(), userId, name, createdAt: by.now, expiresAt, revokedAt: null, ...neverUsed }
    const row = { ...token, kind: 'PERSONAL', orgId: null, scopes: null, secretHash: hashOf(secret) } as const
    await insertToken(tx, row, by.now)
    await recordOfPerson(tx, by, userId, personalChange(token, 'create', { after: { name, expiresAt } }))
    return { token, secret }
  })
}

/** Repeating it changes nothing. */
export async function revokePersonalToken(
  db: Db,
  by: Author,
  userId: string,
  tokenId: string,
): Promise<PersonalToken | Refusal> {
  return inTransaction(db, async (tx) => {
    const token = await lockPersonalToken(tx, userId, tokenId)
    if (!token) return notFound('Personal token')
    if (token.revokedAt) return token
    await setRevoked(tx, tokenId, by.now)
    await recordOfPerson(tx, by, userId, personalChange(token, 'revoke', revoked(by.now)))
    return { ...token, revokedAt: by.now }
  })
}

/** Revokes every personal token of a person, each with its own audit entry. Returns the number. */
export async function revokePersonalTokens(tx: Tx, by: Author, userId: string): Promise<number> {
  const tokens = await revokeActivePersonalTokens(tx, userId, by.now)
  for (const token of tokens) await recordOfPerson(tx, by, userId, personalChange(token, 'revoke', revoked(by.now)))
  return tokens.length
}

const personalChange = (
  { id, name }: PersonalToken,
  verb: 'create' | 'revoke',
  values: { before?: unknown; after?: unknown },
) => ({ action: `personal_token.${verb}`, object: { type: 'personal_token', id, name }, ...values }) as const
