import { counted } from '@svc/core'
import { parse } from 'csv-parse'
import { addField, FeedFault, type Found, maxRowLength, noFields, type Reader, type Row, tooLong } from './row.ts'

const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

const maxColumns = 1_000

/** Reads a file whose first line has the names. Without a delimiter, the first line shows it. */
export function csvReader(found: Found, delimiter?: Delimiter): Reader {
  let beginning = ''
  let reader: Reader | undefined
  const begin = (): Reader => {
    const started = rowReader(found, delimiter ?? delimiterOf(beginning))
    started.write(beginning.replace(/^\ufeff/, ''))
    beginning = ''
    return started
  }
  return {
    write(text) {
      if (reader) return reader.write(text)
      beginning += text
      if (beginning.trimStart().includes('\n') || beginning.length > maxRowLength) reader = begin()
    },
    end() {
      reader ??= begin()
      reader.end()
    },
  }
}

/** The delimiter that the line of names has most often, outside of quotes. */
export function delimiterOf(text: string): Delimiter {
  const line = /[^\r\n]+/.exec(text)?.[0] ?? ''
  const plain = line.replace(/"(?:[^"]|"")*"/g, '')
  const countOf = (delimiter: string) => plain.split(delimiter).length
  return delimiters.reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}

function rowReader(found: Found, delimiter: Delimiter): Reader {
  const lines = shortLines()
  let names: string[] | undefined
  let endedAt = 0
  let fault: FeedFault | undefined

  const take = (values: string[], line: number, end: number): void => {
    if (values.every((value) => value.trim() === '')) return
    if (!names) {
      names = namesOf(values, line)
      return
    }
    const wrong = lines.takeCut(line, end)
      ? tooLong
      : values.length !== names.length &&
        `Has ${counted(values.length, 'value')} for ${counted(names.length, 'column')}.`
    // Any value but the first can stand in a wrong column.
    if (wrong) found.broken(line, wrong, fieldsOf(names.slice(0, 1), values))
    else found.row({ line, fields: fieldsOf(names, values) })
  }
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    // A line is cut before, so only a quote that is not closed makes a row this long.
    max_record_size: 2 * maxRowLength,
    on_record(values: string[], { lines: end }) {
      const line = endedAt + 1
      endedAt = end
      take(values, line, end)
      return null
    },
    on_skip(error) {
      const line = endedAt + 1
      endedAt = parser.info.lines
      if (error?.code === 'CSV_MAX_RECORD_SIZE')
        fault = new FeedFault('A row does not end: perhaps a quote is not closed.', line)
      // Nobody knows how many rows are in the quotes, so what they have would count as gone.
      else if (error?.code === 'CSV_QUOTE_NOT_CLOSED')
        fault = new FeedFault('The file ends in quotes: it was cut off, or a quote is not closed.', line)
      else found.broken(line, 'Has quotes in wrong places.')
      return undefined
    },
  })
  // Errors are thrown where they are noticed.
  parser.on('error', () => {})

  const check = () => {
    if (fault) throw fault
    if (parser.errored instanceof FeedFault) throw parser.errored
    if (parser.errored) throw new FeedFault('The file cannot be read as CSV.', parser.info.lines)
  }
  return {
    write(text) {
      parser.write(lines.shorten(text))
      check()
    },
    end() {
      parser.end()
      check()
      if (!names) throw new FeedFault('The file is empty: it has no line with the names of the columns.')
    },
  }
}

function fieldsOf(names: readonly string[], values: readonly string[]): Row['fields'] {
  const fields = noFields()
  for (const [at, name] of names.entries()) if (values[at] !== '') addField(fields, name, values[at])
  return fields
}

function namesOf(values: string[], line: number): string[] {
  if (values.length > maxColumns) throw new FeedFault(`A file must have at most ${maxColumns} columns.`, line)
  return values.map((value) => value.trim())
}

/** Cuts lines that are longer than a row can be, so that no more of them than that is ever kept. */
function shortLines() {
  const cut = new Set<number>()
  let line = 1
  let length = 0

  return {
    shorten(text: string): string {
      let rest = ''
      let at = 0
      while (at < text.length) {
        const found = text.indexOf('\n', at)
        const end = found < 0 ? text.length : found
        const room = Math.max(maxRowLength - length, 0)
        length += end - at
        if (length > maxRowLength) {
          cut.add(line)
          rest += text.slice(at, at + room)
        } else rest += text.slice(at, end)
        if (found >= 0) {
          rest += '\n'
          line += 1
          length = 0
        }
        at = end + 1
      }
      return rest
    },
    /** Whether one of these lines was cut. */
    takeCut(from: number, until: number): boolean {
      if (cut.size === 0) return false
      const found = [...cut].filter((each) => each >= from && each <= until)
      for (const each of found) cut.delete(each)
      return found.length > 0
    },
  }
}
