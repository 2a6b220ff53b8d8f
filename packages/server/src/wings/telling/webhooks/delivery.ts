import { invalid, type Refusal } from '../../../catalogue/refusals.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'PERMANENTLY_FAILED'

/** What a worker has in hand: the row as it claimed it, `attempts` counting the one that is being made. */
export interface ClaimedDelivery {
  id: string
  webhookId: string
  attempts: number
  isTest: boolean
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
function delayMs(stepMs: number, nextStepMs: number | undefined, { retryAfter }: AttemptOutcome, now: Date): number {
  const askedMs = retryAfter === null ? 0 : retryAfterMs(retryAfter, now)
  return Math.max(stepMs, Math.min(askedMs, nextStepMs ?? stepMs))
}

function retryAfterMs(text: string, now: Date): number {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : at - now.getTime()
}

/** True when the claim itself finds that the last attempt of the cycle was cut off before it was settled. */
export const isExhausted = ({ attempts, isTest }: ClaimedDelivery, ladderMs: readonly number[]): boolean =>
  attempts > (isTest ? 1 : ladderMs.length + 1)

export function refusesRetry(status: DeliveryStatus): Refusal | undefined {
  if (status === 'FAILED' || status === 'PERMANENTLY_FAILED') return undefined
  return invalid({ path: ['deliveryId'], message: `Only a failed delivery can be retried; this one is ${status}.` })
}

export const endedFailed = (status: DeliveryStatus): boolean => status === 'FAILED' || status === 'PERMANENTLY_FAILED'
