import type { Data, operations } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'

export const ordersPath = '/api/v1/projects/{projectId}/orders'
export const orderPath = `${ordersPath}/{orderId}` as const
export const summaryPath = `${ordersPath}/summary` as const

export type Order = Data<typeof orderPath, 'get'>
export type OrderSummary = Data<typeof summaryPath, 'get'>

/** What keeps orders out of results or amounts, and what to do about it. A sentence for each; none if all is well. */
export function gapsIn({
  unattributed,
  unconverted,
  withoutMargin,
  unconfirmed,
  orders,
}: OrderSummary['total']): string[] {
  return [
    ...(unattributed > 0
      ? [
          `${counted(unattributed, 'order')} without a visitor: no test counts ${them(unattributed)}. Send the visitor with each order.`,
        ]
      : []),
    ...(unconverted > 0
      ? [
          `${counted(unconverted, 'order')} in a currency without a rate: ${they(unconverted)}, but not as money. Add the rate to the settings of the catalog.`,
        ]
      : []),
    ...(withoutMargin > 0 && withoutMargin < orders
      ? [`${counted(withoutMargin, 'order')} without a margin, because the cost of an item was unknown.`]
      : []),
    ...(withoutMargin > 0 && withoutMargin === orders
      ? ['No order has a margin, because the catalog has no costs of their items.']
      : []),
    ...(unconfirmed > 0
      ? [`${counted(unconfirmed, 'order')} that no import has confirmed, so results do not count ${them(unconfirmed)}.`]
      : []),
  ]
}

const them = (count: number): string => (count === 1 ? 'it' : 'them')

const they = (count: number): string => (count === 1 ? 'it counts' : 'they count')

type NewMetric = operations['createMetric']['requestBody']['content']['application/json']

const perOrder = { eventKey: 'order', valueFrom: null } as const

/** The metrics by which shops judge tests. */
export const metricsOfOrders = (currency: string): NewMetric[] => [
  { key: 'purchase', name: 'Visitors with an order', type: 'PROPORTION', eventKey: 'order', direction: 'INCREASE' },
  {
    ...{ key: 'revenue_per_visitor', name: 'Revenue per visitor', type: 'MEAN', eventKey: 'order', valueFrom: 'value' },
    ...{ direction: 'INCREASE', unit: currency, winsorizeAt: 0.999 },
  },
  {
    ...{ key: 'margin_per_visitor', name: 'Margin per visitor', type: 'MEAN', eventKey: 'order.margin' },
    ...{ valueFrom: 'value', direction: 'INCREASE', unit: currency, winsorizeAt: 0.999 },
  },
  { key: 'orders_per_visitor', name: 'Orders per visitor', type: 'MEAN', eventKey: 'order', direction: 'INCREASE' },
  {
    ...{
      key: 'average_order_value',
      name: 'Average order value',
      type: 'RATIO',
      eventKey: 'order',
      valueFrom: 'value',
    },
    ...{ denominator: perOrder, direction: 'INCREASE', unit: currency },
  },
  {
    ...{ key: 'items_per_order', name: 'Items per order', type: 'RATIO', eventKey: 'order.items', valueFrom: 'value' },
    ...{ denominator: perOrder, direction: 'INCREASE' },
  },
  {
    ...{ key: 'refund_rate', name: 'Refund rate', type: 'RATIO', eventKey: 'order.refund', denominator: perOrder },
    direction: 'DECREASE',
  },
]
