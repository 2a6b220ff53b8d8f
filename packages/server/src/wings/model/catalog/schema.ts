import { z } from 'zod'
import { availabilities, conditions, type Item } from './item.ts'
import { printAmount } from './money.ts'
import type { ItemRow } from './queries.ts'

const moneyField = z.string().meta({ examples: ['19.99'] })
const money = 'A decimal text with two to four decimals.'

const shownFields = {
  itemId: z.string().meta({ description: 'The id in the shop. Case-sensitive.' }),
  productId: z.string().meta({ description: 'Items with the same value are variants of one product.' }),
  title: z.string(),
  description: z.string().nullable(),
  link: z.url().meta({ description: 'The page of the item in the shop.' }),
  imageLink: z.url().nullable(),
  additionalImageLinks: z.url().array(),
  availability: z.enum(availabilities).meta({
    description: '`IN_STOCK` with a `stock` of 0 counts as `OUT_OF_STOCK`, and is shown so.',
  }),
  stock: z.int().nullable().meta({ description: 'How many there are. Null if unknown.' }),
  price: moneyField.meta({ description: money }),
  salePrice: moneyField.nullable().meta({ description: 'The price between `saleFrom` and `saleUntil`.' }),
  saleFrom: z.iso.datetime().nullable().meta({ description: 'Null: the sale has begun.' }),
  saleUntil: z.iso.datetime().nullable().meta({ description: 'Null: the sale has no end.' }),
  currency: z.string().meta({ description: 'The ISO 4217 code of all amounts.', examples: ['EUR'] }),
  cost: moneyField.nullable().meta({ description: 'What the shop pays for the item.' }),
  brand: z.string().nullable(),
  gtin: z.string().nullable(),
  mpn: z.string().nullable(),
  sku: z.string().nullable(),
  categories: z
    .string()
    .array()
    .meta({ description: 'From the top level down.', examples: [['Clothing', 'Shirts']] }),
  condition: z.enum(conditions).nullable(),
  adult: z.boolean(),
  labels: z.string().array(),
  attributes: z.record(z.string(), z.string()).meta({ examples: [{ color: 'blue', size: 'M' }] }),
}

export const itemSchema = z
  .object({
    ...shownFields,
    sourceId: z
      .string()
      .nullable()
      .meta({ description: 'The source that keeps the item up to date. Null if it came by the API.' }),
    revision: z.int().meta({ description: 'The revision of the catalog that brought the item as it is.' }),
  })
  .meta({ id: 'CatalogItem' })

/** An item with its amounts as texts. */
export const printItem = ({ price, salePrice, cost, ...item }: Item) => ({
  ...item,
  price: printAmount(price),
  salePrice: salePrice === null ? null : printAmount(salePrice),
  cost: cost === null ? null : printAmount(cost),
})

export const presentItem = ({ doc, availability, sourceId, revision }: ItemRow): z.input<typeof itemSchema> => ({
  ...printItem(doc),
  ...{ availability, sourceId, revision },
})

const text = z.string().nullish()
const texts = z.string().array().nullish()
const amount = text.meta({ description: 'A decimal text such as `"19.99"`. More than four decimals are rounded.' })

/**
 * An item as it is sent. Only types are checked here: `checkItem` checks the content, for items of the API as for those
 * of feeds. Null and an empty text mean that a value is absent.
 */
export const itemBody = z
  .strictObject({
    itemId: text.meta({ description: 'Required. 1 to 100 characters, case-sensitive.' }),
    productId: text.meta({
      description: 'Default: the `itemId`. Items with the same value are variants of a product.',
    }),
    title: text.meta({ description: 'Required. Cut to 500 characters.' }),
    description: text.meta({ description: 'Cut to 5,000 characters.' }),
    link: text.meta({ description: 'Required: an http or https URL.' }),
    imageLink: text,
    additionalImageLinks: texts.meta({ description: 'Up to 10.' }),
    availability: text.meta({ description: `One of ${availabilities.join(', ')}. Default: IN_STOCK.` }),
    stock: z.int().nullish().meta({ description: 'With 0, an item that is IN_STOCK counts as OUT_OF_STOCK.' }),
    price: amount.meta({ description: 'Required. A decimal text such as `"19.99"`.' }),
    salePrice: amount,
    saleFrom: text.meta({ description: 'ISO 8601. Without an offset, in UTC.' }),
    saleUntil: text,
    currency: text.meta({ description: 'An ISO 4217 code. Default: the reporting currency of the catalog.' }),
    cost: amount,
    brand: text,
    gtin: text,
    mpn: text,
    sku: text,
    categories: texts.meta({ description: 'From the top level down, up to 10 levels.' }),
    condition: text.meta({ description: `One of ${conditions.join(', ')}.` }),
    adult: z.boolean().nullish(),
    labels: texts.meta({ description: 'Up to 50.' }),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
      .nullish()
      .meta({ description: 'Up to 50. Numbers and booleans become texts.', examples: [{ color: 'blue', size: 'M' }] }),
  })
  .meta({ id: 'SentCatalogItem' })
