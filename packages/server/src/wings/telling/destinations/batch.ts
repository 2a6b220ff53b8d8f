import type { EventName } from '../../../catalogue/events.ts'
import type { ClaimedDelivery } from './delivery.ts'
import type { Template } from './template.ts'

/** One or several deliveries to a destination that has only one attempt under way at a time. */
export interface Batch {
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
  deliveries: BatchedDelivery[]
  claimedAt: Date
  leaseUntil: Date
}

export interface BatchedDelivery extends ClaimedDelivery {
  deliveryId: string
  eventType: EventName
  body: string
}

/** How many deliveries a destination gets in one message. */
export const foldedMax = 50
/** So many still come one by one. */
const apartMax = 3

/** `isHeldBack`: it waited for a digest or the end of quiet hours. */
interface Due {
  isSafety: boolean
  isHeldBack: boolean
}

/** What one attempt takes of the deliveries that wait, in their order. What was held back is told together. */
export function batchOf<D extends Due>(due: readonly D[], folds: boolean): D[] {
  const waiting = due.filter(({ isSafety }) => !isSafety)
  const isMany = waiting.length > apartMax || waiting.some(({ isHeldBack }) => isHeldBack)
  return folds && waiting.length === due.length && isMany ? waiting : due.slice(0, 1)
}
