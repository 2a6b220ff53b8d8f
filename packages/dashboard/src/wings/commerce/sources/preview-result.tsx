import { List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { money } from '../../../ui/words/money.ts'
import { priceInWords } from '../products/product.ts'
import { byLine, type Preview, previewInWords, valuesInWords } from './preview-words.ts'
import type { Source } from './source.ts'
import classes from './sources.module.css'

const shownItems = 5
const shownErrors = 8
const shownItemIds = 4

/** What a sync would make of the first rows: what is wrong by line, and the items. */
export function PreviewResult({ preview, type }: { preview: Preview; type: Source['type'] }) {
  const { fault, items, values, orders, errors } = preview
  if (fault)
    return (
      <Notice tone="bad" says="politely" title="The file cannot be read">
        {fault.line === null ? '' : `Line ${fault.line.toLocaleString('en')}: `}
        {fault.message}
      </Notice>
    )
  const skipped = errors.filter(({ isWarning }) => !isWarning)
  const taken = items.length + values.length + orders.length
  const tone = skipped.length > 0 || taken === 0 ? 'warning' : 'good'
  return (
    <Stack gap="md">
      <Notice tone={tone} says="politely">
        {previewInWords(preview, type)}
      </Notice>
      <Errors title="Would be skipped" errors={skipped} />
      <Errors title="Would be taken in part" errors={errors.filter(({ isWarning }) => isWarning)} />
      <First noun="item" all={items}>
        {(item) => <PreviewedItem key={item.line} item={item} />}
      </First>
      <First noun="row" all={values}>
        {(row) => <PreviewedValues key={row.line} row={row} />}
      </First>
      <First noun="order" all={orders}>
        {(order) => <PreviewedOrder key={order.orderId} order={order} />}
      </First>
    </Stack>
  )
}

interface FirstProps<Row> {
  noun: string
  all: readonly Row[]
  children: (row: Row) => ReactNode
}

/** The first few of what the rows become. */
function First<Row>({ noun, all, children }: FirstProps<Row>) {
  if (all.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        {all.length > shownItems ? `The first ${shownItems} of ${counted(all.length, noun)}` : `The ${noun}s`}
      </Text>
      <ul className={classes.items}>{all.slice(0, shownItems).map(children)}</ul>
    </div>
  )
}

function PreviewedValues({ row }: { row: Preview['values'][number] }) {
  const { name, key, itemIds } = row
  return (
    <li>
      <Text size="sm" fw={600}>
        {allOf(itemIds, shownItemIds)}
      </Text>
      <Text size="xs" c="dimmed" className={classes.about ?? ''}>
        {name === 'itemId' ? '' : `By the ${name.toUpperCase()} ${key}: `}
        {valuesInWords(row)}
      </Text>
    </li>
  )
}

function PreviewedOrder({ order }: { order: Preview['orders'][number] }) {
  const { orderId, placedAt, unit, currency, total, refunded, items, status } = order
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const facts = [
    money(total, currency),
    ...(Number(refunded) > 0 ? [`${money(refunded, currency)} refunded`] : []),
    counted(pieces, 'piece'),
    unit === null ? 'no visitor' : `visitor ${unit}`,
  ]
  return (
    <li>
      <span className={classes.title}>
        <Text component="span" size="sm" fw={600}>
          {orderId}
        </Text>
        <Status of="order" value={status} />
      </span>
      <Text size="xs" c="dimmed" className={classes.about ?? ''}>
        {facts.join(' · ')} · <Time time={placedAt} />
      </Text>
    </li>
  )
}

type Item = Preview['items'][number]

function PreviewedItem({ item }: { item: Item }) {
  const { itemId, productId, title, price, brand, categories, availability, cost, currency, attributes } = item
  const facts = [
    productId === itemId ? itemId : `${itemId} of product ${productId}`,
    ...(price === null ? [] : [priceInWords({ ...item, price }, new Date())]),
    ...(cost === null ? [] : [`costs ${money(cost, currency)}`]),
    ...(brand === null ? [] : [brand]),
    ...(categories.length > 0 ? [categories.join(' > ')] : []),
    ...Object.entries(attributes).map(([name, value]) => `${name}: ${value}`),
  ]
  return (
    <li>
      <span className={classes.title}>
        <Text component="span" size="sm" fw={600}>
          {title}
        </Text>
        <Status of="item" value={availability} />
      </span>
      <Text size="xs" c="dimmed" className={classes.about ?? ''}>
        {facts.join(' · ')}
      </Text>
    </li>
  )
}

function Errors({ title, errors }: { title: string; errors: Preview['errors'] }) {
  if (errors.length === 0) return null
  const lines = byLine(errors)
  const list = (some: typeof lines) => (
    <List size="sm">
      {some.map(({ line, itemId, messages }) => (
        <List.Item key={line}>
          Line {line.toLocaleString('en')}
          {itemId === null ? '' : `, ${itemId}`}: {messages.join(' ')}
        </List.Item>
      ))}
    </List>
  )
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {list(lines.slice(0, shownErrors))}
      {lines.length > shownErrors && (
        <Disclosure summary={`${lines.length - shownErrors} more`}>{list(lines.slice(shownErrors))}</Disclosure>
      )}
    </div>
  )
}
