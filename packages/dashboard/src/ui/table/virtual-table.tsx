import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useDensity } from '../theme/density.ts'
import { medium, narrow, useMedia } from '../theme/media.ts'
import { counted } from '../words/lists.ts'
import { gridMove, switched, through } from './grid-moves.ts'
import classes from './virtual-table.module.css'

/** Below this, all rows are in the page, so that the browser's own search finds them. */
const virtualFrom = 150
const rowPx = { comfortable: [44, 60], compact: [32, 48] } as const
const cardPx = 112
const overscan = 12

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
  /** Left out in cards. A card has room for about three facts. */
  isNotInCards?: true
}

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
  /** Enter on a row. */
  onOpen?: (row: Row) => void
  sort?: { by: string; isDescending: boolean; onSort: (by: string) => void }
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

export interface TableHandle {
  /** Focuses the active row, or the next (1) or previous (-1) one. */
  focusRow: (step: 0 | 1 | -1) => void
}

/**
 * A table of up to 10,000 rows, of which about 40 are in the page. It is one stop for the keyboard: J and K or the arrows
 * go by row, → goes to the controls of a row and ← back, X selects, Shift selects on the way, Enter opens. Rows are
 * cards in windows of less than 640 px.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { caption, rows, keyOf, nameOf, lines = 1, onOpen, sort, selection, onActive, handle } = props
  const isCards = useMedia(narrow)
  const isMedium = useMedia(medium)
  const [density] = useDensity()
  const columns = props.columns.filter(
    ({ isWide, isNotInCards }) => !(isWide && isMedium) && !(isNotInCards && isCards),
  )
  const keys = rows.map(keyOf)
  const body = useRef<HTMLDivElement>(null)
  const [activeKey, setActiveKey] = useState<string>()
  // The place of the active row is kept for the case that the row goes away.
  const [lastPlace, setLastPlace] = useState(0)
  const found = activeKey === undefined ? -1 : keys.indexOf(activeKey)
  const active = found >= 0 ? found : Math.min(lastPlace, rows.length - 1)
  const anchor = useRef(active)
  const wanted = useRef<number | undefined>(undefined)

  const isVirtual = rows.length >= virtualFrom
  const height = isCards ? cardPx : rowPx[density][lines - 1]!
  const offset = useOffset(body)
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? rows.length : 0,
    estimateSize: () => height,
    overscan,
    scrollMargin: offset,
    // The row with the focus stays in the page while it is scrolled away.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), active])].filter((at) => at >= 0).sort((a, b) => a - b),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: all heights change with these
  useLayoutEffect(() => virtualizer.measure(), [height, isCards])
  useRovingControls(body)

  const activate = (at: number) => {
    const key = keys[at]
    setActiveKey(key)
    setLastPlace(at)
    onActive?.(key)
  }
  const rowAt = (at: number) => body.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)
  const go = (at: number) => {
    if (rows.length === 0) return
    activate(at)
    wanted.current = at
    if (isVirtual && !rowAt(at)) virtualizer.scrollToIndex(at)
    else focusWanted()
  }
  const focusWanted = () => {
    const row = wanted.current === undefined ? undefined : rowAt(wanted.current)
    if (!row) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }
  // A row that was far away appears with a later rendering.
  useEffect(focusWanted)
  useEffect(() => {
    // The first step goes to the first row.
    const from = activeKey === undefined ? Math.min(active, 0) - 1 : active
    const to = (step: number) => Math.max(0, Math.min(rows.length - 1, from + step))
    if (handle) handle.current = { focusRow: (step) => go(to(step)) }
  })

  const select = (at: number, extend: boolean) => {
    const key = keys[at]
    if (!selection || key === undefined) return
    const { selected, onSelect } = selection
    onSelect(extend ? through(selected, keys, anchor.current, at) : switched(selected, key))
    anchor.current = at
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLElement && event.target.role !== 'row') return walkControls(event)
    const move = gridMove(event, active, rows.length)
    if (!move || rows.length === 0) return
    if (move.kind === 'open' && !onOpen) return
    if (move.kind === 'clear' && !selection?.selected.size) return
    event.preventDefault()
    if (move.kind === 'go') {
      if (move.extends && selection) {
        selection.onSelect(through(selection.selected, keys, active, move.to))
        anchor.current = move.to
      }
      go(move.to)
    } else if (move.kind === 'open') onOpen?.(rows[active]!)
    else if (move.kind === 'into') controlsOf(rowAt(active))[0]?.focus()
    else if (move.kind === 'clear') selection?.onSelect(new Set())
    else select(active, move.kind === 'select-to')
  }
  const focused = (event: FocusEvent) => {
    const row = event.target.closest<HTMLElement>('[data-at]')
    if (row && Number(row.dataset.at) !== found) activate(Number(row.dataset.at))
  }

  const template = [selection && '1.5rem', ...columns.map(({ width }) => width)].filter(Boolean).join(' ')
  const shown = isVirtual
    ? virtualizer.getVirtualItems().map(({ index, start }) => ({ at: index, top: start - offset }))
    : keys.map((_, at) => ({ at, top: 0 }))
  const isAllSelected = selection !== undefined && rows.length > 0 && keys.every((key) => selection.selected.has(key))
  const chosen = selection?.selected.size ?? 0

  return (
    <div
      className={classes.frame}
      data-cards={isCards || undefined}
      data-selects={selection !== undefined || undefined}
      style={{ ['--columns' as string]: template, ['--row' as string]: `${height}px` }}
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
        <div role="rowgroup">
          <div className={classes.heading} role="row" aria-rowindex={1}>
            {selection && (
              <div role="columnheader">
                <label className={classes.check}>
                  <input
                    type="checkbox"
                    aria-label="Select all"
                    checked={isAllSelected}
                    ref={(box) => {
                      if (box) box.indeterminate = chosen > 0 && !isAllSelected
                    }}
                    onChange={() => selection.onSelect(new Set(isAllSelected ? [] : keys))}
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
        <div
          ref={body}
          role="rowgroup"
          className={classes.body}
          data-virtual={isVirtual || undefined}
          data-cards={isCards || undefined}
          style={isVirtual ? { height: virtualizer.getTotalSize() } : undefined}
        >
          {shown.map(({ at, top }) => {
            const row = rows[at]
            if (row === undefined) return null
            const key = keys[at]!
            return (
              <div
                key={key}
                role="row"
                className={classes.row}
                data-at={at}
                data-index={at}
                data-first={at === 0 || undefined}
                ref={isVirtual && isCards ? virtualizer.measureElement : undefined}
                style={isVirtual ? { transform: `translateY(${top}px)` } : undefined}
                tabIndex={at === active ? 0 : -1}
                aria-rowindex={at + 2}
                aria-selected={selection ? selection.selected.has(key) : undefined}
              >
                {selection && (
                  <div role="gridcell" className={classes.cell} data-check data-wraps>
                    <label className={classes.check}>
                      <input
                        type="checkbox"
                        aria-label={`Select ${nameOf(row)}`}
                        checked={selection.selected.has(key)}
                        onClick={(event: MouseEvent) => {
                          if (!event.shiftKey) anchor.current = at
                        }}
                        onChange={(event) =>
                          select(at, (event.nativeEvent as { shiftKey?: boolean }).shiftKey === true)
                        }
                      />
                    </label>
                  </div>
                )}
                {columns.map(({ key: column, title, cell, isNumeric }, index) => (
                  <div
                    key={column}
                    role={index === 0 ? 'rowheader' : 'gridcell'}
                    className={classes.cell}
                    data-numeric={isNumeric}
                    data-wraps={index === 0 && lines > 1 ? true : undefined}
                    data-fact={index > 0 || undefined}
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
          })}
        </div>
      </div>
      {/* biome-ignore-end lint/a11y: as above */}
      {selection && (
        <>
          <span className={classes.hidden} role="status">
            {chosen > 0 && `${counted(chosen, 'row')} selected`}
          </span>
          {chosen > 0 && (
            <section className={classes.bulk} aria-label="Selected rows">
              <span className={classes.chosen}>{chosen.toLocaleString('en')} selected</span>
              {selection.actions}
              <Button variant="subtle" onClick={() => selection.onSelect(new Set())}>
                Clear
              </Button>
            </section>
          )}
        </>
      )}
    </div>
  )
}

