import type { EventName } from '../../../catalogue/events.ts'
import type { Turn } from '../destinations/index.ts'
import type { ClaimedDelivery } from './delivery.ts'

/** The turn of a destination with the deliveries that it sends: one or several. */
export interface Batch extends Turn {
  deliveries: BatchedDelivery[]
  claimedAt: Date
}

export interface BatchedDelivery extends ClaimedDelivery {
  deliveryId: string
  eventType: EventName
  body: string
}

/** How many deliveries a destination gets in one message. */
export const foldedMax = 50
/** Up to this number, deliveries come one by one. */
const apartMax = 3

/** `isHeldBack`: it waited for a digest or the end of quiet hours. */
interface Due {
  isSafety: boolean
  isHeldBack: boolean
}

/**
 * What one attempt takes of the deliveries that wait, in their order. Deliveries that were held back become one
 * message.
 */
export function batchOf<D extends Due>(due: readonly D[], folds: boolean): D[] {
  const waiting = due.filter(({ isSafety }) => !isSafety)
  const isMany = waiting.length > apartMax || waiting.some(({ isHeldBack }) => isHeldBack)
  return folds && waiting.length === due.length && isMany ? waiting : due.slice(0, 1)
}
