import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconShoppingBag } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { type Item, priceInWords, productPath, whyUnavailable } from './product.ts'

/** A product with its items, and why visitors cannot buy them. */
export function ProductPage() {
  const { project, params } = usePlace()
  const { product: productId } = useParams({ from: '/inside/$org/$project/commerce/products/$product' })
  const query = server.useQuery(
    'get',
    productPath,
    { params: { path: { projectId: project.id, productId } } },
    { retry: false },
  )
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <NotFound
        noun="product"
        wanted={productId}
        place={project.name}
        icon={<IconShoppingBag size={36} />}
        all={
          <TextLink to="/$org/$project/commerce" params={params}>
            All products
          </TextLink>
        }
      />
    )
  const product = query.data?.data
  return (
    <Page
      title={product?.title ?? 'Product'}
      description={product && <Status of="item" value={product.availability} />}
    >
      <Loaded query={query} like="table">
        {({ data: { items, itemCount, availableCount, brand, categories } }) => (
          <>
            <Text size="sm">{[brand, categories.join(' > '), `product ${productId}`].filter(Boolean).join(' · ')}</Text>
            <Section title="Items" description={`${availableCount} of ${itemCount} in stock.`}>
              {items.length < itemCount && <Text size="sm">The first {items.length} items, by their ids.</Text>}
              <DataTable caption="Items" rows={items} keyOf={({ itemId }) => itemId} columns={columns} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The dashboard loads nothing from hosts of shops (docs/decisions/0093), so an image is behind a link. */
function ImageLink({ item: { imageLink, title } }: { item: Item }) {
  if (imageLink === null) return <Text c="dimmed">None</Text>
  return (
    <Anchor href={imageLink} target="_blank" rel="noreferrer">
      Image<VisuallyHidden> of {title}</VisuallyHidden>
    </Anchor>
  )
}

const columns: Column<Item>[] = [
  {
    title: 'Item',
    cell: ({ itemId, link }) => (
      <Anchor href={link} target="_blank" rel="noreferrer">
        {itemId}
      </Anchor>
    ),
  },
  { title: 'Title', cell: ({ title }) => title },
  { title: 'Image', cell: (item) => <ImageLink item={item} /> },
  { title: 'Price', cell: (item) => priceInWords(item, new Date()) },
  {
    title: 'Availability',
    cell: (item) => (
      <>
        <Status of="item" value={item.availability} /> {whyUnavailable(item)}
      </>
    ),
  },
  { title: 'Stock', cell: ({ stock }) => stock ?? 'Unknown' },
  {
    title: 'Attributes',
    cell: ({ attributes }) =>
      Object.entries(attributes)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  },
]
