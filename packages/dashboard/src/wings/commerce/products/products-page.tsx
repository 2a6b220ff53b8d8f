import { IconShoppingBag } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { byCursor, server } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { PagedList } from '../../../shell/paged-list.tsx'
import { usePlace } from '../../../shell/place.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { useSettled } from '../../../ui/form/settled.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { statusOf } from '../../../ui/status/status-words.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import type { Filter } from '../../../ui/table/filters.ts'
import { Toolbar } from '../../../ui/table/toolbar.tsx'
import { ConnectButton } from '../connect-button.tsx'
import { CommerceTabs } from '../tabs.tsx'
import {
  availabilities,
  chosenIn,
  facetNote,
  facetsPath,
  type Product,
  type ProductSearch,
  priceInWords,
  productQuery,
  productSearch,
  productsPath,
  withChosen,
} from './product.ts'

const idOf = ({ productId }: Product): string => productId

/** The products of the catalog, found by words, category, brand and availability. */
export function ProductsPage() {
  const search = useSearch({ from: '/inside/$org/$project/commerce' })
  const navigate = useNavigate()
  const { project } = usePlace()
  const apply = (wanted: ProductSearch) => void navigate({ to: '.', search: productSearch(wanted), resetScroll: true })
  const query = server.useInfiniteQuery(
    'get',
    productsPath,
    { params: { path: { projectId: project.id }, query: { ...productQuery(search), limit: 50 } } },
    byCursor,
  )
  const isFiltered = Object.keys(search).length > 0
  const isEmpty = !isFiltered && query.data?.pages[0]?.data.length === 0
  return (
    <Page title="Products" description="What your shop sells, from its feeds and from programs.">
      <CommerceTabs />
      {!isEmpty && <Filters search={search} apply={apply} />}
      <PagedList
        query={query}
        noun="product"
        keyOf={idOf}
        Icon={IconShoppingBag}
        empty={{
          title: 'No products yet',
          words:
            'Connect the product feed of your shop, and it is fetched by itself. Or a program sends items, up to 1,000 at once.',
          action: <ConnectButton label="Connect a feed" page="catalog" />,
        }}
        filter={{
          subject: JSON.stringify(search),
          isFiltered,
          onClear: () => apply({}),
          nothing: 'No product matches all filters. Remove one, or clear them.',
        }}
      >
        {(products) => <Products products={products} />}
      </PagedList>
      {isEmpty && <SendItems />}
    </Page>
  )
}

/** How a program sends the first item. */
function SendItems() {
  const { project } = usePlace()
  const item = { itemId: 'MUG-4', title: 'Mug', link: 'https://shop.example/p/4', price: '8.50', currency: 'EUR' }
  const address = `${location.origin}/api/v1/projects/${project.id}/catalog/items/batch`
  const curl = `curl --request POST '${address}' \\
  --header "Authorization: Bearer $SVC_TOKEN" \\
  --header 'Content-Type: application/json' \\
  --data '${JSON.stringify({ upsert: [item] })}'`
  return (
    <CodeSnippet
      label="Send an item"
      snippets={[
        { language: 'curl', code: curl },
        { language: 'svc', code: 'svc catalog batch items.json' },
      ]}
    />
  )
}

function Products({ products }: { products: Product[] }) {
  const { params } = usePlace()
  const columns: Column<Product>[] = [
    {
      title: 'Product',
      cell: ({ productId, title }) => (
        <TextLink to="/$org/$project/commerce/products/$product" params={{ ...params, product: productId }}>
          {title}
        </TextLink>
      ),
    },
    { title: 'Price', cell: (product) => priceInWords(product, new Date()) },
    { title: 'Availability', cell: ({ availability }) => <Status of="item" value={availability} /> },
    { title: 'Items', cell: ({ itemCount, availableCount }) => `${availableCount} of ${itemCount} in stock` },
    { title: 'Brand', cell: ({ brand }) => brand ?? '' },
    { title: 'Category', cell: ({ categories }) => categories.join(' > ') },
  ]
  return <DataTable caption="Products" rows={products} keyOf={idOf} columns={columns} />
}

interface FiltersProps {
  search: ProductSearch
  apply: (search: ProductSearch) => void
}

/** Search and chips. A product must match all of them. */
function Filters({ search, apply }: FiltersProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useSettled(search.q ?? '', (q) => apply({ ...search, q }))
  useKeys({ '/': { label: 'Search the products', act: () => input.current?.focus() } })
  const filters: Filter[] = [
    useFacet('category', 'Category', search),
    useFacet('brand', 'Brand', search),
    {
      key: 'availability',
      label: 'Availability',
      options: availabilities.map((value) => ({ value, label: statusOf('item', value).words })),
    },
  ]
  return (
    <Toolbar
      search={{ text, onSearch: setText, label: 'Search titles, ids, brands and attributes', ref: input }}
      filters={filters.map((filter) => ({ ...filter, isSingle: true }))}
      chosen={chosenIn(search)}
      onChoose={(chosen) => apply(withChosen(search, chosen))}
    />
  )
}

const shownValues = 30

/** The most frequent values among the products that pass the other filters, or those of what is typed, with counts. */
function useFacet(field: 'brand' | 'category', label: string, search: ProductSearch): Filter {
  const { project } = usePlace()
  const [find, setFind] = useState('')
  const [text, onText] = useSettled(find, setFind)
  const [isOpened, setIsOpened] = useState(false)
  const query = { ...productQuery(search), field, limit: shownValues, ...(find.trim() !== '' && { find: find.trim() }) }
  const { data } = server.useQuery(
    'get',
    facetsPath,
    { params: { path: { projectId: project.id }, query } },
    // It counts many items, and most people come without a look at it.
    { enabled: isOpened, placeholderData: keepPreviousData },
  )
  const facet = data?.data
  return {
    ...{ key: field, label, search: { text, onText, onOpen: () => setIsOpened(true) } },
    options: facet?.values.map(({ value, products }) => ({ value, label: value, count: products })) ?? [],
    note: facet ? facetNote(facet, field) : 'Counting…',
  }
}
