import { DataTable, type DataTableProps } from '../ui/table/data-table.tsx'
import { MoreButton, type Paged } from '../ui/table/more-button.tsx'
import { WaitingRows } from '../ui/table/waiting-rows.tsx'
import { type HeldQuery, useHeldRows } from './held-rows.ts'

export interface HeldTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  query: HeldQuery & Partial<Paged>
  pages: readonly (readonly Row[])[]
  /** "webhook" */
  noun: string
  /** Where it is not the noun with an s. */
  nouns?: string
  /** What the person looks for: filters. */
  subject?: string
}

/** A table that others can add to while it is read: its rows stay where they are, and new ones wait. */
export function HeldTable<Row>({ query, pages, noun, nouns, subject = '', ...table }: HeldTableProps<Row>) {
  const { rows, waiting, show } = useHeldRows({ query, pages, keyOf: table.keyOf, subject })
  return (
    <>
      <WaitingRows count={waiting} noun={noun} {...(nouns && { nouns })} isFiltered={false} onShow={show} />
      <DataTable {...table} rows={rows} />
      {query.fetchNextPage && <MoreButton query={query as Paged} />}
    </>
  )
}
