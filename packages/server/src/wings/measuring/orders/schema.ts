import { z } from 'zod'
import { idField, timeField } from '../../../fields.ts'

export const orderStatuses = ['PLACED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED'] as const
export const orderOrigins = ['SDK', 'IMPORT', 'BOTH'] as const

const firstDay = '1970-01-01'

const amountField = z.string().meta({ description: 'A decimal text with two to four decimals.', example: '19.99' })

export const orderParams = { projectId: idField, orderId: idField }

const moment = z.iso.datetime({ offset: true }).optional()
/** The database stores no NUL, so it would fail rather than find nothing. */
const wordField = (length: number) =>
  z
    .string()
    .max(length)
    .refine((word) => !word.includes('\0'), 'Must not contain the NUL character.')
    .optional()
/** The runtime has a year 0, and the database has none. */
const dayField = z.iso.date().refine((day) => day >= firstDay, `Must be ${firstDay} or later.`)

export const orderFilters = {
  since: moment.meta({ description: 'Only orders placed at or after this time.' }),
  until: moment.meta({ description: 'Only orders placed before this time.' }),
  status: z.enum(orderStatuses).optional(),
  unit: wordField(512).meta({ description: 'Only orders of this visitor.' }),
  orderId: wordField(100).meta({ description: 'Only orders to which the shop has given this id.' }),
  envId: idField.optional().meta({ description: 'Only orders of this environment.' }),
}

export const orderSchema = z
  .object({
    id: z.string(),
    orderId: z.string().meta({ description: 'The id that the shop has given it. Unique in the environment.' }),
    unit: z.string().nullable().meta({ description: 'The visitor; null if nobody has named one.' }),
    envId: z.string(),
    placedAt: timeField,
    status: z.enum(orderStatuses),
    origin: z.enum(orderOrigins).meta({ description: 'Who knows the order: an SDK has sent it, or an import.' }),
    counted: z.boolean().meta({
      description: 'Whether it counts in results. The setting `orders.trust` of the catalog decides.',
    }),
    currency: z.string().meta({ description: 'Of all amounts of the order: a code of ISO 4217.' }),
    total: amountField.meta({ description: 'What the visitor paid, with taxes and shipping.' }),
    tax: amountField,
    shipping: amountField,
    discount: amountField,
    refunded: amountField,
    reporting: z
      .object({
        currency: z.string(),
        rate: z.string().meta({ description: 'What one unit of the currency of the order was worth when it arrived.' }),
        revenue: amountField.meta({
          description: '`(total − shipping − refunded) · (total − tax) / total`, at least 0, in this currency.',
        }),
        margin: amountField
          .nullable()
          .meta({ description: 'Revenue minus costs; null if the cost of an item was unknown.' }),
      })
      .nullable()
      .meta({ description: 'Null without a rate: the order counts, but not as money.' }),
    items: z
      .object({
        itemId: z.string(),
        productId: z.string().nullable().meta({ description: 'Null if the catalog did not know the item.' }),
        quantity: z.int(),
        refundedQuantity: z.int(),
        price: amountField.meta({ description: 'Of one piece.' }),
        cost: amountField.nullable().meta({ description: 'Of one piece, as it was known when the order arrived.' }),
      })
      .array(),
  })
  .meta({ id: 'Order' })

export const maxSummaryDays = 366

export const summaryQuery = {
  from: dayField.optional().meta({ description: 'The first day (UTC). Default: 29 days before `to`.' }),
  to: dayField.optional().meta({ description: 'The last day (UTC). Default: today.' }),
  envId: orderFilters.envId,
}

const figures = {
  orders: z.int().meta({ description: 'Orders that count, without cancelled ones.' }),
  revenue: amountField,
  margin: amountField.meta({ description: 'Of the orders whose margin is known.' }),
  averageOrder: amountField.nullable().meta({ description: 'Revenue of an order with a rate; null without any.' }),
  refunded: amountField,
  cancelled: z.int(),
  unattributed: z.int().meta({ description: 'Orders that count and have no visitor, so no test counts them.' }),
  unconverted: z.int().meta({ description: 'Orders that count and have no rate, so they are not in amounts.' }),
  withoutMargin: z.int().meta({ description: 'Orders that count and whose margin is unknown.' }),
  unconfirmed: z.int().meta({ description: 'Orders that do not count, because no import knows them.' }),
}

export const summarySchema = z
  .object({
    currency: z.string().nullable().meta({ description: 'Of all amounts. Null until there are orders or a setting.' }),
    days: z.object({ date: z.iso.date().meta({ example: '2026-11-20' }), ...figures }).array(),
    total: z.object(figures),
  })
  .meta({ id: 'OrderSummary' })
