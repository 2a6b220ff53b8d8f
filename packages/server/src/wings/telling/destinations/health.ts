export const failuresUntilDisabled = 5

/** The fields of a destination that deliveries change. They are not part of its content. */
export interface DestinationHealth {
  enabled: boolean
  consecutiveFailures: number
}

/** How a delivery ended. */
export type Outcome = 'DELIVERED' | 'FAILED'

/** Consecutive failures disable a destination, and a success resets the count. */
export function healthAfter(health: DestinationHealth, outcomes: readonly Outcome[]): DestinationHealth {
  let { enabled, consecutiveFailures } = health
  for (const outcome of outcomes) {
    consecutiveFailures = outcome === 'DELIVERED' ? 0 : consecutiveFailures + 1
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
