/** How long a `Retry-After` asks us to wait, in seconds or until a date; 0 when it says nothing that can be understood. */
export function askedMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const text = retryAfter.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
