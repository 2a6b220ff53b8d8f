import type { Issue } from '../../../catalogue/refusals.ts'
import {
  type Changes,
  checkItem,
  type ErrorCode,
  type Item,
  idFault,
  itemHash,
  type LiveItem,
  type Problem,
  type WarningCode,
} from '../../model/catalog/index.ts'

/** Items and deletions in one batch, together. */
export const maxBatch = 1000
export const maxShownProblems = 100

export interface SentBatch {
  upsert: readonly Readonly<Record<string, unknown>>[]
  delete: readonly string[]
}

export interface CheckedBatch {
  items: { item: Item; hash: string }[]
  deleted: string[]
  warnings: (Problem<WarningCode> & { itemId: string })[]
}

/** The items of a batch, or everything that is wrong with it. An id can be in it once. */
export function checkBatch(sent: SentBatch, defaultCurrency: string | null): CheckedBatch | { issues: Issue[] } {
  const issues: Issue[] = []
  const [items, warnings]: [CheckedBatch['items'], CheckedBatch['warnings']] = [[], []]
  const seen = new Set<string>()
  const once = (id: string, path: PropertyKey[]) => {
    if (seen.has(id)) issues.push({ path, message: `A batch can have the id ${id} only once.` })
    seen.add(id)
  }
  for (const [index, raw] of sent.upsert.entries()) {
    const checked = checkItem(raw, { defaultCurrency })
    if ('errors' in checked) issues.push(...checked.errors.map((problem) => issueOf(index, problem)))
    else {
      const { item } = checked
      once(item.itemId, ['upsert', index, 'itemId'])
      items.push({ item, hash: itemHash(item) })
      warnings.push(...checked.warnings.map((warning) => ({ itemId: item.itemId, ...warning })))
    }
  }
  const deleted = sent.delete.map((id) => id.trim())
  for (const [index, id] of deleted.entries()) {
    const message = idFault(id)
    if (message) issues.push({ path: ['delete', index], message })
    else once(id, ['delete', index])
  }
  return issues.length > 0 ? { issues } : { items, deleted, warnings }
}

const issueOf = (index: number, { field, message }: Problem<ErrorCode>): Issue => ({
  path: ['upsert', index, ...field.split(/\.(.*)/s).filter((part) => part !== '')],
  message,
})

export interface Plan {
  /** The ids whose newest versions end, and the versions that begin. */
  closed: string[]
  inserted: CheckedBatch['items']
  /** Every product that can have gained its first item or lost its last. */
  productIds: string[]
  changes: Changes
}

/** What a batch does to the items that are there, or what it must not touch: an item of a source belongs to that. */
export function planBatch(
  { items, deleted }: Pick<CheckedBatch, 'items' | 'deleted'>,
  live: readonly LiveItem[],
): Plan | { issues: Issue[] } {
  const there = new Map(live.map((item) => [item.itemId, item]))
  const owned = (id: string) => there.get(id)?.sourceId != null
  const issues = [
    ...items.flatMap(({ item }, index) => (owned(item.itemId) ? [ownedIssue(['upsert', index, 'itemId'])] : [])),
    ...deleted.flatMap((id, index) => (owned(id) ? [ownedIssue(['delete', index])] : [])),
  ]
  if (issues.length > 0) return { issues }
  const inserted = items.filter(({ item, hash }) => there.get(item.itemId)?.hash !== hash)
  const replaced = inserted.flatMap(({ item }) => there.get(item.itemId) ?? [])
  const removed = deleted.flatMap((id) => there.get(id) ?? [])
  const closed = [...replaced, ...removed]
  const products = [...closed.map(({ productId }) => productId), ...inserted.map(({ item }) => item.productId)]
  return {
    ...{ closed: closed.map(({ itemId }) => itemId), inserted, productIds: [...new Set(products)] },
    changes: {
      added: inserted.length - replaced.length,
      changed: replaced.length,
      removed: removed.length,
      unchanged: items.length - inserted.length + deleted.length - removed.length,
    },
  }
}

const ownedIssue = (path: PropertyKey[]): Issue => ({
  path,
  message: 'belongs to an item that a source keeps up to date. Change it in that source.',
})
