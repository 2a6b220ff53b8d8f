import type { Issue } from '../../../catalogue/refusals.ts'
import type { OrderTrust } from '../../model/catalog/index.ts'

export interface SettingsEdit {
  currency?: string | null | undefined
  rates?: Record<string, string> | undefined
  orders?: { trust?: OrderTrust | undefined } | undefined
}

interface Money {
  currency: string | null
  rates: Record<string, string>
}

/**
 * Rates are in the reporting currency, so they need one, it has none itself, and they do not outlive it.
 *
 * @param isGiven whether the edit has rates
 */
export function refusesRates(before: Money, after: Money, isGiven: boolean): Issue | undefined {
  const named = Object.keys(after.rates)
  if (named.length === 0) return undefined
  if (after.currency === null)
    return { path: ['rates'], message: 'need a reporting currency. Send `currency` too, or leave the rates empty.' }
  if (before.currency !== after.currency && !isGiven)
    return {
      path: ['rates'],
      message: `are still in ${before.currency}. Send the rates for ${after.currency} with the new currency.`,
    }
  if (named.includes(after.currency))
    return { path: ['rates', after.currency], message: 'is the rate of the reporting currency itself. Leave it out.' }
  return undefined
}
