import { Anchor, Code, List, Paper, Text, TextInput } from '@mantine/core'
import type { Data } from '@svc/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useSettled } from '../../../ui/form/settled.ts'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { money } from '../../../ui/words/money.ts'
import { ProductInput } from '../products/product-input.tsx'
import { type Placement, placementPath } from './placement.ts'
import { leftOut, needsProduct, reasonInWords, strategyName } from './placement-words.ts'
import classes from './recommendations.module.css'

const previewPath = `${placementPath}/preview` as const

type Preview = Data<typeof previewPath, 'post'>

const shownIds = 12

const idsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))].slice(0, 50)

/** What a page would get now: for the products that it shows, or those in the cart, and for a visitor. */
export function PreviewSection({ placement, variant }: { placement: Placement; variant: string }) {
  const { project } = usePlace()
  const [products, setProducts] = useState('')
  const [seen, setSeen] = useState('')
  const [unit, setUnit] = useState('')
  const [typedProducts, typeProducts] = useSettled(products, setProducts)
  const [typedSeen, typeSeen] = useSettled(seen, setSeen)
  const [typedUnit, typeUnit] = useSettled(unit, setUnit)
  const body = {
    ...{ variant, productIds: idsIn(products) },
    recent: idsIn(seen).map((productId) => ({ productId })),
    ...(unit.trim() !== '' && { unit: unit.trim() }),
  }
  const isBlank = body.productIds.length === 0 && body.recent.length === 0 && !('unit' in body)
  const query = useQuery({
    queryKey: ['get', previewPath, project.id, placement.id, placement.updatedAt, body],
    queryFn: async ({ signal }) => {
      const path = { projectId: project.id, placementId: placement.id }
      return (await api.POST(previewPath, { params: { path }, body, signal })).data!.data
    },
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="What visitors get" description="Now, and as your pages would get it. Nothing is counted.">
      <div className={classes.asked}>
        <ProductInput
          many
          label="Products on the page or in the cart"
          description="Type words of a title, or ids with commas between them."
          value={typedProducts}
          placeholder="G17, G4"
          onChange={typeProducts}
        />
        <ProductInput
          many
          label="Looked at before"
          description="The same, the last one first."
          value={typedSeen}
          onChange={typeSeen}
        />
        {placement.history && (
          <TextInput
            label="Visitor"
            description="As your SDK sends it. What is known is that of Production."
            value={typedUnit}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => typeUnit(event.currentTarget.value)}
          />
        )}
      </div>
      <Loaded query={query} like="cards">
        {(preview) => (
          <Shelf
            preview={preview}
            limit={placement.limit}
            nothing={
              isBlank && needsProduct(placement.variants[variant]!)
                ? 'No product yet. This list is made for one: choose it above.'
                : 'No product. A page that gets none shows nothing.'
            }
          />
        )}
      </Loaded>
    </Section>
  )
}

interface ShelfProps {
  preview: Preview
  limit: number
  /** What to say without a product. */
  nothing: string
}

function Shelf({ preview: { items, candidates }, limit, nothing }: ShelfProps) {
  return (
    <>
      <Text size="sm" role="status">
        {items.length === 0 ? nothing : `${items.length} of up to ${counted(limit, 'product')}.`}
      </Text>
      {items.length > 0 && (
        <ol className={classes.shelf} aria-label="The list">
          {items.map((item, at) => (
            <Paper component="li" withBorder p="sm" radius="md" key={item.productId}>
              <Card item={item} place={at + 1} />
            </Paper>
          ))}
        </ol>
      )}
      <LeftOut candidates={candidates} />
    </>
  )
}

function Card({ item, place }: { item: Preview['items'][number]; place: number }) {
  const { params } = usePlace()
  const { productId, strategy, pinned, score, product } = item
  const { title, price, salePrice, currency, imageLink } = product
  return (
    <div className={classes.card}>
      <span className={classes.place}>
        <Text component="span" size="xs" c="dimmed">
          {place}
        </Text>
        <StatusBadge tone="note">{pinned ? 'Pinned' : strategyName(strategy)}</StatusBadge>
      </span>
      <TextLink to="/$org/$project/commerce/products/$product" params={{ ...params, product: productId }}>
        {title}
      </TextLink>
      <Text size="sm">
        {salePrice === null
          ? money(price, currency)
          : `${money(salePrice, currency)}, usually ${money(price, currency)}`}
      </Text>
      <Text size="xs" c="dimmed">
        <Code>{productId}</Code> {pinned ? '' : `score ${Number(score.toPrecision(3))}`}
        {imageLink !== null && (
          <>
            {' '}
            <Anchor href={imageLink} target="_blank" rel="noreferrer" size="xs">
              Image
            </Anchor>
          </>
        )}
      </Text>
    </div>
  )
}

/** Why products that a strategy gave are not in the list. */
function LeftOut({ candidates }: { candidates: Preview['candidates'] }) {
  const all = leftOut(candidates)
  if (all.length === 0) return null
  const count = all.reduce((sum, each) => sum + each.count, 0)
  return (
    <Disclosure summary={`${counted(count, 'product')} left out`}>
      <List size="sm">
        {all.map(({ reason, count: many, of }) => (
          <List.Item key={reason}>
            {reasonInWords(reason)}: {counted(many, 'product')} (
            {allOf(
              of.map(({ productId }) => productId),
              shownIds,
            )}
            )
          </List.Item>
        ))}
      </List>
    </Disclosure>
  )
}
