import { Button } from '@mantine/core'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { useDensity } from '../theme/density.ts'
import { medium, narrow, useMedia } from '../theme/media.ts'
import { counted } from '../words/lists.ts'
import {
  controlsOf,
  type TableHandle,
  useActiveRow,
  useOffset,
  useRovingControls,
  useRowFocus,
  useSelecting,
  walkControls,
} from './grid-focus.ts'
import { gridMove } from './grid-moves.ts'
import { type GridColumn, GridRow, Heading, type Sort } from './grid-parts.tsx'
import classes from './virtual-table.module.css'

/** Below this, all rows are in the page, so that the browser's own search finds them. */
const virtualFrom = 150
const rowPx = { comfortable: [44, 60], compact: [32, 48] } as const
const cardPx = 112
const overscan = 12

interface VirtualTableProps<Row> {
  /** What the rows are: "Flags". */
  caption: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Names the row for its checkbox. */
  nameOf: (row: Row) => string
  /** The first column names the row. */
  columns: readonly GridColumn<Row>[]
  /** Lines of text in the tallest cell of a row. All rows have the same height. */
  lines?: 1 | 2
  /** In cards, facts are side by side with their titles above. */
  factsAreBeside?: true
  /** Enter on a row. */
  onOpen?: (row: Row) => void
  sort?: Sort
  selection?: {
    selected: ReadonlySet<string>
    onSelect: (selected: ReadonlySet<string>) => void
    /** Buttons for the selected rows. */
    actions: ReactNode
  }
  /** The row that has or had the focus, by key: the keys P and R of the page act on it. */
  onActive?: (key: string | undefined) => void
  /** The page's keys J and K call these while the focus is elsewhere. */
  handle?: RefObject<TableHandle | null>
}

/**
 * A table of up to 10,000 rows. About 40 of them are in the page. It is one stop for the keyboard: J and K or the
 * arrows go by row, → goes to the controls of a row and ← back, X selects, Shift selects on the way, Enter opens. Rows
 * are cards in windows of less than 640 px.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { caption, rows, keyOf, lines = 1, sort, selection, onActive, handle } = props
  const { isCards, columns, rowHeight } = useLayout(props)
  const keys = rows.map(keyOf)
  const body = useRef<HTMLDivElement>(null)
  const row = useActiveRow(keys, onActive)
  const virtual = useVirtualRows({ body, count: rows.length, rowHeight, isCards, active: row.active })
  useRovingControls(body)
  const focus = useRowFocus({ body, row, count: rows.length, fetch: virtual.scrollTo, handle })
  const selecting = useSelecting(keys, row.active, selection)
  const press = usePress(props, row.active, focus, selecting)
  const focused = (event: FocusEvent) => {
    const at = event.target.closest<HTMLElement>('[data-at]')?.dataset.at
    if (at !== undefined && Number(at) !== row.found) row.activate(Number(at))
  }
  const template = [selection && '1.5rem', ...columns.map(({ width }) => width)].filter(Boolean).join(' ')
  const checks = checksOf(props, keys, selecting)
  return (
    <div
      className={classes.frame}
      data-cards={isCards || undefined}
      data-selects={selection !== undefined || undefined}
      data-beside={props.factsAreBeside}
      style={{ ['--columns' as string]: template, ['--row' as string]: `${rowHeight}px` }}
    >
      {/* biome-ignore-start lint/a11y: a table whose rows are placed by hand needs explicit roles */}
      <div
        role="grid"
        aria-label={caption}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + (selection ? 1 : 0)}
        {...(selection && { 'aria-multiselectable': true })}
        onKeyDown={press}
        onFocus={focused}
      >
        <Heading columns={columns} sort={sort} all={checks?.all} />
        <div
          ref={body}
          role="rowgroup"
          className={classes.body}
          data-virtual={virtual.height !== undefined || undefined}
          data-cards={isCards || undefined}
          style={virtual.height === undefined ? undefined : { height: virtual.height }}
        >
          {virtual.shown.map(({ at, top }) => {
            const shown = rows[at]
            return (
              shown !== undefined && (
                <GridRow
                  key={keys[at]}
                  row={shown}
                  at={at}
                  top={top}
                  columns={columns}
                  lines={lines}
                  isActive={at === row.active}
                  measure={virtual.measure}
                  check={checks?.of(shown, at)}
                />
              )
            )
          })}
        </div>
      </div>
      {/* biome-ignore-end lint/a11y: as above */}
      {selection && <Selected selection={selection} keys={keys} />}
    </div>
  )
}

