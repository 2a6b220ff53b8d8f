/** From here on, not every whole number is a double. */
const leastInexact = 2 ** 53

/**
 * Whether a number becomes another whole one when it is read as a double, however it is written: 9007199254740993,
 * 9007199254740993.0 and 9.007199254740993e15 do. The digits that a double is written with are accepted, such as
 * 12345678901234567000, and so is what only loses digits after the point.
 *
 * @param source decimal, or of another base with its prefix, such as 0x1f
 */
export const isRounded = (source: string, value: number): boolean =>
  Number.isFinite(value) &&
  Math.abs(value) >= leastInexact &&
  ![BigInt(value), wholePart(String(value))].includes(wholePart(source))

function wholePart(source: string): bigint {
  const read = /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(source)
  if (!read) return BigInt(source)
  const [, sign, whole = '', fraction = '', exponent = '0'] = read
  const places = whole.length + Number(exponent)
  const digits = (whole + fraction).slice(0, Math.max(0, places)).padEnd(places, '0')
  return BigInt(`${sign === '-' ? '-' : ''}${digits || '0'}`)
}
