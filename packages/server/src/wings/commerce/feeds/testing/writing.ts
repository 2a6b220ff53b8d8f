import { type Item, printAmount } from '../../../model/catalog/index.ts'
import type { FeedFormat } from '../format.ts'

/** An own small writer of each format, in the ways in which shops write. */
export const writers: Record<Exclude<FeedFormat, 'SHOPIFY_JSON'>, (items: readonly Item[]) => string> = {
  GOOGLE_XML: (items) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>\n${items.map(element).join('\n')}\n</channel></rss>\n`,
  CSV: (items) => table(items, ','),
  TSV: (items) => table(items, '\t'),
  JSONL: (items) => items.map((item) => `${JSON.stringify(ours(item))}\n`).join(''),
}

/** Three decimals could be thousands. */
const decimal = (amount: number): string => printAmount(amount).replace(/\.\d{3}$/, '$&0')

const ours = (item: Item) => ({
  ...item,
  price: decimal(item.price),
  salePrice: item.salePrice === null ? null : decimal(item.salePrice),
  cost: item.cost === null ? null : decimal(item.cost),
})

const money = (amount: number | null, currency: string) => (amount === null ? null : `${decimal(amount)} ${currency}`)

/** The columns of Google. */
function columns(item: Item): [string, string | null][] {
  const { currency, saleFrom, saleUntil } = item
  return [
    ['id', item.itemId],
    ['item_group_id', item.productId],
    ['title', item.title],
    ['description', item.description],
    ['link', item.link],
    ['image_link', item.imageLink],
    ['availability', item.availability.toLowerCase()],
    ['stock', item.stock === null ? null : String(item.stock)],
    ['price', money(item.price, currency)],
    ['sale_price', money(item.salePrice, currency)],
    ['sale_price_effective_date', saleFrom || saleUntil ? `${saleFrom ?? ''}/${saleUntil ?? ''}` : null],
    ['cost_of_goods_sold', money(item.cost, currency)],
    ['brand', item.brand],
    ['gtin', item.gtin],
    ['mpn', item.mpn],
    ['sku', item.sku],
    ['product_type', item.categories.length === 0 ? null : item.categories.join(' > ')],
    ['condition', item.condition?.toLowerCase() ?? null],
    ['adult', item.adult ? 'yes' : 'no'],
    ...item.labels.slice(0, 5).map((label, at): [string, string] => [`custom_label_${at}`, label]),
    ...Object.entries(item.attributes),
  ]
}

const element = (item: Item): string => {
  const fields = columns(item).filter(([, value]) => value !== null)
  const images = item.additionalImageLinks.map((link): [string, string] => ['additional_image_link', link])
  return `<item>\n${[...fields, ...images].map(([name, value], at) => `<g:${name}>${at % 2 === 0 ? escaped(value!) : cdata(value!)}</g:${name}>`).join('\n')}\n</item>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

function table(items: readonly Item[], delimiter: string): string {
  const rows = items.map((item) => [
    ...columns(item),
    ['additional_image_link', item.additionalImageLinks.join(',')] as [string, string],
  ])
  const names = [...new Set(['id', ...rows.flat().map(([name]) => name)])]
  const line = (values: (string | null | undefined)[]) =>
    values
      .map((value) => (/["\r\n,;\t|]/.test(value ?? '') ? `"${value!.replaceAll('"', '""')}"` : (value ?? '')))
      .join(delimiter)
  return `${[names, ...rows.map((row) => names.map((name) => row.find(([each]) => each === name)?.[1]))].map(line).join('\r\n')}\r\n`
}
