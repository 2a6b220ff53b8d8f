import { type Color, cut, type Paint, plain, widthOf } from './terminal.ts'

/** A column of a table: its heading and what a row shows in it. */
export interface Column<Row> {
  head: string
  cell(row: Row): string | number | null | undefined
  /** Numbers are aligned to the right. */
  right?: true
  color?(row: Row): Color | undefined
}

const gap = '  '
const narrowest = 6

/** Lines of a table. With `columns`, the widest columns give way until each line fits. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint }: { width: number | undefined; paint: Paint },
): string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => plain(String(cell(row) ?? ''))))
  const widths = columns.map(({ head }, at) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[at]!)), widthOf(plain(head))),
  )
  if (width !== undefined) narrow(widths, width)
  const line = (texts: string[], colors: (Color | undefined)[]) =>
    texts
      .map((text, at) => {
        const shown = cut(text, widths[at]!)
        const space = ' '.repeat(widths[at]! - widthOf(shown))
        const color = colors[at]
        const painted = color ? paint(color, shown) : shown
        return columns[at]!.right ? space + painted : painted + space
      })
      .join(gap)
      .trimEnd()
  const heads = columns.map(({ head }) => plain(head))
  return [
    line(
      heads,
      heads.map(() => 'bold'),
    ),
    ...cells.map((texts, at) =>
      line(
        texts,
        columns.map(({ color }) => color?.(rows[at]!)),
      ),
    ),
  ]
}

function narrow(widths: number[], width: number): void {
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1))
  while (total() > width) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= narrowest) return
    widths[widest]! -= 1
  }
}
