import pg from 'pg'

const int8 = 20
const int8Array = 1016
const date = 1082
const dateArray = 1182
const textArray = 1009

const parserOf = pg.types.getTypeParser as (oid: number, format?: 'text') => (text: string) => unknown
const toTexts = parserOf(textArray) as (text: string) => (string | null)[]

const parsers = new Map<number, (text: string) => unknown>([
  [int8, toSafeInteger],
  [int8Array, (text) => toTexts(text).map((item) => (item === null ? null : toSafeInteger(item)))],
  // A calendar day is not a moment: pg's own parser would make it midnight in the process's time zone.
  [date, String],
  [dateArray, toTexts],
])

/** Given to each client, so that pg's global parsers stay unchanged. */
export const valueTypes: { getTypeParser: typeof pg.types.getTypeParser } = {
  getTypeParser: ((oid: number, format?: 'text') =>
    parsers.get(oid) ?? parserOf(oid, format)) as typeof pg.types.getTypeParser,
}

function toSafeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`int8 ${text} is beyond 2^53`)
  return number
}
