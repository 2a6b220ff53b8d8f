const format =
  /^(\d{4}-\d\d-(\d\d))(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(?: ?(?:Z|([+-][01]\d)(?::?([0-5]\d))?))?)?$/

/**
 * Reads a time as epoch milliseconds. The value is a Date, a number or a string of digits in epoch milliseconds, or
 * ISO 8601 in the extended format: `2026-11-20`, `2026-11-20T10:00Z`, `2026-11-20T10:00:00.123+01:00`. As databases
 * print it, a space can replace the `T` or precede the offset, and the offset can be `+0100` or `+01`.
 * A time without an offset is UTC, so that the result does not depend on where the process runs.
 *
 * @returns undefined for any other value
 * @example parseDate('2026-11-20T10:00Z') // 1795168800000
 */
export function parseDate(value: unknown): number | undefined {
  const moment = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseText(value) : value
  return typeof moment === 'number' && Number.isFinite(moment) ? moment : undefined
}

function parseText(text: string): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text)
  const [, date = '', day, time, hours, minutes = '00'] = format.exec(text) ?? []
  // Engines differ on 30 February: some refuse it, others read it as a day in March.
  if (new Date(date).getUTCDate() !== Number(day)) return undefined
  return Date.parse(time ? `${date}T${time}${hours ? `${hours}:${minutes}` : 'Z'}` : date)
}
