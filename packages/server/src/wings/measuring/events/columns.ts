import {
  booleanColumn,
  type Column,
  integerColumn,
  numberColumn,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '../../../platform/db/columns.ts'
import type { Exposure, NewEvent, TrackedEvent } from './store.ts'

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
  products: Column
}

export const exposureColumns = (rows: readonly Exposure[]): ExposureColumns => ({
  envs: named(rows, ({ envId }) => envId),
  ids: uuidColumn(rows, ({ id }) => id),
  rules: named(rows, ({ ruleId }) => ruleId),
  variations: named(rows, ({ variationId }) => variationId),
  units: textColumn(rows, ({ unit }) => unit),
  at: timeColumn(rows, ({ at }) => at),
  kinds: smallintColumn(rows, ({ kind }) => kind),
  clamped: booleanColumn(rows, ({ clamped }) => clamped),
  dimensions: textColumn(rows, ({ dimensions }) => dimensions),
})

export const trackedColumns = (rows: readonly TrackedEvent[]): TrackedColumns => ({
  envs: named(rows, ({ envId }) => envId),
  ids: uuidColumn(rows, ({ id }) => id),
  eventKeys: named(rows, ({ eventKey }) => eventKey),
  units: textColumn(rows, ({ unit }) => unit),
  values: numberColumn(rows, ({ value }) => value),
  at: timeColumn(rows, ({ at }) => at),
  kinds: smallintColumn(rows, ({ kind }) => kind),
  clamped: booleanColumn(rows, ({ clamped }) => clamped),
  products: textColumn(rows, ({ productId }) => productId ?? null),
})

export const idColumns = (rows: readonly NewEvent[]): { envs: Named; ids: Column } => ({
  envs: named(rows, ({ envId }) => envId),
  ids: uuidColumn(rows, ({ id }) => id),
})

function named<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Named {
  const places = new Map<string, number>()
  const column = integerColumn(rows, (row) => {
    const name = nameOf(row)
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, places.size + 1)
    return places.size
  })
  return { names: textColumn([...places.keys()], (name) => name), places: column }
}
