import type { DataFile, Flag, JsonValue } from '@svc/core'
import { typeOf } from '../src/details.ts'

/** A flag that serves `value` to everyone. Its type follows from the value. */
export function flagOf(value: JsonValue, changes: Partial<Flag> = {}): Flag {
  const isBoolean = typeof value === 'boolean'
  return {
    id: 'f-1',
    type: typeOf(value),
    enabled: true,
    variations: isBoolean
      ? { on: 'true', off: 'false' }
      : { a: typeof value === 'string' ? value : JSON.stringify(value) },
    defaultVariation: isBoolean ? (value ? 'on' : 'off') : 'a',
    rules: [],
    ...changes,
  }
}

/** A data file with these flags. */
export function datafileOf(
  revision: number,
  flags: Record<string, Flag> = {},
  changes: Partial<DataFile> = {},
): DataFile {
  return {
    schemaVersion: 1,
    revision,
    environment: { id: 'e-1', key: 'production' },
    publishedAt: '2026-11-20T10:00:00.000Z',
    audiences: {},
    exclusionGroups: {},
    flags,
    events: {},
    ...changes,
  }
}
