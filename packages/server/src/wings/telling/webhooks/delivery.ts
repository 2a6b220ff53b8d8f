import { invalid, type Refusal } from '../../../catalogue/refusals.ts'
import type { Attempt } from '../../../platform/outbound/index.ts'
import { askedMs } from '../../../platform/queue/hold.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'

/** What a worker has in hand: the row as it claimed it, `attempts` counting the one that is being made. */
export interface ClaimedDelivery {
  id: string
  webhookId: string
  attempts: number
  isTest: boolean
  /** The number of the claim, which its settlement has to name: a later claim makes it void. */
  fence: number
}

/** What became of one attempt; `charged: false` when our own proxy failed and the endpoint was never asked. */
export interface AttemptOutcome {
  status: number | null
  retryAfter: string | null
  charged: boolean
}

export interface Verdict {
  status: DeliveryStatus
  attempts: number
  /** When a worker may take it again; null when nobody should. */
  dueAt: Date | null
}

/** What is written down about an attempt. */
export interface Settlement extends Verdict {
  id: string
  /** The number of the claim that is settled. */
  fence: number
  lastAttemptAt: Date
  responseStatus: number | null
  responseBody: string | null
  errorMessage: string | null
}

/** An attempt, judged by the table of states. */
export function settlementOf(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  ladderMs: readonly number[],
  now: Date,
): Settlement {
  const { id, fence } = delivery
  return {
    id,
    fence,
    ...verdictOn(delivery, attempt, ladderMs, now),
    lastAttemptAt: now,
    responseStatus: attempt.status,
    responseBody: attempt.status === null ? null : attempt.body,
    errorMessage: attempt.error,
  }
}

const goneStatus = 410

/**
 * The specification's table of delivery states. `ladderMs` holds the delay before each retry; a test ping has none.
 * Delays count from the end of the failed attempt and are never shortened.
 */
export function verdictOn(
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  ladderMs: readonly number[],
  now: Date,
): Verdict {
  const { attempts, isTest } = delivery
  const done = (status: DeliveryStatus): Verdict => ({ status, attempts, dueAt: null })
  // Nothing was sent under this claim, so it is no attempt.
  if (isExhausted(delivery, ladderMs)) return { status: 'FAILED', attempts: attempts - 1, dueAt: null }
  if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) return done('DELIVERED')
  if (isTest) return done('FAILED')
  if (!outcome.charged) {
    const dueAt = new Date(now.getTime() + (ladderMs[0] ?? 0))
    return { status: 'PENDING', attempts: attempts - 1, dueAt }
  }
  if (outcome.status === goneStatus) return done('PERMANENTLY_FAILED')
  const stepMs = ladderMs[attempts - 1]
  if (stepMs === undefined) return done('FAILED')
  return {
    status: 'PENDING',
    attempts,
    dueAt: new Date(now.getTime() + delayMs(stepMs, ladderMs[attempts], outcome, now)),
  }
}

/** An endpoint may ask for more patience, up to the next step of the ladder, never for less. */
const delayMs = (stepMs: number, nextStepMs: number | undefined, { retryAfter }: AttemptOutcome, now: Date): number =>
  Math.max(stepMs, Math.min(askedMs(retryAfter, now), nextStepMs ?? stepMs))

const unsent = { status: null, body: '', retryAfter: null, durationMs: 0 }

/** The attempt that a crash cut off was the last of its cycle. */
export const interrupted: Attempt = {
  ...unsent,
  error: 'The last attempt was interrupted before its result was known.',
  charged: true,
}

/** The operator's mistake, not the endpoint's: what waits goes out once the key is back. */
export const unreadableSecret: Attempt = {
  ...unsent,
  error: 'The signing secret cannot be read: it was stored under another secret key.',
  charged: false,
}

/** True when the claim itself finds that the last attempt of the cycle was cut off before it was settled. */
export const isExhausted = ({ attempts, isTest }: ClaimedDelivery, ladderMs: readonly number[]): boolean =>
  attempts > (isTest ? 1 : ladderMs.length + 1)

export function refusesRetry(status: DeliveryStatus): Refusal | undefined {
  if (status === 'FAILED' || status === 'PERMANENTLY_FAILED') return undefined
  return invalid({ path: ['deliveryId'], message: `Only a failed delivery can be retried; this one is ${status}.` })
}

export const endedFailed = (status: DeliveryStatus): boolean => status === 'FAILED' || status === 'PERMANENTLY_FAILED'
