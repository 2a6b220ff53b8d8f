import { type Refusal, refuse } from '../../refusals.ts'

export interface TokenState {
  expiresAt: Date | null
  revokedAt: Date | null
}

/** Revocation speaks before expiry: it is the answer that somebody chose. */
export function refusesUse({ expiresAt, revokedAt }: TokenState, now: Date): Refusal | undefined {
  if (revokedAt) return refuse('token_revoked', 'This token was revoked.')
  if (expiresAt && expiresAt <= now) return refuse('token_expired', 'This token has expired.')
  return undefined
}
