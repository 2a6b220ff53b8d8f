import type { Exposure, NewEvent, TrackedEvent } from './store.ts'

/** Values of one column of many rows, as the text of a PostgreSQL array. Much faster than a parameter for each value. */
export type Column = string

/** Ids that many rows repeat: each one once, and for each row its place, counted from 1. */
export interface Named {
  names: Column
  places: Column
}

export interface ExposureColumns {
  envs: Named
  ids: Column
  rules: Named
  variations: Named
  units: Column
  at: Column
  kinds: Column
  clamped: Column
  dimensions: Column
}

export interface TrackedColumns {
  envs: Named
  ids: Column
  eventKeys: Named
  units: Column
  values: Column
  at: Column
  kinds: Column
  clamped: Column
}

export const exposureColumns = (rows: readonly Exposure[]): ExposureColumns => ({
  envs: named(rows, ({ envId }) => envId),
  ids: plain(rows, ({ id }) => id),
  rules: named(rows, ({ ruleId }) => ruleId),
  variations: named(rows, ({ variationId }) => variationId),
  units: texts(rows, ({ unit }) => unit),
  at: plain(rows, ({ at }) => at),
  kinds: plain(rows, ({ kind }) => kind),
  clamped: plain(rows, ({ clamped }) => clamped),
  dimensions: texts(rows, ({ dimensions }) => dimensions),
})

export const trackedColumns = (rows: readonly TrackedEvent[]): TrackedColumns => ({
  envs: named(rows, ({ envId }) => envId),
  ids: plain(rows, ({ id }) => id),
  eventKeys: named(rows, ({ eventKey }) => eventKey),
  units: texts(rows, ({ unit }) => unit),
  values: plain(rows, ({ value }) => value ?? 'null'),
  at: plain(rows, ({ at }) => at),
  kinds: plain(rows, ({ kind }) => kind),
  clamped: plain(rows, ({ clamped }) => clamped),
})

export const idColumns = (rows: readonly NewEvent[]): { envs: Named; ids: Column } => ({
  envs: named(rows, ({ envId }) => envId),
  ids: plain(rows, ({ id }) => id),
})

/** For values without characters that arrays give a meaning. */
function plain<Row>(rows: readonly Row[], valueIn: (row: Row) => string | number | boolean): Column {
  let column = '{'
  for (const row of rows) column += column.length === 1 ? valueIn(row) : `,${valueIn(row)}`
  return `${column}}`
}

const special = /["\\]/

function texts<Row>(rows: readonly Row[], valueIn: (row: Row) => string | null): Column {
  return plain(rows, (row) => quoted(valueIn(row)))
}

function quoted(text: string | null): string {
  if (text === null) return 'null'
  return special.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}

function named<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Named {
  const places = new Map<string, number>()
  const column = plain(rows, (row) => {
    const name = nameOf(row)
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, places.size + 1)
    return places.size
  })
  return { names: texts([...places.keys()], (name) => name), places: column }
}
