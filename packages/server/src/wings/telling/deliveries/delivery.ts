import { goneStatus } from '../../../catalogue/payloads.ts'
import { invalid, type Refusal } from '../../../catalogue/refusals.ts'
import type { Attempt } from '../../../platform/outbound/index.ts'
import { askedMs } from '../../../platform/queue/hold.ts'
import type { Outcome } from '../destinations/index.ts'

/** Retried deliveries of a destination are counted no further. */
export const retryingCountedMax = 100

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'

/** A claimed delivery. `attempts` includes the attempt that is being made. */
export interface ClaimedDelivery {
  id: string
  destinationId: string
  attempts: number
  isTest: boolean
  /** The number of the claim. A settlement must name it and is ignored after a later claim. */
  fence: number
}

/** The result of one attempt. `charged: false` means that our own proxy failed before the request reached the endpoint. */
export interface AttemptOutcome {
  status: number | null
  retryAfter: string | null
  charged: boolean
}

export interface Verdict {
  status: DeliveryStatus
  attempts: number
  /** When a worker can claim it again; null if never. */
  dueAt: Date | null
}

/** What is stored about an attempt. */
export interface Settlement extends Verdict {
  id: string
  /** The number of the claim that this settles. */
  fence: number
  lastAttemptAt: Date
  responseStatus: number | null
  responseBody: string | null
  errorMessage: string | null
}

/** An attempt with the new state of its delivery. */
export const settlementOf = (
  delivery: ClaimedDelivery,
  attempt: Attempt,
  ladderMs: readonly number[],
  now: Date,
): Settlement => settledBy(delivery, attempt, verdictOn(delivery, attempt, ladderMs, now), now)

/** What is stored about an attempt with this verdict. */
export const settledBy = (
  { id, fence }: ClaimedDelivery,
  { status, body, error }: Pick<Attempt, 'status' | 'body' | 'error'>,
  verdict: Verdict,
  now: Date,
): Settlement => ({
  id,
  fence,
  ...verdict,
  lastAttemptAt: now,
  responseStatus: status,
  responseBody: status === null ? null : body,
  errorMessage: error,
})

/** What an attempt says about its delivery. `UNCHARGED`: nothing, because the failure was our own. */
export type Judgement = 'DELIVERED' | 'PERMANENT' | 'RETRY' | 'UNCHARGED'

/** The verdict on an attempt at a webhook. */
export const verdictOn = (
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  ladderMs: readonly number[],
  now: Date,
): Verdict => stateAfter(delivery, judgementOn(outcome), outcome.retryAfter, ladderMs, now)

function judgementOn({ status, charged }: AttemptOutcome): Judgement {
  if (status !== null && status >= 200 && status < 300) return 'DELIVERED'
  if (!charged) return 'UNCHARGED'
  return status === goneStatus ? 'PERMANENT' : 'RETRY'
}

/**
 * The table of delivery states. `ladderMs` has the delay before each retry and is empty for a test ping.
 * Delays count from the end of the failed attempt and are never shortened.
 */
export function stateAfter(
  delivery: ClaimedDelivery,
  judgement: Judgement,
  retryAfter: string | null,
  ladderMs: readonly number[],
  now: Date,
): Verdict {
  const { attempts, isTest } = delivery
  const done = (status: DeliveryStatus): Verdict => ({ status, attempts, dueAt: null })
  // Nothing was sent under this claim, so it does not count as an attempt.
  if (isExhausted(delivery, ladderMs)) return { status: 'FAILED', attempts: attempts - 1, dueAt: null }
  if (judgement === 'DELIVERED') return done('DELIVERED')
  if (isTest) return done('FAILED')
  if (judgement === 'UNCHARGED') return waiting(delivery, new Date(now.getTime() + (ladderMs[0] ?? 0)))
  if (judgement === 'PERMANENT') return done('PERMANENTLY_FAILED')
  const stepMs = ladderMs[attempts - 1]
  if (stepMs === undefined) return done('FAILED')
  return {
    status: 'PENDING',
    attempts,
    dueAt: new Date(now.getTime() + delayMs(stepMs, ladderMs[attempts], retryAfter, now)),
  }
}

/** The state of a delivery whose attempt does not count. */
export const waiting = ({ attempts }: ClaimedDelivery, dueAt: Date): Verdict => ({
  status: 'PENDING',
  attempts: attempts - 1,
  dueAt,
})

/** An endpoint can ask for a longer delay, up to the next step of the ladder, but not for a shorter one. */
const delayMs = (stepMs: number, nextStepMs: number | undefined, retryAfter: string | null, now: Date): number =>
  Math.max(stepMs, Math.min(askedMs(retryAfter, now), nextStepMs ?? stepMs))

const unsent = { status: null, body: '', retryAfter: null, durationMs: 0 }

/** The verdict if a crash interrupted the last attempt of a cycle. */
export const interrupted: Attempt = {
  ...unsent,
  error: 'The last attempt was interrupted before its result was known.',
  charged: true,
}

/** The verdict if the signing secret cannot be read. The delivery stays pending until the secret key is back. */
export const unreadableSecret: Attempt = {
  ...unsent,
  error:
    'The signing secret cannot be read: it was encrypted with a different secret key. Start the service with that key.',
  charged: false,
}

/** True if the last attempt of the cycle was interrupted before it was settled. */
export const isExhausted = ({ attempts, isTest }: ClaimedDelivery, ladderMs: readonly number[]): boolean =>
  attempts > (isTest ? 1 : ladderMs.length + 1)

export function refusesRetry(status: DeliveryStatus): Refusal | undefined {
  if (status === 'FAILED' || status === 'PERMANENTLY_FAILED') return undefined
  return invalid({ path: ['deliveryId'], message: `Only a failed delivery can be retried; this one is ${status}.` })
}

export const endedFailed = (status: DeliveryStatus): boolean => status === 'FAILED' || status === 'PERMANENTLY_FAILED'

/**
 * What settled deliveries say about the health of their destination. Deliveries that will be tried again say nothing yet,
 * and tests say nothing at all.
 */
export const outcomesOf = (settled: readonly { status: DeliveryStatus; isTest: boolean }[]): Outcome[] =>
  settled
    .filter(({ status, isTest }) => status !== 'PENDING' && !isTest)
    .map(({ status }) => (endedFailed(status) ? 'FAILED' : 'DELIVERED'))
