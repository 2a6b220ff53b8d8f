import type { Template } from './template.ts'

/** A destination that has only one attempt under way at a time, and whose turn it is. */
export interface Turn {
  destinationId: string
  orgId: string
  /** Whose own mail it is; null for a destination of the project. */
  userId: string | null
  kind: string
  config: Record<string, unknown>
  template: Template | null
  secretId: string
  sealedSecret: Buffer
  /** How often in a row the vendor has asked to wait, and since when. */
  holds: number
  holdingSince: Date | null
  leaseUntil: Date
}

/** Until when a destination waits after an attempt. */
export interface Rest {
  busyUntil: Date
  /** Set if the vendor asked to wait. */
  hold: { until: Date; since: Date; holds: number } | null
}
