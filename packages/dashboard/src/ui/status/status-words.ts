export type Tone = 'good' | 'note' | 'unpublished' | 'warning' | 'bad'

export interface Status {
  tone: Tone
  words: string
}

/**
 * What people read for each state, by the value of the API. `DRAFT` of a flag is "Not started", because "draft" means
 * unpublished here. States with a figure or a time ("3 failures in a row") are composed by their pages.
 */
const table = {
  flag: {
    DRAFT: ['note', 'Not started'],
    RUNNING: ['good', 'Running'],
    PAUSED: ['note', 'Paused'],
    ARCHIVED: ['note', 'Archived'],
    STALE: ['warning', 'Stale'],
  },
  /** A rule serves only if its switch is on and its flag runs. */
  rule: {
    DRAFT: ['note', 'Not started'],
    RUNNING: ['good', 'Serving'],
    PAUSED: ['note', 'Paused'],
    WAITING: ['warning', 'Flag is paused'],
    COMPLETED: ['note', 'Ended'],
  },
  experiment: {
    DRAFT: ['note', 'Draft'],
    RUNNING: ['good', 'Running'],
    PAUSED: ['note', 'Paused'],
    COMPLETED: ['note', 'Completed'],
    ARCHIVED: ['note', 'Archived'],
  },
  change: {
    NEW: ['unpublished', 'New'],
    EDITED: ['unpublished', 'Edited'],
    MOVED: ['unpublished', 'Moved'],
    DELETED: ['unpublished', 'Deleted'],
  },
  schedule: {
    PENDING: ['note', 'Scheduled'],
    SUSPENDED: ['warning', 'Suspended'],
    DONE: ['note', 'Done'],
    FAILED: ['bad', 'Failed'],
    CANCELLED: ['note', 'Cancelled'],
  },
  environment: {
    CONNECTED: ['good', 'Connected'],
    SILENT: ['warning', 'No heartbeat'],
    NEVER: ['note', 'Never connected'],
    PROTECTED: ['note', 'Protected'],
  },
  client: {
    CURRENT: ['good', 'Up to date'],
    BEHIND: ['warning', 'Behind'],
    SILENT: ['warning', 'No heartbeat'],
    UNTOLD: ['note', 'Unknown'],
  },
  webhook: {
    HEALTHY: ['good', 'Healthy'],
    FAILING: ['warning', 'Failing'],
    DISABLED: ['bad', 'Disabled after failures'],
    OFF: ['note', 'Switched off'],
    HELD: ['warning', 'Held'],
  },
  delivery: {
    PENDING: ['note', 'Waiting'],
    RETRYING: ['warning', 'Next try soon'],
    DELIVERED: ['good', 'Delivered'],
    FAILED: ['bad', 'Failed'],
    PERMANENTLY_FAILED: ['bad', 'Refused for good'],
  },
  token: {
    ACTIVE: ['good', 'Active'],
    EXPIRING: ['warning', 'Expires soon'],
    EXPIRED: ['bad', 'Expired'],
    REVOKED: ['bad', 'Revoked'],
  },
  order: {
    PLACED: ['good', 'Placed'],
    PARTIALLY_REFUNDED: ['note', 'Partly refunded'],
    REFUNDED: ['note', 'Refunded'],
    CANCELLED: ['note', 'Cancelled'],
  },
  job: {
    QUEUED: ['note', 'Queued'],
    RUNNING: ['note', 'Running'],
    SUCCEEDED: ['good', 'Done'],
    FAILED: ['bad', 'Failed'],
    CANCELLED: ['note', 'Cancelled'],
    HELD: ['warning', 'Held for you'],
    NOT_LIVE: ['note', 'Did not go live'],
  },
  /** A run of a model is a job whose end can serve. */
  run: {
    SERVING: ['good', 'Serves'],
    SUCCEEDED: ['note', 'Done'],
    QUEUED: ['note', 'Queued'],
    RUNNING: ['note', 'Running'],
    FAILED: ['bad', 'Failed'],
    CANCELLED: ['note', 'Cancelled'],
  },
  /** Of a dataset. */
  version: {
    ACTIVE: ['good', 'Active'],
    READY: ['note', 'Ready'],
    HELD: ['warning', 'Held for you'],
  },
  item: {
    IN_STOCK: ['good', 'In stock'],
    OUT_OF_STOCK: ['warning', 'Out of stock'],
    PREORDER: ['note', 'Preorder'],
    BACKORDER: ['note', 'Backorder'],
  },
} as const satisfies Record<string, Record<string, readonly [Tone, string]>>

export type StatusOf = keyof typeof table
export type StatusValue<Of extends StatusOf> = keyof (typeof table)[Of] & string

/** The words and the tone of a state: `statusOf('flag', 'DRAFT')`. */
export function statusOf<Of extends StatusOf>(of: Of, value: StatusValue<Of>): Status {
  const [tone, words] = (table[of] as Record<string, readonly [Tone, string]>)[value]!
  return { tone, words }
}

/** Types of things, which are plain text and never badges. */
export const typeWords: Record<string, string> = {
  TARGETED_DELIVERY: 'Rollout',
  AB_TEST: 'A/B test',
  BOOLEAN: 'Boolean',
  STRING: 'String',
  NUMBER: 'Number',
  JSON: 'JSON',
}
