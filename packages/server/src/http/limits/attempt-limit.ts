import { createHash } from 'node:crypto'
import { type Refusal, refuse } from '../../catalogue/refusals.ts'
import type { CountWindows } from './count-windows.ts'

/** What callers with many addresses could guess, or request too often, for one account. */
const attempts = {
  password: { points: 10, seconds: 900, tooMany: 'Too many attempts for this account.' },
  code: { points: 5, seconds: 900, tooMany: 'Too many attempts for this account.' },
  reset: { points: 3, seconds: 3600, tooMany: 'Too many attempts for this account.' },
  email: { points: 5, seconds: 3600, tooMany: 'Too many attempts for this account.' },
  invitation: { points: 10, seconds: 3600, tooMany: 'Too many invitations for this address.' },
} as const

export type AttemptKind = keyof typeof attempts

/** Counts attempts by account, whether the account exists or not, so that the answer does not reveal it. */
export interface AttemptLimits {
  take(kind: AttemptKind, account: string): Promise<Refusal | undefined>
  /** The attempt succeeded, so the count starts again. */
  forgive(kind: AttemptKind, account: string): Promise<void>
}

export function attemptLimits(windows: CountWindows): AttemptLimits {
  const opened = Object.fromEntries(
    Object.entries(attempts).map(([kind, { points, seconds }]) => [
      kind,
      windows({ keyPrefix: `svc:attempts:${kind}`, points, duration: seconds, purpose: 'attempts' }),
    ]),
  ) as Record<AttemptKind, ReturnType<CountWindows>>
  return {
    async take(kind, account) {
      const { points, seconds, tooMany } = attempts[kind]
      const { consumedPoints, msBeforeNext } = await opened[kind].count(subjectOf(account))
      if (consumedPoints <= points) return undefined
      const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      return refuse('rate_limited', `${tooMany} Try again in ${retryAfterSeconds} s.`, {
        limit: points,
        windowSeconds: seconds,
        retryAfterSeconds,
      })
    },
    forgive: (kind, account) => opened[kind].forget(subjectOf(account)),
  }
}

/** Hashed, because a store of counters should not contain e-mail addresses. */
const subjectOf = (account: string): string => createHash('sha256').update(account.toLowerCase()).digest('base64url')
