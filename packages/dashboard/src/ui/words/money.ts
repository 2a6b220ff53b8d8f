/** An amount as people write it: "€19.99". It is never computed with, so a number is exact enough. */
export function money(amount: string, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`.trim()
  const decimals = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
  const format = formatOf(currency)
  const { maximumFractionDigits: usual = 2 } = format.resolvedOptions()
  if (decimals <= usual) return format.format(Number(amount))
  return formatOf(currency, decimals).format(Number(amount))
}

const formatOf = (currency: string, decimals?: number): Intl.NumberFormat =>
  new Intl.NumberFormat('en', {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
    ...(decimals !== undefined && { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  })

let known: ReadonlySet<string> | undefined

/** Whether a unit that people typed is the code of a currency: "EUR", but not "ms" or "pts". */
export function isCurrency(unit: string | null): unit is string {
  known ??= new Set(Intl.supportedValuesOf('currency'))
  return unit !== null && known.has(unit)
}
