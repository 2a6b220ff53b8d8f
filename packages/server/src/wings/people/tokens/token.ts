import { type Refusal, refuse } from '../../../catalogue/refusals.ts'

const dayMs = 86_400_000

/** The lifetimes of a new token. The longest is a year. */
export const lifetimesMs = { never: null, '7d': 7 * dayMs, '30d': 30 * dayMs, '90d': 90 * dayMs, '1y': 365 * dayMs }

export type Lifetime = keyof typeof lifetimesMs

export const lifetimes = Object.keys(lifetimesMs) as [Lifetime, ...Lifetime[]]

export function expiryOf(lifetime: Lifetime, now: Date): Date | null {
  const ms = lifetimesMs[lifetime]
  return ms === null ? null : new Date(now.getTime() + ms)
}

export interface TokenState {
  expiresAt: Date | null
  revokedAt: Date | null
}

/** Revoked comes before expired, because a person chose it. */
export function refusesUse({ expiresAt, revokedAt }: TokenState, now: Date): Refusal | undefined {
  if (revokedAt) return refuse('token_revoked', 'This token was revoked.')
  if (expiresAt && expiresAt <= now) return refuse('token_expired', 'This token has expired.')
  return undefined
}

export interface ServiceTokenState extends TokenState {
  createdAt: Date
  /** Set for a previous secret: the id of its token. */
  replacedBy: string | null
}

export const statuses = ['ACTIVE', 'EXPIRING', 'EXPIRED', 'REVOKED', 'PREVIOUS_SECRET'] as const

export type ServiceTokenStatus = (typeof statuses)[number]

/** The warning comes a week before the expiry, or a day before if the whole lifetime is at most a week. */
export const warning = { longLifeMs: 7 * dayMs, longLifeLeadMs: 7 * dayMs, shortLifeLeadMs: dayMs }

export function statusOf(token: ServiceTokenState, now: Date): ServiceTokenStatus {
  const { createdAt, expiresAt, revokedAt, replacedBy } = token
  if (revokedAt) return 'REVOKED'
  if (expiresAt && expiresAt <= now) return 'EXPIRED'
  if (replacedBy) return 'PREVIOUS_SECRET'
  if (!expiresAt) return 'ACTIVE'
  const isLongLived = expiresAt.getTime() - createdAt.getTime() > warning.longLifeMs
  const leadMs = isLongLived ? warning.longLifeLeadMs : warning.shortLifeLeadMs
  return expiresAt.getTime() - leadMs <= now.getTime() ? 'EXPIRING' : 'ACTIVE'
}

const rotatable = ['ACTIVE', 'EXPIRING'] as const satisfies ServiceTokenStatus[]

const notRotatable: Record<Exclude<ServiceTokenStatus, (typeof rotatable)[number]>, string> = {
  EXPIRED: 'This token has expired. Create a new one.',
  REVOKED: 'This token was revoked. Create a new one.',
  PREVIOUS_SECRET: 'This is the previous secret of a token. Rotate the token itself.',
}

export function refusesRotation(token: ServiceTokenState, now: Date): Refusal | undefined {
  const current = statusOf(token, now)
  if (current === 'ACTIVE' || current === 'EXPIRING') return undefined
  return refuse('invalid_state', notRotatable[current], { current, allowed: rotatable })
}

/** The name of a rotated secret, and how long it keeps working: never beyond the token's own expiry. */
export function previousSecretOf(
  { name, expiresAt }: { name: string; expiresAt: Date | null },
  graceMs: number,
  now: Date,
): { name: string; expiresAt: Date } {
  const graceEnds = new Date(now.getTime() + graceMs)
  return {
    name: `${name} (previous secret)`,
    expiresAt: expiresAt && expiresAt < graceEnds ? expiresAt : graceEnds,
  }
}
