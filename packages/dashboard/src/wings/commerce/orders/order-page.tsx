import { Code, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconShoppingCart } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Facts } from '../../../ui/layout/facts.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { money } from '../../../ui/words/money.ts'
import { type Order, orderPath } from './order.ts'

type Item = Order['items'][number]

const origins = {
  SDK: 'An SDK has sent it.',
  IMPORT: 'An import has brought it.',
  BOTH: 'An SDK has sent it, and an import has confirmed it.',
} as const

/** One order: what it is worth, and its items. */
export function OrderPage() {
  const { project, params } = usePlace()
  const { order: orderId } = useParams({ from: '/inside/$org/$project/commerce/orders/$order' })
  const query = server.useQuery(
    'get',
    orderPath,
    { params: { path: { projectId: project.id, orderId } } },
    { retry: false },
  )
  if (query.data) return <Shown order={query.data.data} />
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <NotFound
        noun="order"
        wanted={orderId}
        place={project.name}
        icon={<IconShoppingCart size={36} />}
        all={
          <TextLink to="/$org/$project/commerce/orders" params={params}>
            All orders
          </TextLink>
        }
      />
    )
  return (
    <Page title="Order">
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

function Shown({ order }: { order: Order }) {
  const { environments } = usePlace()
  const { currency, reporting, unit, envId } = order
  const facts: [string, ReactNode][] = [
    ['Visitor', unit === null ? 'Unknown: no test counts the order' : <Code key="unit">{unit}</Code>],
    ['Environment', environments.find(({ id }) => id === envId)?.name ?? 'Deleted'],
    ['Source', origins[order.origin]],
    ['Total', money(order.total, currency)],
    ['Taxes', money(order.tax, currency)],
    ['Shipping', money(order.shipping, currency)],
    ['Discount', money(order.discount, currency)],
    ['Refunded', money(order.refunded, currency)],
    ['Revenue', reporting ? money(reporting.revenue, reporting.currency) : `No rate for ${currency}`],
    ['Margin', reporting?.margin ? money(reporting.margin, reporting.currency) : 'Unknown'],
  ]
  const columns: Column<Item>[] = [
    { title: 'Item', cell: ({ itemId }) => <Code>{itemId}</Code> },
    { title: 'Product', cell: ({ productId }) => productId ?? <Text c="dimmed">Not in the catalog</Text> },
    { title: 'Quantity', cell: ({ quantity }) => quantity.toLocaleString('en') },
    { title: 'Refunded', cell: ({ refundedQuantity }) => refundedQuantity.toLocaleString('en') },
    { title: 'Price', cell: ({ price }) => money(price, currency) },
    { title: 'Cost', cell: ({ cost }) => (cost === null ? <Text c="dimmed">Unknown</Text> : money(cost, currency)) },
  ]
  return (
    <Page
      title={`Order ${order.orderId}`}
      description={
        <>
          <Status of="order" value={order.status} /> Placed <Time time={order.placedAt} />
        </>
      }
    >
      {!order.counted && (
        <Notice tone="warning">Results do not count this order, because no import has confirmed it.</Notice>
      )}
      <Section title="What it is worth">
        <Facts facts={facts} />
      </Section>
      <Section title="Items">
        <DataTable
          caption="Items"
          rows={order.items.map((item, place) => ({ ...item, place }))}
          keyOf={({ place }) => String(place)}
          columns={columns}
        />
      </Section>
    </Page>
  )
}
