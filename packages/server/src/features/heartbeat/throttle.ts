const minIntervalMs = 10_000
const maxRemembered = 10_000

/** Lets each key through once per interval, so that a chatty client costs memory rather than writes. */
export function throttle(now: () => Date): (key: string) => boolean {
  const lastByKey = new Map<string, number>()
  return (key) => {
    const at = now().getTime()
    if (at - (lastByKey.get(key) ?? -minIntervalMs) < minIntervalMs) return false
    lastByKey.delete(key)
    lastByKey.set(key, at)
    const [oldest] = lastByKey.keys()
    if (lastByKey.size > maxRemembered && oldest !== undefined) lastByKey.delete(oldest)
    return true
  }
}
