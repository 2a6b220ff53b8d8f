/** How long `Retry-After` asks us to wait, given in seconds or as a date; 0 if it cannot be read. */
export function askedMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const text = retryAfter.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
