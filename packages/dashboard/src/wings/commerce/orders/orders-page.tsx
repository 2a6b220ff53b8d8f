import { Code, List, Stack, Text } from '@mantine/core'
import { IconShoppingCart } from '@tabler/icons-react'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Figures } from '../../../ui/layout/facts.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status, StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { money } from '../../../ui/words/money.ts'
import { ConnectButton } from '../connect-button.tsx'
import { CommerceTabs } from '../tabs.tsx'
import { gapsIn, type Order, type OrderSummary, ordersPath, summaryPath } from './order.ts'
import { OrderMetrics } from './order-metrics.tsx'

const snippet = `import { order } from '@svc/sdk/commerce'

order(client, {
  orderId: '100234', currency: 'EUR', total: '59.92', tax: '9.57', shipping: '4.95',
  items: [{ itemId: 'SKU-17-M', quantity: 3, price: '19.99' }],
}, { targetingKey: visitorId })`

/** The orders of a shop: what they add up to, what is missing, and each of them, the last one first. */
export function OrdersPage() {
  const { project } = usePlace()
  const path = { projectId: project.id }
  const query = server.useInfiniteQuery(
    'get',
    ordersPath,
    { params: { path, query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
  const summary = server.useQuery('get', summaryPath, { params: { path } })
  return (
    <Page title="Orders" description="Tests count them as revenue, margin and pieces.">
      <CommerceTabs />
      <Loaded query={query} like="table">
        {({ pages }) =>
          pages[0]?.data.length === 0 ? (
            <Stack gap="lg">
              <EmptyState
                icon={<IconShoppingCart size={36} />}
                title="No orders yet"
                action={<ConnectButton label="Import orders" page="orders" />}
              >
                Report an order when a visitor has paid, and results show revenue per visitor, not only clicks. A file
                of your shop brings refunds and what the SDK has missed.
              </EmptyState>
              <CodeSnippet label="Report an order" snippets={[{ language: 'JavaScript', code: snippet }]} />
            </Stack>
          ) : (
            <Stack gap="lg">
              <Loaded query={summary} like="cards">
                {({ data }) => <Summary summary={data} />}
              </Loaded>
              <OrderMetrics />
              <Stack gap="md">
                <OrderTable orders={pages.flatMap(({ data }) => data)} />
                <MoreButton query={query} />
              </Stack>
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

function Summary({ summary: { currency, total } }: { summary: OrderSummary }) {
  const inCurrency = (amount: string | null) => (amount === null || currency === null ? '–' : money(amount, currency))
  const figures = [
    ['Orders', total.orders.toLocaleString('en')],
    ['Revenue', inCurrency(total.revenue)],
    ['Margin', total.orders > total.withoutMargin ? inCurrency(total.margin) : 'Unknown'],
    ['Average order', inCurrency(total.averageOrder)],
    ['Refunded', inCurrency(total.refunded)],
    ['Cancelled', total.cancelled.toLocaleString('en')],
  ] as const
  const gaps = gapsIn(total)
  return (
    <Section title="Last 30 days" description="Without taxes, shipping and refunds. Days are those of UTC.">
      <Figures figures={figures} />
      {gaps.length > 0 && (
        <Notice tone="warning" title="Not all orders count in full">
          <List size="sm">
            {gaps.map((gap) => (
              <List.Item key={gap}>{gap}</List.Item>
            ))}
          </List>
        </Notice>
      )}
    </Section>
  )
}

const Unknown = () => (
  <Text span inherit c="dimmed">
    Unknown
  </Text>
)

/** A cancelled order brings nothing, whatever it was worth. */
const revenueOf = ({ reporting, status }: Order): string =>
  reporting === null || status === 'CANCELLED' ? '–' : money(reporting.revenue, reporting.currency)

function OrderTable({ orders }: { orders: Order[] }) {
  const { params } = usePlace()
  const columns: Column<Order>[] = [
    {
      title: 'Order',
      cell: ({ id, orderId }) => (
        <TextLink to="/$org/$project/commerce/orders/$order" params={{ ...params, order: id }}>
          {orderId}
        </TextLink>
      ),
    },
    { title: 'Placed', cell: ({ placedAt }) => <Time time={placedAt} /> },
    {
      title: 'State',
      cell: ({ status, counted }) =>
        counted ? <Status of="order" value={status} /> : <StatusBadge tone="warning">Unconfirmed</StatusBadge>,
    },
    { title: 'Total', cell: ({ total, currency }) => money(total, currency) },
    { title: 'Revenue', cell: revenueOf },
    { title: 'Visitor', cell: ({ unit }) => (unit === null ? <Unknown /> : <Code>{unit}</Code>) },
  ]
  return <DataTable caption="Orders" rows={orders} keyOf={({ id }) => id} columns={columns} />
}
