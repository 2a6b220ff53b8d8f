import type { World } from '../world.ts'
import { type Column, table } from './table.ts'
import { columnsOf, masked, type Paint, painter, plain } from './terminal.ts'

/** Prints: data on standard output, talk on standard error. */
export interface Output {
  /** Whether `--json` was given. */
  isJson: boolean
  /** Prints an object of the API as JSON, or what `show` prints for people. */
  data(value: unknown, show: () => void): void
  /** Prints what the API answered to a write as JSON, or says a sentence about it. */
  wrote(answer: unknown, sentence: string): void
  /** Prints a table, or for no row a sentence on standard error. */
  rows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], empty: string): void
  /** Prints lines of `name  value`. Null and undefined are left out. */
  details(pairs: readonly (readonly [string, string | number | boolean | null | undefined])[]): void
  /** Prints one line of data, which must be plain. */
  line(text?: string): void
  /** Prints bytes as they are. */
  raw(bytes: string | Uint8Array): Promise<void>
  /** Says something on standard error, unless `--quiet`. */
  say(text: string): void
  /** Says something on standard error, even if `--quiet`. */
  warn(text: string): void
  paint: Paint
}

export function openOutput(
  { stdout, stderr, env }: Pick<World, 'stdout' | 'stderr' | 'env'>,
  { isJson, isQuiet, isPlain }: { isJson: boolean; isQuiet: boolean; isPlain: boolean },
): Output {
  const paint = painter(stdout, env, isPlain)
  const line = (text = '') => void stdout.write(`${text}\n`)
  const warn = (text: string) => void stderr.write(`${masked(text)}\n`)
  const say = (text: string) => void (isQuiet || warn(text))
  const json = (value: unknown) => line(JSON.stringify(value, null, 2))
  return {
    isJson,
    paint,
    line,
    say,
    warn,
    data(value, show) {
      if (isJson) json(value)
      else show()
    },
    wrote(answer, sentence) {
      if (isJson) json(answer)
      else say(plain(sentence))
    },
    rows(columns, rows, empty) {
      if (rows.length === 0) return say(empty)
      for (const each of table(columns, rows, { width: columnsOf(stdout), paint })) line(each)
    },
    details(pairs) {
      const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
      const width = Math.max(0, ...shown.map(([name]) => name.length))
      for (const [name, value] of shown) line(`${paint('bold', name.padEnd(width))}  ${plain(String(value))}`)
    },
    raw: (bytes) => new Promise((resolve) => void stdout.write(bytes, () => resolve())),
  }
}
