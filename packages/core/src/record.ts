/** A JSON object: not null, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own property of that name. Inherited names such as `__proto__` and `constructor` give undefined. */
export function own<Value>(record: Record<string, Value> | undefined, key: string): Value | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined
}

/** Null counts as missing everywhere. */
export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** A BigInt, as drivers of databases give it, as the double that its digits are in JSON. */
export const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** Throws if a data file does not have the shape that its type promises. Evaluation turns this into PARSE_ERROR. */
export function ensure(holds: unknown): asserts holds {
  if (!holds) throw new TypeError()
}
