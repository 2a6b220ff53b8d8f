/** What a pasted text or a file holds, before it is sent. */
export interface IdsIn {
  /** In their order, each once. */
  ids: string[]
  /** How many lines repeat an id. */
  repeated: number
  /** Lines that are not ids. The list is only sent without them. */
  faults: LineFault[]
  /** The first column was taken, and others were left out. */
  hasMoreColumns: boolean
}

export interface LineFault {
  /** From 1. */
  line: number
  text: string
  message: string
}

export const maxMembers = 100_000
const maxMemberLength = 512

/**
 * Visitor ids from a list or a CSV file, by the same rules as the service: the first column, trimmed, without empty lines
 * and without the heading `id`. A single line with commas or semicolons is a list of ids.
 */
export function idsIn(text: string): IdsIn {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const [, separator = ','] = headingWithMore.exec(lines[0]!) ?? []
  const filled = lines.map((line, index) => ({ line, index })).filter(({ line }) => line.trim() !== '')
  const only = filled.length === 1 ? filled[0]! : undefined
  const list = only && !headingWithMore.test(only.line) ? listIn(only.line) : undefined
  const found = list
    ? list.map((id) => ({ id, line: only!.line, number: only!.index + 1, columns: 1 }))
    : filled.map(({ line, index }) => {
        const columns = columnsOf(line, separator)
        return { id: columns?.[0], line, number: index + 1, columns: columns?.length ?? 1 }
      })
  const rows = found.filter(({ id, number }) => !(number === 1 && id?.toLowerCase() === 'id'))
  const faults: LineFault[] = []
  const ids = new Set<string>()
  for (const { id, line, number } of rows) {
    const message = faultOf(id)
    if (message !== undefined) faults.push({ line: number, text: line, message })
    else ids.add(id!)
  }
  return {
    ids: [...ids],
    repeated: rows.length - faults.length - ids.size,
    faults,
    hasMoreColumns: rows.some(({ columns }) => columns > 1),
  }
}

/** The text without the lines in which something is wrong. */
export function withoutFaults(text: string, faults: readonly LineFault[]): string {
  const wrong = new Set(faults.map(({ line }) => line))
  return text
    .split(/\r\n|\r|\n/)
    .filter((_line, index) => !wrong.has(index + 1))
    .join('\n')
}

/** A heading with more columns shows the separator: spreadsheets can use semicolons or tabs. */
const headingWithMore = /^\s*"?id"?\s*([,;\t])/i

/** The ids of one line that is a list, without quotation marks. */
function listIn(line: string): string[] | undefined {
  if (line.includes('"') || !/[,;\t]/.test(line)) return undefined
  return line
    .split(/[,;\t]/)
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/** Undefined if quotation marks are wrong: the rest of a text of several lines would otherwise become ids. */
function columnsOf(line: string, separator: string): string[] | undefined {
  const columns: string[] = []
  for (let rest: string | undefined = line; rest !== undefined; ) {
    const text: string = rest.replace(/^ +/, '')
    const [quoted, inside] = /^"((?:[^"]|"")*)" */.exec(text) ?? []
    if (text.startsWith('"') && inside === undefined) return undefined
    const end = text.indexOf(separator, quoted?.length)
    const column = text.slice(0, end < 0 ? undefined : end)
    if (quoted !== undefined && column !== quoted) return undefined
    columns.push(inside?.replaceAll('""', '"') ?? column.trim())
    rest = end < 0 ? undefined : text.slice(end + 1)
  }
  return columns
}

function faultOf(id: string | undefined): string | undefined {
  if (id === undefined) return 'A quotation mark is not closed on this line, or is followed by other text.'
  if (id === '') return 'The id is empty.'
  if (id.length > maxMemberLength)
    return `The id has ${id.length.toLocaleString('en')} characters. An id can have up to ${maxMemberLength}.`
  return id.includes('\0') ? 'The id contains a NUL character.' : undefined
}
