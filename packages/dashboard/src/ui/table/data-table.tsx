import { type ReactNode, useEffect, useRef } from 'react'
import classes from './data-table.module.css'
import { useScrolling } from './scrolling.ts'

export interface Column<Row> {
  /** Heading of the column; in narrow windows it is beside each value. */
  title: string
  cell: (row: Row) => ReactNode
  /** A column of buttons. Only screen readers get its title. */
  isActions?: true
}

export interface DataTableProps<Row> {
  /** What the rows are. Only for screen readers. */
  caption: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  /** The key of the row that the address names: it is marked and scrolled to. */
  chosen?: string | undefined
}

/** A table; under 640 px each row becomes a card. The roles are explicit because `display: block` removes them. */
export function DataTable<Row>({ caption, rows, keyOf, columns, chosen }: DataTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const scrolling = useScrolling(frame, caption)
  const isThere = chosen !== undefined && rows.some((row) => keyOf(row) === chosen)
  useEffect(() => {
    if (isThere) frame.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }, [isThere])
  return (
    <div className={classes.frame} ref={frame} {...scrolling}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: explicit because of `display: block` */}
      <table className={classes.table} role="table">
        <caption className={classes.caption}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, isActions }) => (
              <th key={title} role="columnheader" scope="col">
                {isActions ? <span className={classes.caption}>{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" aria-current={keyOf(row) === chosen || undefined}>
              {columns.map(({ title, cell, isActions }, index) => {
                const Cell = index === 0 ? 'th' : 'td'
                return (
                  <Cell
                    key={title}
                    role={index === 0 ? 'rowheader' : 'cell'}
                    scope={index === 0 ? 'row' : undefined}
                    data-title={title}
                    data-actions={isActions}
                  >
                    {cell(row)}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
    </div>
  )
}
