import { useMemo, useState } from 'react'
import { latestAnswerBy } from '../api/own-requests.ts'
import { admitted, held } from '../ui/table/held.ts'

export interface HeldQuery {
  isFetching: boolean
  isFetchedAfterMount: boolean
  dataUpdatedAt: number
}

interface HeldRowsOptions<Row> {
  query: HeldQuery
  /** The rows as they were read, by page. A list that is read at once has one. */
  pages: readonly (readonly Row[])[]
  /** Must be the same function each time. */
  keyOf: (row: Row) => string
  /** What the person looks for. When it changes, the rows are in order again. */
  subject?: string
}

/**
 * Holds a list while others edit it: every row stays in its place, and new ones wait until the person asks for them with
 * `show`. What the person does is shown at once: the rows of a further page, and what is new after a write of this tab.
 */
export function useHeldRows<Row>({ query, pages, keyOf, subject = '' }: HeldRowsOptions<Row>) {
  // A list of one page stays the same array, so that it is put in order once.
  const rows = pages.length === 1 ? pages[0]! : pages.flat()
  const keys = rows.map(keyOf)
  const now = {
    subject,
    readAt: query.dataUpdatedAt,
    writtenAt: latestAnswerBy(query.dataUpdatedAt),
    pages: pages.length,
    known: keys,
  }
  // The first rows can be from an earlier visit of the page.
  const isRead = query.isFetchedAfterMount || !query.isFetching
  const [state, setState] = useState({ ...now, isRead, order: keys })
  const order = () => {
    if (now.subject !== state.subject || !state.isRead) return keys
    const isPage = pages.length > state.pages
    if (!isPage && now.writtenAt === state.writtenAt) return state.order
    // What waits already goes on waiting.
    const known = new Set(state.known)
    const added = isPage ? pages.slice(state.pages).flat().map(keyOf) : keys.filter((key) => !known.has(key))
    return admitted(state.order, keys, new Set(added))
  }
  const isOther = now.subject !== state.subject || now.readAt !== state.readAt || now.pages !== state.pages
  if (isOther || (isRead && !state.isRead)) setState({ ...now, isRead: isRead || state.isRead, order: order() })
  const { shown, waiting } = useMemo(() => held(rows, state.order, keyOf), [rows, state.order, keyOf])
  return { rows: shown, waiting: waiting.length, show: () => setState({ ...now, isRead: true, order: keys }) }
}

/** The `keyOf` of most lists. */
export const idOf = ({ id }: { id: string }): string => id
