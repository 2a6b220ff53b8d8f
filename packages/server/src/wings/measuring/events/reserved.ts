/**
 * Keys of the events that orders give: how often and how much. Metrics name them as they name keys of tracked events, and
 * no tracked event can have them.
 */
export const orderKeys = ['order', 'order.margin', 'order.items', 'order.refund']

export const isReserved = (eventKey: string): boolean => orderKeys.includes(eventKey)
