/** The fields of an item, and `deleted`, as our API names them. */
export const itemFields = [
  ...(['itemId', 'productId', 'title', 'description', 'link', 'imageLink', 'additionalImageLinks'] as const),
  ...(['availability', 'stock', 'price', 'salePrice', 'saleFrom', 'saleUntil', 'currency', 'cost'] as const),
  ...(['brand', 'gtin', 'mpn', 'sku', 'categories', 'condition', 'adult', 'labels'] as const),
] as const
export type ItemField = (typeof itemFields)[number]

/** What a column is: a field of an item, a value that several fields or none come from, or an attribute. */
export type Column = ItemField | 'saleDates' | 'customLabel' | 'attributes' | 'deleted' | 'isEligible' | 'dropped'

/** Besides our own names: those of Google's product data and of OpenAI's product feed. */
const others: Record<string, Column> = {
  id: 'itemId',
  item_group_id: 'productId',
  group_id: 'productId',
  url: 'link',
  image_url: 'imageLink',
  additional_image_link: 'additionalImageLinks',
  additional_image_urls: 'additionalImageLinks',
  sale_price_effective_date: 'saleDates',
  sale_price_start_date: 'saleFrom',
  sale_price_end_date: 'saleUntil',
  product_type: 'categories',
  product_category: 'categories',
  custom_label_0: 'customLabel',
  custom_label_1: 'customLabel',
  custom_label_2: 'customLabel',
  custom_label_3: 'customLabel',
  custom_label_4: 'customLabel',
  cost_of_goods_sold: 'cost',
  attributes: 'attributes',
  deleted: 'deleted',
  is_eligible_search: 'isEligible',
  is_eligible_checkout: 'dropped',
}

/** Case, spaces, hyphens, underscores and `g:` make no difference: `Sale Price` is `g:sale_price` is `salePrice`. */
export function spelled(name: string): string {
  const known = spellings.get(name)
  if (known !== undefined) return known
  const made = name
    .toLowerCase()
    .replace(/^\s*g:/, '')
    .replace(/[\s_-]+/g, '')
  if (spellings.size < maxSpellings && name.length <= maxKeptLength) spellings.set(name, made)
  return made
}

/** Each row of a file has the same names. */
const spellings = new Map<string, string>()
const maxSpellings = 1_000
const maxKeptLength = 100

const columns = new Map<string, Column>([
  ...itemFields.map((field) => [spelled(field), field] as const),
  ...Object.entries(others).map(([name, column]) => [spelled(name), column] as const),
])

/** Which column a spelled name is; undefined if it becomes an attribute. */
export const columnOf = (name: string): Column | undefined =>
  columns.get(name) ?? (name.startsWith('seller') ? 'dropped' : undefined)
