import { askedMs } from '../../../../platform/queue/hold.ts'
import type { Answer, Verdict } from '../../tickets/index.ts'

const leastMs = 1_000
const mostMs = 3_600_000

/** Every limit has its own three headers. The middle of their names says which. */
const limits = ['', 'requests-', 'complexity-', 'endpoint-requests-']

/**
 * A rate limit is no failure: the destination rests for as long as its vendor asks. Without `holdMs`, the vendor named
 * no time.
 */
export function hold(answer: Answer, now: Date): Verdict {
  const ms = retryAfterMs(answer, now) ?? resetMs(answer, now)
  return { verdict: 'HOLD', ...(ms !== null && { holdMs: Math.min(mostMs, Math.max(leastMs, Math.ceil(ms))) }) }
}

/** Whether a limit is used up. */
export const isLimited = (answer: Answer): boolean =>
  limits.some((limit) => headerOf(answer, `x-ratelimit-${limit}remaining`) === '0')

export const headerOf = (answer: Answer, name: string): string | null => answer.headers[name] ?? null

/** How a date begins. JavaScript reads one from nearly every number. */
const datePattern = /^\s*(?:[A-Za-z]{3,9},? |\d{4}-\d\d-\d\d)/

function retryAfterMs(answer: Answer, now: Date): number | null {
  const text = headerOf(answer, 'retry-after')
  if (text === null) return null
  const isNumber = /^\s*\d+(?:\.\d+)?\s*$/.test(text)
  return isNumber || (datePattern.test(text) && !Number.isNaN(Date.parse(text))) ? askedMs(text, now) : null
}

/** Every answer of a vendor says when a limit restarts. This matters only if the limit is used up. */
function resetMs(answer: Answer, now: Date): number | null {
  const waits = limits.flatMap((limit) => {
    if ((headerOf(answer, `x-ratelimit-${limit}remaining`) ?? '0') !== '0') return []
    const at = timeOf(headerOf(answer, `x-ratelimit-${limit}reset`))
    return at === null ? [] : [at - now.getTime()]
  })
  return waits.length > 0 ? Math.max(...waits) : null
}

const firstMs = 100_000_000_000

/** Seconds or milliseconds since 1970, or ISO 8601. */
function timeOf(text: string | null): number | null {
  if (text === null) return null
  if (/^\d{1,15}(?:\.\d+)?$/.test(text)) return Number(text) < firstMs ? Number(text) * 1000 : Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}
