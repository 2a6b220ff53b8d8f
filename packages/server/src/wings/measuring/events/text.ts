/** Whether it is a text of 1 to `maxLength` characters that PostgreSQL can store: without NUL and halves of characters. */
export const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= maxLength &&
  !value.includes('\0') &&
  value.isWellFormed()

/**
 * An id of a shop as text, without the spaces around it, as feeds and imports read it: both must meet in one row. Shops
 * have numbers as ids, too; one that a double cannot hold would be a different id.
 */
export function idText(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  return Number.isSafeInteger(value) ? String(value) : value
}
