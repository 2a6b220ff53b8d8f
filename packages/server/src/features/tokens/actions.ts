import type { Authenticate, Membership } from '../../http/credentials.ts'
import type { Db } from '../../platform/db/index.ts'
import { personalPrefix, servicePrefix } from '../../platform/ids.ts'
import { refuse } from '../../refusals.ts'
import { scopesOfRole } from '../../scopes.ts'
import { findTokenByHash, type StoredToken, type TokenMembership } from './queries.ts'
import { hashOf, isSecret } from './secret.ts'
import { refusesUse } from './token.ts'
import type { LastUses } from './worker.ts'

export function authenticator(db: Db, lastUses: LastUses, now: () => Date): Authenticate {
  return async (secret, use) => {
    const wellFormed = isSecret(secret, servicePrefix) || isSecret(secret, personalPrefix)
    const token = wellFormed ? await findTokenByHash(db, hashOf(secret)) : undefined
    if (!token) return refuse('unauthorized', 'This token is not known here.')
    const refusal = refusesUse(token, now())
    if (refusal) return refusal
    lastUses.note({ tokenId: token.id, at: now(), ...use })
    return {
      type: token.kind === 'SERVICE' ? 'SERVICE_TOKEN' : 'PERSONAL_TOKEN',
      id: token.id,
      name: token.name,
      user: token.user,
      memberships: token.memberships.map((membership) => membershipOf(token, membership)),
    }
  }
}

function membershipOf(token: StoredToken, { organization, role }: TokenMembership): Membership {
  if (!role) return { organization, role: null, scopes: new Set(token.scopes ?? []) }
  return { organization, role: { id: role.id, name: role.name }, scopes: scopesOfRole(role) }
}
