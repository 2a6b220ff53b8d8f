import { type DeliveryStatus, endedFailed } from './delivery.ts'

/** Retried deliveries of a destination are counted no further. */
export const retryingCountedMax = 100

export const failuresUntilDisabled = 5

/** The fields of a destination that deliveries change. They are not part of its content. */
export interface DestinationHealth {
  enabled: boolean
  consecutiveFailures: number
}

export interface Settled {
  status: DeliveryStatus
  isTest: boolean
}

/** Consecutive failures disable a destination, and a success resets the count. Test pings do neither. */
export function healthAfter(health: DestinationHealth, settled: readonly Settled[]): DestinationHealth {
  let { enabled, consecutiveFailures } = health
  for (const { status, isTest } of settled) {
    if (isTest) continue
    if (status === 'DELIVERED') consecutiveFailures = 0
    else if (endedFailed(status)) consecutiveFailures += 1
    if (consecutiveFailures >= failuresUntilDisabled) enabled = false
  }
  return { enabled, consecutiveFailures }
}

export const disableReason = `${failuresUntilDisabled} consecutive deliveries failed.`

export interface Toggle {
  enabled: boolean
  disabledAt: Date | null
  disableReason: string | null
  consecutiveFailures: number
}

/** Disabling by hand stores the time. Enabling clears the reason and the count. */
export function toggled(current: Toggle, enabled: boolean, now: Date): Toggle {
  if (enabled === current.enabled) return current
  return enabled
    ? { enabled, disabledAt: null, disableReason: null, consecutiveFailures: 0 }
    : { ...current, enabled, disabledAt: now, disableReason: null }
}
