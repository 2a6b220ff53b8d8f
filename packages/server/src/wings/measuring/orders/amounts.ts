import { type Amount, amountLimit, printAmount } from '../../model/catalog/index.ts'

const perUnit = 10_000n
/** Rates have up to ten decimals. */
const rateUnit = 10n ** 10n

/** A rate as a decimal text, in 1/10,000,000,000. */
function rateIn(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.')
  return BigInt(whole) * rateUnit + BigInt(decimals.slice(0, 10).padEnd(10, '0'))
}

interface Costing {
  /** What one unit of a currency is worth in the reporting currency, as a decimal text; null if nobody has said it. */
  rateOf(currency: string): string | null
}

/**
 * The cost of an item in the currency of an order, rounded half up to 1/10,000. Null if it is not known, or if it is no
 * amount: the rates are wrong then, and other orders of the same batch must be stored.
 */
export function orderCost(
  item: { cost: Amount | null; currency: string },
  currency: string,
  { rateOf }: Costing,
): Amount | null {
  if (item.cost === null || item.currency === currency) return item.cost
  const [from, to] = [rateOf(item.currency), rateOf(currency)]
  if (from === null || to === null || rateIn(to) === 0n) return null
  const divisor = rateIn(to)
  const cost = (2n * BigInt(item.cost) * rateIn(from) + divisor) / (2n * divisor)
  return cost < BigInt(amountLimit) ? Number(cost) : null
}

/** What all pieces cost, as a decimal text; null if the cost of one is not known. */
export function costsOf(lines: readonly { quantity: number; cost: Amount | null }[]): string | null {
  let sum = 0n
  for (const { quantity, cost } of lines) {
    if (cost === null) return null
    sum += BigInt(quantity) * BigInt(cost)
  }
  return `${sum / perUnit}.${String(sum % perUnit).padStart(4, '0')}`
}

export const printedCost = (cost: Amount | null): string | null => (cost === null ? null : printAmount(cost))
