import { isDeepStrictEqual } from 'node:util'
import { type ItemName, type ItemValues, mostOfName, type NamedItem } from '../../../../model/catalog/index.ts'
import type { NamedValues } from '../../../feeds/index.ts'
import type { FoundProblem } from '../plan.ts'
import type { SeenTexts } from '../seen.ts'

/** What the rows of a batch do to what the source says. */
export interface ValuesPlan {
  /** The items of which the source says something else now, or nothing. */
  closed: string[]
  inserted: { itemId: string; fields: ItemValues }[]
  unchanged: number
  /** Items of which rows say something. */
  taken: number
  /** Those of them of which the source has said something before. */
  seen: number
  /** Those of these of which the rows say nothing any more. */
  emptied: number
  /** Rows that are skipped because of other rows or of the catalog. */
  problems: FoundProblem[]
}

export type FoundItems = Readonly<Record<ItemName, ReadonlyMap<string, readonly NamedItem[]>>>

/**
 * Compares rows with what the source has said before. The first row of an item counts. A row of which all fields are
 * empty says nothing about its item.
 *
 * @param ids the items of all rows before; those of the batch are added
 * @param common names that too many items have
 */
export function planValues(
  rows: readonly NamedValues[],
  found: FoundItems,
  live: ReadonlyMap<string, ItemValues>,
  { ids: seen, common }: { ids: SeenTexts; common: Readonly<Record<ItemName, ReadonlySet<string>>> },
): ValuesPlan {
  const plan: ValuesPlan = { closed: [], inserted: [], unchanged: 0, taken: 0, seen: 0, emptied: 0, problems: [] }
  for (const { line, name, key, currency, values } of rows) {
    const skip = (code: string, message: string) =>
      void plan.problems.push({ line, itemId: key, code, message, isWarning: false })
    const items = found[name].get(key) ?? []
    const hasAmount = values.cost !== undefined || values.salePrice !== undefined
    const isForeign = hasAmount && currency !== null && items.some((item) => item.currency !== currency)
    if (common[name].has(key))
      skip('too_many_items', `More than ${mostOfName} items have this ${name}. Name each of them by its itemId.`)
    else if (items.length === 0) skip('unknown_item', `The catalog has no item with this ${name}.`)
    else if (isForeign) {
      skip('bad_price', 'Has another currency than the item.')
      // It says something about the item, even if that cannot be used.
      for (const { itemId } of items) seen.add(itemId)
    } else {
      const fresh = items.filter(({ itemId }) => seen.add(itemId))
      if (fresh.length === 0) skip('duplicate_id', 'An earlier row is about this item.')
      for (const { itemId } of fresh) take(plan, itemId, values, live.get(itemId))
    }
  }
  return plan
}

function take(plan: ValuesPlan, itemId: string, fields: ItemValues, before: ItemValues | undefined): void {
  const isEmpty = Object.keys(fields).length === 0
  plan.taken += 1
  plan.seen += before ? 1 : 0
  if (before ? isDeepStrictEqual(before, fields) : isEmpty) {
    plan.unchanged += 1
    return
  }
  if (before) plan.closed.push(itemId)
  if (!isEmpty) plan.inserted.push({ itemId, fields })
  else plan.emptied += 1
}
