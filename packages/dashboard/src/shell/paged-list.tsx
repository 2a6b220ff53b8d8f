import { Button } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { EmptyState } from '../ui/layout/empty-state.tsx'
import { Loaded, type Query } from '../ui/layout/loaded.tsx'
import { Skeletons } from '../ui/layout/skeletons.tsx'
import { MoreButton, type Paged } from '../ui/table/more-button.tsx'
import { WaitingRows } from '../ui/table/waiting-rows.tsx'
import { type HeldQuery, idOf, useHeldRows } from './held-rows.ts'

interface PagedListProps<Row> {
  /** From `server.useInfiniteQuery` with `byCursor`. The service searches: the query has the filters of the address. */
  query: Query<{ pages: { data: Row[] }[] }> & HeldQuery & Paged
  /** "webhook" */
  noun: string
  /** Where it is not the noun with an s: "deliveries". */
  nouns?: string
  Icon: TablerIcon
  /** What is shown while there is none: what will be here, and what creates one. */
  empty: { title: string; words: ReactNode; action?: ReactNode }
  /** For a list that people can filter. */
  filter?: {
    /** What is looked for, as a text. The rows are in order again when it changes. */
    subject: string
    isFiltered: boolean
    onClear: () => void
    /** Why nothing is shown: "No entry matches all filters." */
    nothing: ReactNode
  }
  /** Must be the same function each time. Default: the id. */
  keyOf?: (row: Row) => string
  /** The layout of the rows while they load. */
  like?: 'table' | 'cards'
  lines?: number
  children: (rows: Row[]) => ReactNode
}

/**
 * A list that is read page by page. The rows stay where they are: new ones wait until the person asks for them, and more
 * are read with a button.
 */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { query, noun, Icon, empty, filter, like, lines } = props
  return (
    <Loaded query={query} {...(like && { like })} {...(lines && { lines })}>
      {({ pages }) => {
        if (pages.some(({ data }) => data.length > 0)) return <Rows {...props} pages={pages.map(({ data }) => data)} />
        if (query.hasNextPage) return <LookOn query={query} like={like ?? 'table'} />
        return filter?.isFiltered ? (
          <EmptyState
            icon={<Icon size={36} />}
            title={`No ${noun} matches`}
            action={
              <Button variant="default" onClick={filter.onClear}>
                Clear filters
              </Button>
            }
          >
            {filter.nothing}
          </EmptyState>
        ) : (
          <EmptyState icon={<Icon size={36} />} title={empty.title} action={empty.action}>
            {empty.words}
          </EmptyState>
        )
      }}
    </Loaded>
  )
}

/** A service that looks through many rows can answer a page with none of them, although others follow. */
function LookOn({ query, like }: { query: Paged & { error: unknown }; like: 'table' | 'cards' }) {
  const { fetchNextPage, isFetchingNextPage, error } = query
  const isWanted = !isFetchingNextPage && !error
  useEffect(() => {
    if (isWanted) void fetchNextPage()
  }, [isWanted, fetchNextPage])
  return error ? <MoreButton query={query} /> : <Skeletons like={like} count={3} />
}

function Rows<Row>(props: PagedListProps<Row> & { pages: readonly (readonly Row[])[] }) {
  const { query, pages, noun, nouns, filter, keyOf = idOf as unknown as (row: Row) => string, children } = props
  const { subject = '', isFiltered = false } = filter ?? {}
  const { rows, waiting, show } = useHeldRows({ query, pages, keyOf, subject })
  return (
    <>
      <WaitingRows count={waiting} noun={noun} {...(nouns && { nouns })} isFiltered={isFiltered} onShow={show} />
      {children(rows)}
      <MoreButton query={query} />
    </>
  )
}
