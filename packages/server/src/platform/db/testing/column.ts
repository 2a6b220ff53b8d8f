import type { Column } from '../columns.ts'

/** The values of a binary column. */
export function valuesOf<Value>(column: Column, read: (bytes: Buffer) => Value): Value[] {
  if (!Buffer.isBuffer(column)) throw new Error('the column is a text')
  const values: Value[] = []
  for (let at = 20; at < column.length; ) {
    const length = column.readInt32BE(at)
    values.push(read(column.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return values
}
