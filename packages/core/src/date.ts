const format = /^(\d{4}-\d\d-(\d\d))(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-][01]\d:[0-5]\d)?)?$/

/**
 * Reads a moment as epoch milliseconds: a number or a text of digits is that already, a text is ISO 8601 in the
 * extended format (`2026-11-20`, `2026-11-20T10:00Z`, `2026-11-20T10:00:00.123+01:00`), a Date is itself.
 * Without an offset it is UTC, so that no answer hangs on where the process runs. Anything else gives undefined.
 */
export function parseDate(value: unknown): number | undefined {
  const moment = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseText(value) : value
  return typeof moment === 'number' && Number.isFinite(moment) ? moment : undefined
}

function parseText(text: string): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text)
  const [, date = '', day, time, offset] = format.exec(text) ?? []
  // Engines differ on 30 February: some refuse it, some go on into March.
  if (new Date(date).getUTCDate() !== Number(day)) return undefined
  return Date.parse(time && !offset ? `${text}Z` : text)
}
