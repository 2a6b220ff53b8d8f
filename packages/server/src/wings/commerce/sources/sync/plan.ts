import type { Changes, LiveItem, Version } from '../../../model/catalog/index.ts'
import type { VersionBatch } from '../../feeds/index.ts'
import type { SeenTexts } from './seen.ts'

/** Why a row gives no item, or what of it could not be kept (`isWarning`). */
export interface FoundProblem {
  line: number
  itemId: string | null
  code: string
  message: string
  isWarning: boolean
}

/** What the rows of a batch do to the items that are there. */
export interface RowsPlan {
  /** The ids whose newest versions end, and the versions that begin. */
  closed: string[]
  inserted: Version[]
  /** Every product that can have gained its first item or lost its last. */
  productIds: string[]
  /** Whether one of them can have lost its last item. Otherwise all of them have one afterwards. */
  canLose: boolean
  changes: Changes
  /** Items that the rows have. */
  taken: number
  /** Those of them that the source had before. */
  seen: number
  /** Those of these that are different now. Their prices can have shifted. */
  changedOwn: Version[]
  /** Items of the source of which the rows say that they are gone. */
  removedOwn: number
  /** Rows that are skipped because of other rows and other sources. */
  problems: FoundProblem[]
}

/**
 * Compares rows with the items that are there. The first row of an id counts. An item that nobody owns becomes one of the
 * source; one of a different source stays as it is.
 *
 * @param seen the ids of all rows before; those of the batch are added
 */
export function planRows(
  { items, deleted }: Pick<VersionBatch, 'items' | 'deleted'>,
  live: readonly LiveItem[],
  seen: SeenTexts,
  sourceId: string,
): RowsPlan {
  const there = new Map(live.map((item) => [item.itemId, item]))
  const plan = noRows()
  const products = new Set<string>()
  const skip = (line: number, itemId: string, code: string, message: string) =>
    void plan.problems.push({ line, itemId, code, message, isWarning: false })
  const rows = [...items, ...deleted].toSorted((one, other) => one.line - other.line)
  for (const row of rows) {
    const itemId = 'version' in row ? row.version.itemId : row.itemId
    const held = there.get(itemId)
    const isOwn = held?.sourceId === sourceId
    if (!seen.add(itemId)) skip(row.line, itemId, 'duplicate_id', 'An earlier row has this id.')
    else if (held && held.sourceId !== null && !isOwn)
      skip(row.line, itemId, 'owned_by_other_source', 'Another source brought this item first.')
    else if ('version' in row) take(plan, products, row.version, held, isOwn)
    else if (held) {
      plan.closed.push(itemId)
      products.add(held.productId)
      plan.canLose = true
      plan.changes.removed += 1
      plan.removedOwn += isOwn ? 1 : 0
    }
  }
  return { ...plan, productIds: [...products] }
}

const noRows = (): RowsPlan => ({
  ...{ closed: [], inserted: [], productIds: [], changedOwn: [], problems: [] },
  changes: { added: 0, changed: 0, removed: 0, unchanged: 0 },
  ...{ canLose: false, taken: 0, seen: 0, removedOwn: 0 },
})

function take(plan: RowsPlan, products: Set<string>, item: Version, held: LiveItem | undefined, isOwn: boolean): void {
  plan.taken += 1
  plan.seen += isOwn ? 1 : 0
  if (isOwn && held!.hash === item.hash) {
    plan.changes.unchanged += 1
    return
  }
  plan.inserted.push(item)
  if (held?.productId !== item.productId) products.add(item.productId)
  if (!held) {
    plan.changes.added += 1
    return
  }
  plan.closed.push(item.itemId)
  if (held.productId !== item.productId) {
    products.add(held.productId)
    plan.canLose = true
  }
  plan.changes.changed += 1
  if (isOwn) plan.changedOwn.push(item)
}
