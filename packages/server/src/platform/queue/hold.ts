/** Larger numbers are no times that a clock can have. The caller decides how long it really waits. */
const longestSeconds = 999_999_999

/** How long `Retry-After` asks us to wait, given in seconds, also parts of them, or as a date; 0 if it cannot be read. */
export function askedMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const text = retryAfter.trim()
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text), longestSeconds) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
