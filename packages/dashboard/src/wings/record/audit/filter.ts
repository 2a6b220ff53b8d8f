import type { operations } from '@svc/client'
import type { Chosen } from '../../../ui/table/filters.ts'

type Query = NonNullable<operations['listAuditEntries']['parameters']['query']>

const fields = ['q', 'from', 'to', 'actor', 'action', 'objectType', 'objectId', 'projectId'] as const

/** The filter in the address: `from` and `to` are days in the reader's time zone, both included. */
export type AuditSearch = { [Field in (typeof fields)[number]]?: string }

const chips = ['actor', 'action', 'objectType', 'projectId', 'objectId'] as const

/** The filters that are chips. Each has one value at most, because the API takes one. */
export const chosenIn = (search: AuditSearch): Chosen =>
  Object.fromEntries(chips.flatMap((field) => (search[field] ? [[field, [search[field]]]] : [])))

/** The address with these chips. Search and days stay. */
export const withChosen = ({ q, from, to }: AuditSearch, chosen: Chosen): AuditSearch =>
  auditSearch({ q, from, to, ...Object.fromEntries(chips.map((field) => [field, chosen[field]?.[0]])) })

/** The valid filters of an address; everything else is dropped. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const given = fields.flatMap((field) => {
    const value = search[field]
    return typeof value === 'string' && value.trim() !== '' ? [[field, value.trim()]] : []
  })
  const found: AuditSearch = Object.fromEntries(given)
  for (const end of ['from', 'to'] as const) if (!dayIn(found[end])) delete found[end]
  return found
}

/** The filter as the query of an API call. */
export function auditQuery({ from, to, ...others }: AuditSearch): Omit<Query, 'limit' | 'cursor'> {
  const [first, last] = [dayIn(from), dayIn(to)]
  return {
    ...(first && { from: first.toISOString() }),
    ...(last && { to: new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).toISOString() }),
    ...(others as Omit<Query, 'from' | 'to'>),
  }
}

/** The start of a calendar day in the reader's time zone. */
function dayIn(text: string | undefined): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? []
  if (!year) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  return date.getMonth() === Number(month) - 1 ? date : undefined
}
