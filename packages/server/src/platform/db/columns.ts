/**
 * Values of one column of many rows, as a PostgreSQL array: binary, or as text. Much faster than a parameter for each
 * value, and than JSON. Select `unnest` of it: in `from`, PostgreSQL would first put every column away by itself.
 */
export type Column = Buffer | string

export const uuidColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => string): Column =>
  binaryColumn(rows, types.uuid, (bytes, row, at) => writeUuid(bytes, valueIn(row), at))

export const smallintColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => number): Column =>
  binaryColumn(rows, types.smallint, (bytes, row, at) => bytes.writeInt16BE(valueIn(row), at))

export const integerColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => number): Column =>
  binaryColumn(rows, types.integer, (bytes, row, at) => bytes.writeInt32BE(valueIn(row), at))

export const booleanColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => boolean): Column =>
  binaryColumn(rows, types.boolean, (bytes, row, at) => bytes.writeUInt8(valueIn(row) ? 1 : 0, at))

/** @param valueIn milliseconds since 1970, of a time between 1800 and 2200 */
export const timeColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => number): Column =>
  binaryColumn(rows, types.timestamptz, (bytes, row, at) => {
    const micros = (valueIn(row) - epochMs) * 1000
    bytes.writeInt32BE(Math.floor(micros / 2 ** 32), at)
    bytes.writeUInt32BE(micros >>> 0, at + 4)
  })

/** Numbers, and null where there is none. */
export const numberColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => number | null): Column =>
  joined(rows, (row) => String(valueIn(row)))

export const textColumn = <Row>(rows: readonly Row[], valueIn: (row: Row) => string | null): Column =>
  joined(rows, (row) => quoted(valueIn(row)))

/**
 * The same for long texts with many quotes, such as JSON, without null. It is a `text[]`: write `::text[]::jsonb[]`. For
 * 500 documents of 800 characters, this was measured to take a sixth of the time here, and two thirds in the database.
 */
export function longTextColumn<Row>(rows: readonly Row[], valueIn: (row: Row) => string): Column {
  const texts = rows.map(valueIn)
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + lengthBytes + length, headBytes))
  writeHead(bytes, types.text.oid, rows.length)
  let at = headBytes
  for (const [place, text] of texts.entries()) {
    bytes.writeInt32BE(lengths[place]!, at)
    bytes.write(text, at + lengthBytes)
    at += lengthBytes + lengths[place]!
  }
  return bytes
}

/** The numbers of types in PostgreSQL, and the bytes of a value. */
const types = {
  boolean: { oid: 16, bytes: 1 },
  smallint: { oid: 21, bytes: 2 },
  integer: { oid: 23, bytes: 4 },
  text: { oid: 25 },
  timestamptz: { oid: 1184, bytes: 8 },
  uuid: { oid: 2950, bytes: 16 },
}

/** When the time of PostgreSQL begins. */
const epochMs = Date.UTC(2000, 0, 1)
const headBytes = 20
const lengthBytes = 4

/** One dimension that counts from 1, without nulls. Before each value, there is its length. */
function binaryColumn<Row>(
  rows: readonly Row[],
  { oid, bytes: size }: { oid: number; bytes: number },
  write: (bytes: Buffer, row: Row, at: number) => void,
): Buffer {
  // Small buffers would share a pool, which `postMessage` copies as a whole for each of them.
  const bytes = Buffer.allocUnsafeSlow(headBytes + rows.length * (lengthBytes + size))
  writeHead(bytes, oid, rows.length)
  let at = headBytes
  for (const row of rows) {
    bytes.writeInt32BE(size, at)
    write(bytes, row, at + lengthBytes)
    at += lengthBytes + size
  }
  return bytes
}

function writeHead(bytes: Buffer, oid: number, length: number): void {
  for (const [place, value] of [1, 0, oid, length, 1].entries()) bytes.writeInt32BE(value, place * 4)
}

const zero = 48
const hyphen = 45

function writeUuid(bytes: Buffer, uuid: string, from: number): void {
  let at = from
  for (let place = 0; place < uuid.length; place += 2) {
    if (uuid.charCodeAt(place) === hyphen) place += 1
    bytes[at++] = (digitOf(uuid.charCodeAt(place)) << 4) | digitOf(uuid.charCodeAt(place + 1))
  }
}

/** Of a hexadecimal digit, in lower or upper case. */
const digitOf = (code: number): number => (code <= zero + 9 ? code - zero : (code & 0b1111) + 9)

function joined<Row>(rows: readonly Row[], valueIn: (row: Row) => string): string {
  let column = '{'
  for (const row of rows) column += column.length === 1 ? valueIn(row) : `,${valueIn(row)}`
  return `${column}}`
}

const special = /["\\]/

function quoted(text: string | null): string {
  if (text === null) return 'null'
  return special.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}
