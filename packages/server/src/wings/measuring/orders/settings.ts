import { invalid, type Refusal } from '../../../catalogue/refusals.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { holdCurrency, type MoneySettings, minorUnits } from '../../model/catalog/index.ts'
import type { EventStore } from '../events/index.ts'
import { fillRates, hasOrders, noteFilled, noteUnconfirmed } from './queries.ts'

interface Change {
  projectId: string
  before: MoneySettings
  after: MoneySettings
  now: Date
}

/**
 * Lets the orders of a project follow its settings, in the transaction that changes them: a new rate makes money of orders
 * that had none, and with another trust, orders that no import knows begin to count or no longer do. Amounts are stored in
 * the reporting currency, so it stays once there are orders.
 */
export async function followSettings(
  tx: Tx,
  events: Pick<EventStore, 'numberIn'>,
  { projectId, before, after, now }: Change,
): Promise<Refusal | undefined> {
  const { currency, rates } = after
  const isOther = currency !== before.currency
  const added = Object.entries(rates).filter(([of]) => before.rates[of] === undefined)
  const hasOtherTrust = after.orderTrust !== before.orderTrust
  if (!isOther && added.length === 0 && !hasOtherTrust) return undefined
  if (isOther || added.length > 0) await holdCurrency(tx, projectId)
  if (isOther && (await hasOrders(tx, projectId)))
    return invalid({
      path: ['currency'],
      message: `must stay ${before.currency}: the orders of the project are counted in it.`,
    })
  if (currency === null || (added.length === 0 && !hasOtherTrust)) return undefined
  const reporting = { currency, digits: minorUnits(currency) }
  const news = added.map(([of, rate]) => ({ currency: of, rate }))
  if (news.length > 0) await fillRates(tx, projectId, news, { reporting, now })
  // As late as orders do: a snapshot that waits for its position makes the events of all projects wait.
  const batch = await events.numberIn(tx)
  if (news.length > 0) await noteFilled(tx, projectId, news, { batch, now })
  if (hasOtherTrust) await noteUnconfirmed(tx, projectId, { batch, now })
  return undefined
}
