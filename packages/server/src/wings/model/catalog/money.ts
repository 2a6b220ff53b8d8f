/**
 * An amount of money as an integer of 1/10,000 of the unit of its currency: 19.99 is 199,900. It is below
 * `amountLimit`, so sums of tens of amounts are exact, too.
 */
export type Amount = number

const perUnit = 10_000
const maxWholeDigits = 11
export const amountLimit: Amount = 10 ** maxWholeDigits * perUnit

const decimal = new RegExp(`^0*(\\d{1,${maxWholeDigits}})(?:\\.(\\d+))?$`)

/**
 * Reads a decimal text such as `19.99`. Undefined if it is something else, negative or too large. More than four
 * decimals are rounded half up, and `isRounded` says so if that changes the amount.
 */
export function parseAmount(text: string): { amount: Amount; isRounded: boolean } | undefined {
  const [, whole, decimals = ''] = decimal.exec(text) ?? []
  if (whole === undefined) return undefined
  const kept = Number(decimals.slice(0, 4).padEnd(4, '0'))
  const amount = Number(whole) * perUnit + kept + (decimals.charAt(4) >= '5' ? 1 : 0)
  return amount < amountLimit ? { amount, isRounded: /[1-9]/.test(decimals.slice(4)) } : undefined
}

/**
 * A decimal as shops write it, with a point before its decimals: `19,99`, `1,299.00` and `1.299,00` are known. A comma
 * before three digits alone could be either, so that text stays as it is, like all others.
 */
export function pointed(text: string): string {
  if (/^\d+,\d{1,2}$/.test(text)) return text.replace(',', '.')
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(text)) return text.replaceAll(',', '')
  return /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text
}

const twofold = /^([1-9]\d{0,2})([.,])(\d{3})$/

/**
 * How to write a text such as `1.299` or `1,299`, which can be two amounts; null if it is clear. A point is clear in a
 * currency with three decimals, and if thousands would be more than `most`.
 */
export function doubtAbout(text: string, of: { currency: string | null; most?: Amount | undefined }): string | null {
  const [, whole, mark, rest] = twofold.exec(text) ?? []
  if (whole === undefined) return null
  const { currency, most = amountLimit } = of
  const hasThree = currency !== null && isCurrency(currency) && minorUnits(currency) >= 3
  if (mark === '.' && (hasThree || Number(`${whole}${rest}`) * perUnit > most)) return null
  return `Must be written as ${whole}${rest}.00 or ${whole}.${rest}0, because ${text} can mean both.`
}

/** The amount as a decimal text with two to four decimals. */
export function printAmount(amount: Amount): string {
  const size = Math.abs(amount)
  const decimals = String(size % perUnit)
    .padStart(4, '0')
    .replace(/0{1,2}$/, '')
  return `${amount < 0 ? '-' : ''}${Math.floor(size / perUnit)}.${decimals}`
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Whether a text is a code of ISO 4217, in capital letters, that the runtime knows. */
export const isCurrency = (code: string): boolean => currencies.has(code)

/** The decimals that payments in a currency have: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorUnits(currency: string): number {
  const known = minorUnitsKnown.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  minorUnitsKnown.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

/** A formatter takes 40 µs to make, and each order asks. */
const minorUnitsKnown = new Map<string, number>()
