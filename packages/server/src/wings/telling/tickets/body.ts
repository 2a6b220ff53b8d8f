/** The body of a delivery, as it is stored. */
export type Body = Readonly<Record<string, unknown>>

/** The text or number at a path, as text; empty if there is none. Bodies of earlier versions can lack fields. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = valueAt(value, ...path)
  return found === null || found === undefined || typeof found === 'object' ? '' : String(found)
}

export function valueAt(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const name of path) found = hasField(found, name) ? (found as Body)[name] : undefined
  return found
}

/** Excludes what every JavaScript object and list has besides. */
const hasField = (value: unknown, name: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, name) &&
  !(Array.isArray(value) && name === 'length')

export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}
