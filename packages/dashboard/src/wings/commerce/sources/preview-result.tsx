import { List, Stack, Text } from '@mantine/core'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { priceInWords } from '../products/product.ts'
import { type Preview, previewInWords } from './preview-words.ts'
import classes from './sources.module.css'

const shownItems = 5
const shownErrors = 8

/** What a sync would make of the first rows: what is wrong by line, and the items. */
export function PreviewResult({ preview }: { preview: Preview }) {
  const { fault, items, errors } = preview
  if (fault)
    return (
      <Notice tone="bad" says="politely" title="The file cannot be read">
        {fault.line === null ? '' : `Line ${fault.line.toLocaleString('en')}: `}
        {fault.message}
      </Notice>
    )
  const skipped = errors.filter(({ isWarning }) => !isWarning)
  const tone = skipped.length > 0 || items.length === 0 ? 'warning' : 'good'
  return (
    <Stack gap="md">
      <Notice tone={tone} says="politely">
        {previewInWords(preview)}
      </Notice>
      <Errors title="Would be skipped" errors={skipped} />
      <Errors title="Would be taken in part" errors={errors.filter(({ isWarning }) => isWarning)} />
      {items.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb="xs">
            {items.length > shownItems ? `The first ${shownItems} of ${counted(items.length, 'item')}` : 'The items'}
          </Text>
          <ul className={classes.items}>
            {items.slice(0, shownItems).map((item) => (
              <PreviewedItem key={item.line} item={item} />
            ))}
          </ul>
        </div>
      )}
    </Stack>
  )
}

type Item = Preview['items'][number]

function PreviewedItem({ item }: { item: Item }) {
  const { itemId, productId, title, price, brand, categories, availability, cost, currency, attributes } = item
  const facts = [
    productId === itemId ? itemId : `${itemId} of product ${productId}`,
    ...(price === null ? [] : [priceInWords({ ...item, price }, new Date())]),
    ...(cost === null ? [] : [`costs ${cost} ${currency}`]),
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
  const lines = errors.map((error, at) => ({ ...error, at }))
  const list = (some: typeof lines) => (
    <List size="sm">
      {some.map(({ at, line, itemId, message }) => (
        <List.Item key={at}>
          Line {line.toLocaleString('en')}
          {itemId === null ? '' : `, ${itemId}`}: {message}
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
