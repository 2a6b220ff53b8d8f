/** A row of a file before anybody has looked at its fields. */
export interface Row {
  /** The line on which it begins, from 1. In JSON that is read as a whole, the number of the row. */
  line: number
  /** By the names of the file. A name that comes several times has a list. */
  fields: Record<string, unknown>
}

/** Takes what a reader finds. */
export interface Found {
  row(row: Row): void
  /** A row that cannot be read. The reader goes on behind it. `fields` are those that are right for sure. */
  broken(line: number, message: string, fields?: Row['fields']): void
}

/** Reads a file from pieces of its text. Both throw a `FeedFault` if the file cannot be read any further. */
export interface Reader {
  write(text: string): void
  /** A reader that finds many rows at the end gives steps: the caller takes what was found before the next step. */
  end(): void | Iterable<void>
}

/** In characters, of each format. */
export const maxRowLength = 1024 * 1024
export const tooLong = 'A row must have at most 1 MiB.'

/** Why a whole file cannot be read, in one sentence for people. */
export class FeedFault extends Error {
  /** The line, if it is known. */
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

/** Adds a value to a list if the name was there before. */
export function addField(fields: Record<string, unknown>, name: string, value: unknown): void {
  const before = fields[name]
  if (before === undefined) fields[name] = value
  else if (Array.isArray(before)) before.push(value)
  else fields[name] = [before, value]
}

/** Whether a name that comes several times has different values. */
export const hasSeveral = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some((each) => each !== value[0])

/** Names come from the file, and one of them can be `__proto__`. */
export const noFields = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>
