import type { Data } from '@svc/client'
import { sizeText } from '../../../ui/words/file-size.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'

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

/** The result of a job that brings items. */
export interface SyncResult {
  changed: boolean
  rows: number
  rowsSkipped: number
  skipped: Record<string, number>
  warnings: Record<string, number>
  catalog: { revision: number; added: number; changed: number; removed: number; unchanged: number }
  guards?: Guard[]
}

/** What a job has done with items; undefined for other jobs, and before it has read the file. */
export function syncIn({ kind, result }: Pick<Job, 'kind' | 'result'>): SyncResult | undefined {
  return syncKinds.includes(kind) && result !== null && 'catalog' in result
    ? (result as unknown as SyncResult)
    : undefined
}

/** "12 items added, 3 changed, 1 removed and 605 unchanged." */
export function syncInWords(sync: SyncResult, status: Job['status']): string {
  const { catalog, changed, rows } = sync
  if (status === 'HELD') return 'Nothing went live.'
  if (!changed && rows === 0)
    return `The file is the one of the last sync: ${counted(catalog.unchanged, 'item')}, no change.`
  if (!changed) return `Nothing has changed: ${counted(catalog.unchanged, 'item')} as before.`
  const { added, changed: edited, removed, unchanged } = catalog
  const parts = [
    [added, 'added'],
    [edited, 'changed'],
    [removed, 'removed'],
    [unchanged, 'unchanged'],
  ] as const
  const [first, ...others] = parts.filter(([count]) => count > 0)
  if (!first) return 'No item has changed.'
  const rest = others.map(([count, words]) => `${count.toLocaleString('en')} ${words}`)
  return `${allOf([`${counted(first[0], 'item')} ${first[1]}`, ...rest])}.`
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
  not_eligible: 'not meant to be found',
}

export const problemInWords = (code: string): string => problems[code] ?? code.replaceAll('_', ' ')

/** By code, the most frequent first. */
export const byCode = (counts: Record<string, number>): { code: string; count: number }[] =>
  Object.entries(counts)
    .map(([code, count]) => ({ code, count }))
    .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1))

const ofWhat: Record<string, string> = {
  REMOVED_SHARE: 'items would be removed',
  SKIPPED_SHARE: 'rows would be skipped',
  PRICE_SHIFT_SHARE: 'items would get a price above double, below half or in a different currency',
}

/** A broken limit with both numbers: "11,104 of 18,204 items would be removed: 61 %, and the limit is 20 %." */
export function guardInWords({ check, value, limit, count, of }: Guard): string {
  if (check === 'MIN_ITEMS')
    return `The file has ${counted(value, 'item')}, and there must be at least ${limit.toLocaleString('en')}.`
  const what = ofWhat[check] ?? 'rows are affected'
  return `${count.toLocaleString('en')} of ${of.toLocaleString('en')} ${what}: ${percentAbove(value, limit)}, and the limit is ${percent(limit, 2)}.`
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

const percent = (share: number, digits: number): string => `${Number((share * 100).toFixed(digits))} %`

/** A share above a limit also reads as above it. */
function percentAbove(share: number, limit: number): string {
  for (let digits = 0; digits < 4; digits += 1)
    if (Number((share * 100).toFixed(digits)) > limit * 100) return percent(share, digits)
  return `more than ${percent(limit, 2)}`
}

/** The steps of a sync, with how far it is. */
export const syncSteps: Record<string, (done: number) => string> = {
  FETCH: (done) => `Fetching the file, ${sizeText(done)} so far`,
  READ: (done) => `Reading, ${counted(done, 'row')} so far`,
  CHECK: (done) => `Looking for removed items, ${done.toLocaleString('en')} so far`,
  REMOVE: (done) => `Removing items, ${done.toLocaleString('en')} so far`,
}
