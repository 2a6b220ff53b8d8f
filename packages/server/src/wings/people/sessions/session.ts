import { createHash, randomBytes } from 'node:crypto'
import { limits } from '../accounts/index.ts'

const secretBytes = 32
const secretPattern = /^[A-Za-z0-9_-]{43}$/

export const newSessionSecret = (): string => randomBytes(secretBytes).toString('base64url')

/** The only form in which a session's secret is stored; null if the text cannot be a secret. */
export const hashOfSession = (secret: string | undefined): Buffer | null =>
  secret !== undefined && secretPattern.test(secret) ? createHash('sha256').update(secret).digest() : null

/** `SECOND_FACTOR`: the password was right, but the session gives no access yet. */
export type Stage = 'SECOND_FACTOR' | 'SIGNED_IN'

export interface SessionState {
  stage: Stage
  lastSeenAt: Date
  expiresAt: Date
}

/** When a session that starts now ends at the latest. */
export function endOf(stage: Stage, now: Date): Date {
  const { absoluteMs, secondFactorStageMs } = limits.session
  return new Date(now.getTime() + (stage === 'SIGNED_IN' ? absoluteMs : secondFactorStageMs))
}

/** Sessions that were last used before this time have been idle for too long. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - limits.session.idleMs)

export function isOver({ stage, lastSeenAt, expiresAt }: SessionState, now: Date): boolean {
  return expiresAt <= now || (stage === 'SIGNED_IN' && lastSeenAt <= idleSince(now))
}
