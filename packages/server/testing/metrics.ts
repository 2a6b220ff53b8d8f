/** A metric: the share of visitors with the event of the same key. */
export const proportion = (key: string, more: Record<string, unknown> = {}) => ({
  key,
  name: `Visitors with ${key}`,
  type: 'PROPORTION',
  eventKey: key,
  ...more,
})
