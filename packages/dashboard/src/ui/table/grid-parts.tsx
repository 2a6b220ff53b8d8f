import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { MouseEvent, ReactNode, Ref } from 'react'
import classes from './virtual-table.module.css'

export interface GridColumn<Row> {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** A track of a CSS grid: "minmax(12rem, 2fr)", "8rem". Widths must not depend on the rows. */
  width: string
  /** Figures: at the end of the cell, with digits of equal width. */
  isNumeric?: true
  /** The title sorts by this column. */
  sorts?: true
  /** Left out in windows of less than 900 px. */
  isWide?: true
  /** In cards it is in the corner, without its title. */
  isInCorner?: true
  /** Left out in cards. A card has room for about three facts. */
  isNotInCards?: true
}

export interface Sort {
  by: string
  isDescending: boolean
  onSort: (by: string) => void
}

/* biome-ignore-start lint/a11y: a table whose rows are placed by hand needs explicit roles */

interface HeadingProps<Row> {
  columns: readonly GridColumn<Row>[]
  sort: Sort | undefined
  /** The box for all rows. */
  all: { isSelected: boolean; isPartly: boolean; onSelect: (isSelected: boolean) => void } | undefined
}

export function Heading<Row>({ columns, sort, all }: HeadingProps<Row>) {
  return (
    <div role="rowgroup">
      <div className={classes.heading} role="row" aria-rowindex={1}>
        {all && (
          <div role="columnheader">
            <label className={classes.check}>
              <input
                type="checkbox"
                aria-label="Select all"
                checked={all.isSelected}
                ref={(box) => {
                  if (box) box.indeterminate = all.isPartly
                }}
                onChange={() => all.onSelect(!all.isSelected)}
              />
            </label>
          </div>
        )}
        {columns.map(({ key, title, sorts, isNumeric }) => (
          <div
            key={key}
            role="columnheader"
            className={classes.cell}
            data-numeric={isNumeric}
            aria-sort={sort?.by === key ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
          >
            {sorts && sort ? (
              <button type="button" className={classes.sort} onClick={() => sort.onSort(key)}>
                {title}
                {sort.by === key && <SortArrow isDescending={sort.isDescending} />}
              </button>
            ) : (
              title
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

function SortArrow({ isDescending }: { isDescending: boolean }) {
  return isDescending ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />
}

interface GridRowProps<Row> {
  row: Row
  /** Its place among all rows. */
  at: number
  /** Where it is, for rows that are placed by hand. */
  top: number | undefined
  columns: readonly GridColumn<Row>[]
  lines: 1 | 2
  isActive: boolean
  measure: Ref<HTMLDivElement> | undefined
  check: CheckProps | undefined
}

export function GridRow<Row>({ row, at, top, columns, lines, isActive, measure, check }: GridRowProps<Row>) {
  return (
    <div
      role="row"
      className={classes.row}
      data-at={at}
      data-index={at}
      data-first={at === 0 || undefined}
      ref={measure}
      style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={at + 2}
      aria-selected={check?.isSelected}
    >
      {check && <Check {...check} />}
      {columns.map(({ key, title, cell, isNumeric, isInCorner }, index) => (
        <div
          key={key}
          role={index === 0 ? 'rowheader' : 'gridcell'}
          className={classes.cell}
          data-numeric={isNumeric}
          data-wraps={index === 0 && lines > 1 ? true : undefined}
          data-fact={(index > 0 && !isInCorner) || undefined}
          data-corner={isInCorner}
        >
          {index > 0 && (
            <span className={classes.title} aria-hidden>
              {title}
            </span>
          )}
          {cell(row)}
        </div>
      ))}
    </div>
  )
}

interface CheckProps {
  name: string
  isSelected: boolean
  /** A range that is extended next begins here. */
  onBegin: () => void
  onSelect: (extend: boolean) => void
}

const Check = ({ name, isSelected, onBegin, onSelect }: CheckProps) => (
  <div role="gridcell" className={classes.cell} data-check data-wraps>
    <label className={classes.check}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={isSelected}
        onClick={(event: MouseEvent) => {
          if (!event.shiftKey) onBegin()
        }}
        onChange={(event) => onSelect((event.nativeEvent as { shiftKey?: boolean }).shiftKey === true)}
      />
    </label>
  </div>
)

/* biome-ignore-end lint/a11y: as above */
