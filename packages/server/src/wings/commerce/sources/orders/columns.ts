import { isAbsent } from '../../../measuring/orders/index.ts'
import { hasSeveral, itemFields, spelled } from '../../feeds/index.ts'

/** The fields of an order in a file. */
export const orderFields = [
  ...(['orderId', 'placedAt', 'unit', 'currency', 'total', 'tax', 'shipping', 'discount'] as const),
  ...(['status', 'refundedAmount'] as const),
] as const

/** The fields of a line of an order. In CSV they stand beside those of the order. */
export const lineFields = ['itemId', 'quantity', 'price', 'cost', 'refundedQuantity'] as const

type OrderField = (typeof orderFields)[number]
type LineField = (typeof lineFields)[number]

/** Whether a mapping can name it. */
export const isFieldOf = (what: 'ORDER' | 'ITEM', name: string): boolean =>
  [...(what === 'ITEM' ? itemFields : [...orderFields, ...lineFields])].includes(name as never)

/** As our own API calls it. */
const otherNames: Readonly<Record<string, OrderField>> = { refunded: 'refundedAmount' }

/** Our field → the name of a column. It replaces our own name for the field. */
export type OrderMapping = Partial<Record<OrderField | LineField, string>>

/** The fields of a row by our names. Other columns are left out: they can name people. */
export function named<Field extends OrderField | LineField>(
  fields: Readonly<Record<string, unknown>>,
  known: readonly Field[],
  mapping: OrderMapping,
): Partial<Record<Field, unknown>> {
  const names = new Map(known.map((field) => [spelled(mapping[field] ?? field), field]))
  for (const [name, field] of Object.entries(otherNames) as [string, Field][])
    if (known.includes(field) && mapping[field] === undefined) names.set(name, field)
  const found: Partial<Record<Field, unknown>> = {}
  for (const [name, value] of Object.entries(fields)) {
    const field = names.get(spelled(name))
    if (field === undefined) continue
    // A name that comes twice has a list, also in two spellings. Which value is meant, nobody knows.
    const values = [found[field], value].flat().filter((each) => !isAbsent(each))
    found[field] = hasSeveral(values) ? values : values[0]
  }
  return found
}
