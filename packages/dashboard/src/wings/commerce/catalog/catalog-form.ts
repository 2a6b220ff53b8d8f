import type { Data, operations } from '@svc/client'

export type Catalog = Data<'/api/v1/projects/{projectId}/catalog', 'get'>
export type CatalogUpdate = operations['updateCatalog']['requestBody']['content']['application/json']

/** What one unit of a currency is worth. `key` is the currency. */
export interface Rate {
  key: string
  rate: string
}

export type CatalogValues = { currency: string; rates: Rate[]; trust: Catalog['orders']['trust'] }

export const valuesOf = ({ currency, rates, orders }: Catalog): CatalogValues => ({
  currency: currency ?? '',
  rates: Object.entries(rates).map(([key, rate]) => ({ key, rate })),
  trust: orders.trust,
})

/** What an edit has changed. Rates are those of a currency, so they go with it. */
export function updateOf(values: CatalogValues, before: CatalogValues): CatalogUpdate {
  const [currency, was] = [values.currency.trim(), before.currency]
  const rates = ratesOf(values)
  return {
    ...(currency !== was && { currency: currency || null }),
    ...((currency !== was || JSON.stringify(rates) !== JSON.stringify(ratesOf(before))) && { rates }),
    ...(values.trust !== before.trust && { orders: { trust: values.trust } }),
  }
}

const ratesOf = ({ rates }: CatalogValues): Record<string, string> =>
  Object.fromEntries(rates.map(({ key, rate }) => [key.trim(), rate.trim().replace(',', '.')]))

const isCode = (text: string): boolean => /^[A-Z]{3}$/.test(text.trim())

export const rules = {
  currency: (text: string) =>
    text.trim() === '' || isCode(text) ? undefined : 'Enter a code of three capital letters, such as EUR.',
}

/** What is wrong with rates, by the names of their inputs. */
export function rateFaults({ rates, currency }: CatalogValues): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [at, { key, rate }] of rates.entries()) {
    const code = key.trim()
    if (!isCode(key)) faults[`rates.${at}.key`] = 'Enter a code such as USD.'
    else if (code === currency.trim()) faults[`rates.${at}.key`] = 'It is the reporting currency.'
    else if (rates.findIndex((other) => other.key.trim() === code) < at)
      faults[`rates.${at}.key`] = `${code} already has a rate.`
    if (!/^\s*\d{1,9}(?:[.,]\d{1,10})?\s*$/.test(rate) || !/[1-9]/.test(rate))
      faults[`rates.${at}.rate`] = 'Enter an amount above 0, such as 0.92.'
  }
  return faults
}

/** Which input an issue of the service is about. */
export function inputOf([field, part]: readonly (string | number)[], { rates }: CatalogValues): string | undefined {
  if (field === 'orders') return 'trust'
  const at = field === 'rates' ? rates.findIndex(({ key }) => key.trim() === part) : -1
  return at < 0 ? undefined : `rates.${at}.rate`
}

export const trusts: Record<CatalogValues['trust'], { label: string; effect: string }> = {
  AUTO: {
    label: 'All of them, until orders are imported',
    effect: 'From the first import of orders on, only those count that an import knows.',
  },
  SDK: {
    label: 'All of them',
    effect: 'An SDK key is public, so anybody could report an order that nobody has placed.',
  },
  CONFIRMED: {
    label: 'Only those that an import knows',
    effect: 'The SDK says which visitor placed an order, and the import that there was one.',
  },
}