function SortArrow({ isDescending }: { isDescending: boolean }) {
  return isDescending ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />
}

const controls = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled])'

const controlsOf = (row: Element | null | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(controls) ?? []),
]

/** On a control of a row: → and ← go to its neighbors, ← on the first one and Escape go back to the row. */
function walkControls(event: KeyboardEvent<HTMLElement>): void {
  const row = (event.target as Element).closest<HTMLElement>('[data-at]')
  const step = { ArrowRight: 1, ArrowLeft: -1, Escape: Number.NEGATIVE_INFINITY }[event.key]
  if (!row || !step) return
  const all = controlsOf(row)
  const next = all.indexOf(event.target as HTMLElement) + step
  if (next >= all.length) return
  event.preventDefault()
  const target = next < 0 ? row : all[next]
  target?.focus()
}

/** Takes the controls of rows out of the tab order: the whole table is one stop. */
function useRovingControls(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = body.current
    if (!element) return undefined
    const quiet = () => {
      for (const control of element.querySelectorAll<HTMLElement>(controls))
        if (control.tabIndex !== -1) control.tabIndex = -1
    }
    quiet()
    const observer = new MutationObserver(quiet)
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [body])
}

/** How far the rows begin below the top of the document, as that changes. */
function useOffset(body: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return undefined
    const measure = () => setOffset(Math.round(element.getBoundingClientRect().top + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])
  return offset
}
