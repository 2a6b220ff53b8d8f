/** What a worker knows of the endpoints that it is sending to: pure bookkeeping, one instance per worker. */
export interface Sending {
  /** How many more each webhook may take where that is fewer than usual. */
  allowances(): Map<string, number>
  started(webhookId: string): void
  /** An endpoint that failed is probed with one attempt at a time until one succeeds. */
  ended(webhookId: string, delivered: boolean): void
  inFlight(): number
}

const maxPerWebhook = 8
const probes = 1
const maxRemembered = 10_000

export function sending(): Sending & { perWebhook: number } {
  const underWay = new Map<string, number>()
  const failing = new Set<string>()
  let total = 0
  const count = (webhookId: string) => underWay.get(webhookId) ?? 0
  return {
    perWebhook: maxPerWebhook,
    allowances() {
      const allowed = new Map<string, number>()
      for (const webhookId of new Set([...underWay.keys(), ...failing])) {
        const most = failing.has(webhookId) ? probes : maxPerWebhook
        allowed.set(webhookId, Math.max(0, most - count(webhookId)))
      }
      return allowed
    },
    started(webhookId) {
      total += 1
      underWay.set(webhookId, count(webhookId) + 1)
    },
    ended(webhookId, delivered) {
      total -= 1
      if (count(webhookId) > 1) underWay.set(webhookId, count(webhookId) - 1)
      else underWay.delete(webhookId)
      if (delivered) failing.delete(webhookId)
      else if (failing.size < maxRemembered) failing.add(webhookId)
    },
    inFlight: () => total,
  }
}