/** The columns for which there is room, and the height of a row. */
function useLayout<Row>({ columns, lines = 1 }: VirtualTableProps<Row>) {
  const isCards = useMedia(narrow)
  const isMedium = useMedia(medium)
  const [density] = useDensity()
  return {
    isCards,
    columns: columns.filter(({ isWide, isNotInCards }) => !(isWide && isMedium) && !(isNotInCards && isCards)),
    rowHeight: isCards ? cardPx : rowPx[density][lines - 1]!,
  }
}

interface VirtualRowsOptions {
  body: RefObject<HTMLDivElement | null>
  count: number
  rowHeight: number
  isCards: boolean
  active: number
}

/** The rows that are in the page, with their places if there are many. */
function useVirtualRows({ body, count, rowHeight, isCards, active }: VirtualRowsOptions) {
  const isVirtual = count >= virtualFrom
  const offset = useOffset(body)
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: offset,
    // The row with the focus stays in the page while it is scrolled away.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), active])].filter((at) => at >= 0).sort((a, b) => a - b),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: all heights change with these
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, isCards])
  const shown: { at: number; top: number | undefined }[] = isVirtual
    ? virtualizer.getVirtualItems().map(({ index, start }) => ({ at: index, top: start - offset }))
    : Array.from({ length: count }, (_, at) => ({ at, top: undefined }))
  return {
    shown,
    /** Undefined if all rows are in the page. */
    height: isVirtual ? virtualizer.getTotalSize() : undefined,
    measure: isVirtual && isCards ? virtualizer.measureElement : undefined,
    scrollTo: (at: number) => isVirtual && virtualizer.scrollToIndex(at),
  }
}

/** What the keys do on a row. */
function usePress<Row>(
  { rows, onOpen, selection }: VirtualTableProps<Row>,
  active: number,
  { go, rowAt }: ReturnType<typeof useRowFocus>,
  { select, extendTo }: ReturnType<typeof useSelecting>,
) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLElement && event.target.role !== 'row') return walkControls(event)
    const move = gridMove(event, active, rows.length)
    if (!move || rows.length === 0) return
    if (move.kind === 'open' && !onOpen) return
    if (move.kind === 'clear' && !selection?.selected.size) return
    event.preventDefault()
    if (move.kind === 'go') {
      if (move.extends) extendTo(move.to)
      go(move.to)
    } else if (move.kind === 'open') onOpen?.(rows[active]!)
    else if (move.kind === 'into') controlsOf(rowAt(active))[0]?.focus()
    else if (move.kind === 'clear') selection?.onSelect(new Set())
    else select(active, move.kind === 'select-to')
  }
}

/** The boxes of the heading and of the rows. */
function checksOf<Row>(
  { rows, nameOf, selection }: VirtualTableProps<Row>,
  keys: readonly string[],
  { begin, select }: ReturnType<typeof useSelecting>,
) {
  if (!selection) return undefined
  const { selected, onSelect } = selection
  const isAllSelected = rows.length > 0 && keys.every((key) => selected.has(key))
  return {
    all: {
      isSelected: isAllSelected,
      isPartly: selected.size > 0 && !isAllSelected,
      onSelect: (isSelected: boolean) => onSelect(new Set(isSelected ? keys : [])),
    },
    of: (row: Row, at: number) => ({
      name: nameOf(row),
      isSelected: selected.has(keys[at]!),
      onBegin: () => begin(at),
      onSelect: (extend: boolean) => select(at, extend),
    }),
  }
}

interface SelectedProps {
  selection: NonNullable<VirtualTableProps<unknown>['selection']>
  /** Of all rows. */
  keys: readonly string[]
}

/** How many rows are selected, and what can be done with them. Rows that a filter hides stay selected, and say so. */
function Selected({ selection, keys }: SelectedProps) {
  const all = selection.selected.size
  const chosen = keys.filter((key) => selection.selected.has(key)).length
  const hidden = chosen < all && `, ${(all - chosen).toLocaleString('en')} not in the list`
  return (
    <>
      <span className={classes.hidden} role="status">
        {all > 0 && `${counted(chosen, 'row')} selected`}
        {hidden}
      </span>
      {all > 0 && (
        <section className={classes.bulk} data-bottom-bar="form" aria-label="Selected rows">
          <span className={classes.chosen}>
            {chosen.toLocaleString('en')} selected{hidden}
          </span>
          {selection.actions}
          <Button variant="subtle" onClick={() => selection.onSelect(new Set())}>
            Clear
          </Button>
        </section>
      )}
    </>
  )
}
