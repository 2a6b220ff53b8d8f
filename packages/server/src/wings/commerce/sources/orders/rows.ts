import { isAbsent, maxOrderItems, type RawFields } from '../../../measuring/orders/index.ts'
import { lineFields, named, type OrderMapping, orderFields } from './columns.ts'

/** What is read of an order before anybody has looked at its values. */
export interface RawOrder {
  /** The line on which it begins. */
  line: number
  fields: RawFields
  items: RawFields[]
  /** Why it cannot be used, whatever its values are. */
  fault: string | null
}

interface Row {
  line: number
  fields: Readonly<Record<string, unknown>>
}

/** An order of a file with an order on each line. */
export function orderOfLine({ line, fields }: Row, mapping: OrderMapping): RawOrder {
  const listed = Object.entries(fields).find(([name]) => name.toLowerCase() === 'items')?.[1]
  const items: unknown[] | null = Array.isArray(listed) ? listed : null
  const isList = items?.every(isRecord) === true
  const order = {
    fields: named(fields, orderFields, mapping),
    items: isList ? items.map((item) => named(item as RawFields, lineFields, mapping)) : [],
  }
  return { line, ...order, fault: isList ? several(order.fields, ...order.items) : 'items must be a list of objects.' }
}

/** Orders of a file with an item on each line. The lines of an order stand together. */
export interface OrderLines {
  take(row: Row): void
  /** A line that cannot be read. The orders around it may not be whole. */
  broken(): void
  /** No line comes any more. */
  end(): void
}

const notWhole = 'A line next to it is broken, so the order may not be whole.'

export function orderLines(mapping: OrderMapping, found: (order: RawOrder) => void): OrderLines {
  let open: RawOrder | undefined
  let isAfterBroken = false

  function close(): void {
    if (open) found(open)
    open = undefined
  }
  return {
    take({ line, fields }) {
      const ofOrder = named(fields, orderFields, mapping)
      const item = named(fields, lineFields, mapping)
      if (open && idOf(open.fields) === idOf(ofOrder)) {
        // One more shows that there are too many. A file can have a gigabyte of lines of one order.
        if (open.items.length <= maxOrderItems) open.items.push(item)
        open.fault ??= differing(open.fields, ofOrder)
        open.fields = { ...present(ofOrder), ...present(open.fields) }
      } else {
        close()
        open = { line, fields: ofOrder, items: [item], fault: null }
      }
      open.fault ??= several(ofOrder, item)
      if (isAfterBroken) open.fault ??= notWhole
      isAfterBroken = false
    },
    broken() {
      if (open) open.fault ??= notWhole
      isAfterBroken = true
    },
    end: close,
  }
}

const idOf = ({ orderId }: RawFields): string => String(orderId).trim()

const present = (fields: RawFields): RawFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isAbsent(value)))

/** Which field has a list, in a sentence. */
function several(...parts: RawFields[]): string | null {
  const [name] = parts.flatMap((fields) => Object.keys(fields).filter((each) => Array.isArray(fields[each])))
  return name === undefined ? null : `${name} must have one value (got several).`
}

/** A line can leave out what another one of the order says. */
function differing(one: RawFields, other: RawFields): string | null {
  const name = Object.keys(present(other)).find(
    (each) => !isAbsent(one[each]) && String(one[each]).trim() !== String(other[each]).trim(),
  )
  return name === undefined ? null : `The lines of an order must have the same ${name}.`
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
