import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { momentOf } from '../values/moments.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'
import { waitFor } from './job.ts'
import { sendTo } from './source.ts'

const listPath = '/api/v1/projects/{projectId}/orders'
const itemPath = `${listPath}/{orderId}` as const
const summaryPath = `${listPath}/summary` as const

type Order = Data<typeof itemPath, 'get'>
type Summary = Data<typeof summaryPath, 'get'>

const statuses = ['PLACED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED'] as const
const inEnvironment = 'With an environment, only its orders.'

/** The environment that is named, if one is. */
const ofEnvironment = ({ settings }: Session) => settings.env && { envId: settings.env.value }

const list = command({
  name: 'order list',
  summary: 'List orders; those placed last come first.',
  about: inEnvironment,
  options: {
    since: { value: 'TIME', about: 'Placed from this time on, such as 2026-12-01T08:00:00Z or 2h.' },
    until: { value: 'TIME', about: 'Placed before this time.' },
    status: { value: 'STATUS', about: 'Only orders with this status.', choices: statuses },
    visitor: { value: 'ID', about: 'Only orders of this visitor.' },
    'order-id': { value: 'ID', about: 'Only the order to which the shop has given this id.' },
    ...limitOption,
  },
  examples: ['svc order list --since 1d', 'svc order list --order-id 100234'],
  async run({ options, session }) {
    const { connection, project, output, world } = session
    const { since, until, status, visitor } = options
    const wanted = {
      ...(since !== undefined && { since: momentOf(since, '--since', world.now()) }),
      ...(until !== undefined && { until: momentOf(until, '--until', world.now()) }),
      ...(status !== undefined && { status: status as Order['status'] }),
      ...(visitor !== undefined && { unit: visitor }),
      ...(options['order-id'] !== undefined && { orderId: options['order-id'] }),
      ...ofEnvironment(session),
    }
    const orders = await allOf(
      (query) =>
        connection.api.GET(listPath, { params: { path: { projectId: project }, query: { ...query, ...wanted } } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(orders, () =>
      output.rows(
        [
          { head: 'ID', cell: ({ id }) => id },
          { head: 'ORDER', cell: ({ orderId }) => orderId },
          { head: 'PLACED', cell: ({ placedAt }) => shownTime(placedAt) },
          { head: 'STATUS', cell: (order) => order.status },
          { head: 'TOTAL', cell: ({ total, currency }) => `${total} ${currency}` },
          { head: 'REVENUE', cell: revenueOf },
          { head: 'VISITOR', cell: ({ unit }) => unit },
          { head: 'KNOWN BY', cell: ({ origin }) => origin },
          { head: 'COUNTS', cell: ({ counted }) => (counted ? 'yes' : 'no') },
        ],
        orders,
        'No order matches. Orders come from SDKs and files: see /docs/orders of the service.',
      ),
    )
  },
})

const get = command({
  name: 'order get',
  summary: 'Show an order with its items.',
  args: ['ORDER'],
  async run({ args, session }) {
    const { connection, project, output } = session
    const { data } = await connection.api.GET(itemPath, {
      params: { path: { projectId: project, orderId: args.ORDER } },
    })
    const order = data!.data
    output.data(order, () => {
      output.details([
        ['Order', order.orderId],
        ['Placed', shownTime(order.placedAt)],
        ['Status', order.status],
        ['Visitor', order.unit],
        ['Source', order.origin],
        ['Counts', order.counted ? 'yes' : 'no: no import has confirmed it'],
        ['Total', `${order.total} ${order.currency}`],
        ['Taxes', order.tax],
        ['Shipping', order.shipping],
        ['Discount', order.discount],
        ['Refunded', order.refunded],
        ['Revenue', revenueOf(order)],
        ['Margin', order.reporting?.margin ?? 'unknown'],
      ])
      output.rows(
        [
          { head: 'ITEM', cell: ({ itemId }) => itemId },
          { head: 'PRODUCT', cell: ({ productId }) => productId },
          { head: 'PIECES', cell: ({ quantity }) => quantity },
          { head: 'REFUNDED', cell: ({ refundedQuantity }) => refundedQuantity },
          { head: 'PRICE', cell: ({ price }) => price },
          { head: 'COST', cell: ({ cost }) => cost },
        ],
        order.items,
        'The order has no items.',
      )
    })
  },
})

const summary = command({
  name: 'order summary',
  summary: 'Add up orders by day of UTC.',
  about: inEnvironment,
  options: {
    from: { value: 'DAY', about: 'The first day, such as 2026-12-01. Default: 29 days before --to.' },
    to: { value: 'DAY', about: 'The last day. Default: today.' },
  },
  examples: ['svc order summary --from 2026-11-01 --to 2026-11-30'],
  async run({ options, session }) {
    const { connection, project, output } = session
    const { from, to } = options
    const query = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...ofEnvironment(session),
    }
    const { data } = await connection.api.GET(summaryPath, { params: { path: { projectId: project }, query } })
    const { days, total } = data!.data
    output.data(data!.data, () =>
      output.rows(
        [
          { head: 'DAY', cell: ({ date }) => date },
          { head: 'ORDERS', cell: ({ orders }) => orders },
          { head: 'REVENUE', cell: ({ revenue }) => revenue },
          { head: 'MARGIN', cell: ({ margin }) => margin },
          { head: 'REFUNDED', cell: ({ refunded }) => refunded },
          { head: 'CANCELLED', cell: ({ cancelled }) => cancelled },
          { head: 'NO VISITOR', cell: ({ unattributed }) => unattributed },
          { head: 'UNCONFIRMED', cell: ({ unconfirmed }) => unconfirmed },
        ],
        [...days.filter(hasOrders), { date: 'all', ...total }],
        'There are no orders.',
      ),
    )
  },
})

const importing = command({
  name: 'order import',
  summary: 'Send a file of orders to a source of ORDERS, and wait until they are stored.',
  about: 'CSV with an item on each line, or JSONL with an order on each line. The same order once more changes it.',
  args: ['SOURCE', 'FILE'],
  keys: { SOURCE: 'catalog_source' },
  options: { apply: { value: 'JOB', about: 'The held job of the source whose file this is, to apply it.' } },
  examples: ['svc order import shop-orders orders.csv', 'svc order import shop-orders - < refunds.jsonl'],
  async run({ args, options, session }) {
    await waitFor(session, await sendTo(session, args.SOURCE, args.FILE, options.apply))
  },
})

export const order: Group = {
  name: 'order',
  summary: 'Orders of shops, and what they add up to.',
  commands: [list, get, summary, importing],
}

const revenueOf = ({ reporting }: Order): string | null =>
  reporting ? `${reporting.revenue} ${reporting.currency}` : null

const hasOrders = ({ orders, cancelled, unconfirmed }: Summary['days'][number]): boolean =>
  orders + cancelled + unconfirmed > 0
