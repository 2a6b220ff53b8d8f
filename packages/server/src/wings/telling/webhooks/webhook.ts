import { type DeliveryStatus, endedFailed } from './delivery.ts'

export const maxWebhooksPerOrganization = 100
export const failuresUntilDisabled = 5

/** What deliveries move on a webhook: never its content. */
export interface WebhookHealth {
  enabled: boolean
  consecutiveFailures: number
}

export interface Settled {
  status: DeliveryStatus
  isTest: boolean
}

/** Failures in a row disable, one success starts over; pings neither count nor reset. */
export function healthAfter(health: WebhookHealth, settled: readonly Settled[]): WebhookHealth {
  let { enabled, consecutiveFailures } = health
  for (const { status, isTest } of settled) {
    if (isTest) continue
    if (status === 'DELIVERED') consecutiveFailures = 0
    else if (endedFailed(status)) consecutiveFailures += 1
    if (consecutiveFailures >= failuresUntilDisabled) enabled = false
  }
  return { enabled, consecutiveFailures }
}

export const disableReason = `${failuresUntilDisabled} deliveries in a row failed.`

export interface Toggle {
  enabled: boolean
  disabledAt: Date | null
  disableReason: string | null
  consecutiveFailures: number
}

/** Disabling by hand notes the time; enabling forgets the reason and the count. */
export function toggled(current: Toggle, enabled: boolean, now: Date): Toggle {
  if (enabled === current.enabled) return current
  return enabled
    ? { enabled, disabledAt: null, disableReason: null, consecutiveFailures: 0 }
    : { ...current, enabled, disabledAt: now, disableReason: null }
}
