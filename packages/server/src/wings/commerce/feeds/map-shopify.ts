/** A variant of a product of `products.json`, as a row that `checkItem` reads. */
export function mapShopify(fields: Readonly<Record<string, unknown>>, origin: string | null): Record<string, unknown> {
  const product = recordOf(fields.product)
  const variant = recordOf(fields.variant)
  const options = optionsOf(product, variant)
  const images = listOf(product.images).map((image) => recordOf(image).src)
  const own = recordOf(variant.featured_image).src
  return {
    itemId: idOf(variant.id),
    productId: idOf(product.id),
    title: typeof product.title === 'string' ? [product.title, ...Object.values(options)].join(', ') : product.title,
    link: origin !== null && typeof product.handle === 'string' ? `${origin}/products/${product.handle}` : undefined,
    imageLink: own ?? images[0],
    additionalImageLinks: images.slice(own === undefined ? 1 : 0).filter((image) => image !== own),
    availability: variant.available === false ? 'OUT_OF_STOCK' : 'IN_STOCK',
    ...pricesOf(variant),
    brand: product.vendor,
    sku: variant.sku,
    gtin: variant.barcode,
    categories: typeof product.product_type === 'string' ? product.product_type.split(' > ') : [],
    labels: typeof product.tags === 'string' ? product.tags.split(',') : product.tags,
    attributes: options,
  }
}

/** A price that was higher before is on sale. */
function pricesOf({ price, compare_at_price: before }: Record<string, unknown>): Record<string, unknown> {
  const amount = textOf(price)
  const higher = textOf(before)
  const isOnSale = typeof higher === 'string' && typeof amount === 'string' && Number(higher) > Number(amount)
  return isOnSale ? { price: higher, salePrice: amount } : { price: amount }
}

/** Shopify gives a product without options one option of this value. */
const noOption = 'Default Title'

function optionsOf(product: Record<string, unknown>, variant: Record<string, unknown>): Record<string, string> {
  const names = listOf(product.options).map((option) => recordOf(option).name)
  const options = [variant.option1, variant.option2, variant.option3].flatMap((value, at) =>
    typeof value === 'string' && value !== '' && value !== noOption
      ? [[typeof names[at] === 'string' ? (names[at] as string) : `option${at + 1}`, value] as const]
      : [],
  )
  return Object.fromEntries(options)
}

/** A number that a double cannot hold would be a different id. */
const idOf = (id: unknown): unknown => (Number.isSafeInteger(id) ? String(id) : id)

const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
