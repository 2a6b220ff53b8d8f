import type { Data } from '@svc/client'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'

type Job = Data<'/api/v1/projects/{projectId}/commerce/jobs/{jobId}', 'get'>

/** The kinds of jobs that bring items, with what they report. */
const syncKinds = ['feed_sync', 'catalog_import', 'cost_sync', 'stock_sync']

export interface Guard {
  check: string
  /** A share, or of `MIN_ITEMS` a number of items. */
  value: number
  limit: number
  count: number
  of: number
}

/** The result of a job that reads a file. */
interface FileResult {
  changed: boolean
  rows: number
  rowsSkipped: number
  skipped: Record<string, number>
  warnings: Record<string, number>
  guards?: Guard[]
}

/** The same of one that brings items. */
export interface SyncResult extends FileResult {
  catalog: { revision: number; added: number; changed: number; removed: number; unchanged: number }
}

/** The same of one that brings orders. */
export interface OrdersResult extends FileResult {
  orders: { added: number; changed: number; unchanged: number }
}

/** What a job has done with items; undefined for other jobs, and before it has read the file. */
export function syncIn({ kind, result }: Pick<Job, 'kind' | 'result'>): SyncResult | undefined {
  return syncKinds.includes(kind) && result !== null && 'catalog' in result
    ? (result as unknown as SyncResult)
    : undefined
}

/** What a job has done with orders; undefined for other jobs, and before it has read the file. */
export function ordersIn({ kind, result }: Pick<Job, 'kind' | 'result'>): OrdersResult | undefined {
  return kind === 'order_import' && result !== null && 'orders' in result
    ? (result as unknown as OrdersResult)
    : undefined
}

/** "120 orders added, 3 changed and 40 unchanged." */
export function ordersInWords({ orders, changed, rows }: OrdersResult, status: Job['status']): string {
  if (status === 'HELD') return 'No order was stored.'
  if (!changed && rows === 0) return 'The file is the one of the last import, so no order has changed.'
  if (!changed) return `Nothing has changed: ${counted(orders.unchanged, 'order')} as before.`
  return countsInWords('order', [
    [orders.added, 'added'],
    [orders.changed, 'changed'],
    [orders.unchanged, 'unchanged'],
  ])
}

/** "12 items added, 3 changed, 1 removed and 605 unchanged." */
export function syncInWords(sync: SyncResult, status: Job['status']): string {
  const { catalog, changed, rows } = sync
  if (status === 'HELD') return 'Nothing went live.'
  if (!changed && rows === 0)
    return `The file is the one of the last sync: ${counted(catalog.unchanged, 'item')}, no change.`
  if (!changed) return `Nothing has changed: ${counted(catalog.unchanged, 'item')} as before.`
  const { added, changed: edited, removed, unchanged } = catalog
  return countsInWords('item', [
    [added, 'added'],
    [edited, 'changed'],
    [removed, 'removed'],
    [unchanged, 'unchanged'],
  ])
}

function countsInWords(noun: string, parts: readonly (readonly [number, string])[]): string {
  const [first, ...others] = parts.filter(([count]) => count > 0)
  if (!first) return `No ${noun} has changed.`
  const rest = others.map(([count, words]) => `${count.toLocaleString('en')} ${words}`)
  return `${allOf([`${counted(first[0], noun)} ${first[1]}`, ...rest])}.`
}

/** What a file has done, figure by figure. */
export function figuresOf(result: SyncResult | OrdersResult, isHeld: boolean): (readonly [string, number])[] {
  const skipped = ['Rows skipped', result.rowsSkipped] as const
  const { added, changed, unchanged } = 'orders' in result ? result.orders : result.catalog
  const first = [['Added', added] as const, ['Changed', changed] as const]
  const last = [['Unchanged', unchanged] as const, skipped]
  if ('orders' in result) return isHeld ? [skipped] : [...first, ...last]
  // The items that a held file does not have are counted only if they are why it is held.
  const removal = (result.guards ?? []).filter(({ check }) => check === 'REMOVED_SHARE')
  const removed = isHeld
    ? removal.map(({ count }) => ['Removed', count] as const)
    : [['Removed', result.catalog.removed] as const]
  return [...first, ...removed, ...last]
}

/** Why rows are skipped, or taken in part, by code. A code of a later version is shown as it is. */
const problems: Record<string, string> = {
  malformed_row: 'cannot be read',
  missing_id: 'no id',
  missing_title: 'no title',
  bad_url: 'no link, or one that is no address',
  bad_price: 'no price, or one that is no amount',
  unknown_currency: 'no currency that is known',
  duplicate_id: 'an id that an earlier row has',
  owned_by_other_source: 'an item that another source brought first',
  unknown_item: 'an item that the catalog does not have',
  too_many_items: 'a SKU or GTIN of more than 100 items',
  in_future: 'a time in the future',
  bad_time: 'no time, or one that cannot be read',
  bad_unit: 'a visitor whose id is too long',
  bad_amount: 'an amount that cannot be read, or that does not fit the others',
  bad_status: 'a status that is not known',
  bad_item: 'a line without an id or a quantity, or the like',
  not_eligible: 'not meant to be found',
}

export const problemInWords = (code: string): string => problems[code] ?? code.replaceAll('_', ' ')

/** By code, the most frequent first. */
export const byCode = (counts: Record<string, number>): { code: string; count: number }[] =>
  Object.entries(counts)
    .map(([code, count]) => ({ code, count }))
    .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1))

const ofWhat: Record<string, readonly [noun: string, what: string]> = {
  REMOVED_SHARE: ['item', 'would be removed'],
  SKIPPED_SHARE: ['row', 'would be skipped'],
  PRICE_SHIFT_SHARE: ['item', 'would get a price above double, below half or in a different currency'],
}

/** A broken limit with both numbers: "11,104 of 18,204 items would be removed: 61 %, and the limit is 20 %." */
export function guardInWords({ check, value, limit, count, of }: Guard): string {
  if (check === 'MIN_ITEMS')
    return `The file has ${counted(value, 'item')}, and there must be at least ${limit.toLocaleString('en')}.`
  const [noun, what] = ofWhat[check] ?? ['row', 'would be affected']
  return `${count.toLocaleString('en')} of ${counted(of, noun)} ${what}: ${percentAbove(value, limit)}, and the limit is ${rounded(limit, 2)}.`
}

/** What a person accepts who applies a held sync: it can do so much, and no more. */
export function acceptedInWords(guards: readonly Guard[]): string[] {
  return guards.map(({ check, count }) => {
    if (check === 'REMOVED_SHARE') return `remove up to ${counted(count, 'item')}`
    if (check === 'SKIPPED_SHARE') return `skip up to ${counted(count, 'row')}`
    if (check === 'PRICE_SHIFT_SHARE') return `move up to ${counted(count, 'price')} so far`
    return `go live with ${counted(count, 'item')} or more`
  })
}

const rounded = (share: number, digits: number): string => percent(Number((share * 100).toFixed(digits)))

/** A share above a limit also reads as above it. */
function percentAbove(share: number, limit: number): string {
  for (let digits = 0; digits < 4; digits += 1)
    if (Number((share * 100).toFixed(digits)) > limit * 100) return rounded(share, digits)
  return `more than ${rounded(limit, 2)}`
}
