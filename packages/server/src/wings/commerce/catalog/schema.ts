import { z } from 'zod'
import { actorField, timeField } from '../../../fields.ts'
import { projectParams } from '../../flags/projects/index.ts'
import { availabilities, facetFields, isCurrency, itemBody, itemSchema } from '../../model/catalog/index.ts'
import { maxBatch, maxShownProblems } from './batch.ts'

const maxRates = 200
const trusts = ['AUTO', 'SDK', 'CONFIRMED'] as const

const currencyField = z.string().refine(isCurrency, 'must be a currency code of ISO 4217, such as EUR')
const rateField = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,9}(?:\.\d{1,10})?$/, 'must be a decimal text above 0, such as "0.92"')

const ratesText = 'What one unit of another currency is worth in the reporting currency: a decimal text by currency.'
const trustField = z.enum(trusts).meta({
  description:
    'Which orders count. `SDK`: all. `CONFIRMED`: those that an import knows. `AUTO`: in each environment all until its first import of orders, then those that an import knows.',
})

export const catalogSchema = z
  .object({
    currency: z
      .string()
      .nullable()
      .meta({
        description: 'The reporting currency. It is also the currency of items that are sent without one.',
        examples: ['EUR'],
      }),
    rates: z.record(z.string(), z.string()).meta({ description: ratesText, examples: [{ USD: '0.92' }] }),
    orders: z.object({
      trust: trustField,
      confirmedFrom: z.record(z.string(), timeField).meta({
        description:
          'By the id of an environment: with `AUTO`, only orders that an import knows count from this time on. It is the time of the earliest order that counts of the first import that has one: an order with a visitor that is not cancelled. Before that, the environment is missing.',
        examples: [{}],
      }),
    }),
    counts: z.object({ items: z.int(), products: z.int() }),
    revision: z.int().meta({ description: 'Grows by one with each change of items. 0 before the first.' }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Catalog' })

export const catalogBody = z
  .strictObject({
    currency: currencyField.nullable(),
    rates: z
      .record(currencyField, rateField)
      .refine((rates) => Object.keys(rates).length <= maxRates, `can have up to ${maxRates} currencies`)
      .meta({ description: `${ratesText} Replaces all rates.`, examples: [{ USD: '0.92' }] }),
    orders: z.strictObject({ trust: trustField }).partial(),
  })
  .partial()
  .meta({ example: { currency: 'EUR', rates: { USD: '0.92' } } })

export const productParams = {
  ...projectParams,
  productId: z.string().meta({ description: 'The `productId` of the items, percent-encoded.' }),
}

export const revisionParams = {
  ...projectParams,
  revision: z
    .string()
    .regex(/^\d{1,15}$/, 'Must be the number of a revision.')
    .transform(Number)
    .meta({ description: 'The number of a revision, such as `41`.' }),
}

export const productFilters = {
  q: z.string().max(200).optional().meta({
    description:
      'Words that an item of the product must all have, in title, ids, brand, SKU, GTIN, MPN, categories, labels or attributes. Their ends can be missing, and case and accents do not matter.',
  }),
  category: z.string().max(1000).optional().meta({
    description: 'Only products with an item in this category or below it, such as `Clothing > Shirts`.',
  }),
  brand: z.string().max(100).optional().meta({ description: 'Only products with an item of exactly this brand.' }),
  availability: z.enum(availabilities).optional().meta({ description: 'Only products with such an item.' }),
}

const productFields = {
  productId: z.string(),
  itemCount: z.int(),
  availableCount: z.int().meta({ description: 'How many of the items are in stock.' }),
  availability: z.enum(availabilities).meta({ description: 'That of the item which stands for the product.' }),
  ...itemSchema.pick({ title: true, link: true, imageLink: true, price: true, salePrice: true, currency: true }).shape,
  ...itemSchema.pick({ saleFrom: true, saleUntil: true, brand: true, categories: true }).shape,
}

export const productSchema = z.object(productFields).meta({
  id: 'Product',
  description:
    'A product shows the values of one item: one in stock, of these the cheapest. A filter selects a product if any of its items passes.',
})

export const maxShownItems = 200

export const wholeProductSchema = z
  .object({
    ...productFields,
    items: itemSchema.array().meta({ description: `The first ${maxShownItems} items, by \`itemId\`.` }),
  })
  .meta({ id: 'ProductWithItems' })

export const categorySchema = z
  .object({
    category: z
      .string()
      .meta({ description: 'The levels with ` > ` between them, as the filter of products takes it.' }),
    items: z.int().meta({ description: 'How many items are in exactly this category.' }),
  })
  .meta({ id: 'CatalogCategory' })

export const facetQuery = {
  field: z.enum(facetFields).default('brand').meta({
    description: '`brand`, or `category`: the levels of `categories`, as the product types of a feed.',
  }),
  find: z
    .string()
    .max(200)
    .refine((find) => !find.includes('\0'), 'Must not contain the NUL character.')
    .optional()
    .meta({ description: 'Only values with these letters. Case does not matter.' }),
  ...productFilters,
}

export const facetSchema = z
  .object({
    values: z
      .array(
        z.object({
          value: z.string().meta({ description: 'As the filter of products takes it.' }),
          products: z.int().meta({ description: 'How many products have an item with it.' }),
        }),
      )
      .meta({ description: 'The most frequent first.' }),
    hasMore: z.boolean().meta({ description: 'Whether there are more values. `find` finds them.' }),
    isWhole: z.boolean().meta({
      description: 'False if more than 200,000 items pass the other filters: then 200,000 of them are looked at.',
    }),
  })
  .meta({ id: 'CatalogFacet' })

export const batchBody = z
  .strictObject({
    upsert: itemBody.array().default([]).meta({ description: 'Items to add, or to replace as a whole.' }),
    delete: z.string().trim().array().default([]).meta({ description: 'The `itemId` of each item to remove.' }),
  })
  .refine(({ upsert, delete: removed }) => upsert.length + removed.length >= 1, {
    message: 'must have at least one item or deletion',
  })
  .refine(({ upsert, delete: removed }) => upsert.length + removed.length <= maxBatch, {
    message: `must have up to ${maxBatch} items and deletions together. Send more in several batches`,
  })
  .meta({
    example: {
      upsert: [
        {
          itemId: 'SKU-17-M',
          productId: 'G17',
          title: 'Shirt, blue, M',
          link: 'https://shop.example/p/17?v=M',
          price: '19.99',
          currency: 'EUR',
          categories: ['Clothing', 'Shirts'],
        },
      ],
      delete: ['SKU-3'],
    },
  })

const changeFields = {
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z
    .int()
    .meta({ description: 'Items that were the same already, and deletions of items that were not there.' }),
}

export const batchSchema = z
  .object({
    revision: z.int().meta({ description: 'The visible revision. It is the one of before if nothing has changed.' }),
    ...changeFields,
    warnings: z
      .object({
        itemId: z.string(),
        field: z.string(),
        code: z.enum(['cut', 'left_out', 'rounded', 'replaced']),
        message: z.string(),
      })
      .array()
      .meta({ description: `Values that were saved otherwise than sent. The first ${maxShownProblems}.` }),
    warningCount: z.int(),
  })
  .meta({ id: 'CatalogBatch' })

export const revisionSchema = z
  .object({
    revision: z.int(),
    ...changeFields,
    counts: z.object({ items: z.int(), products: z.int() }).meta({ description: 'What the revision shows.' }),
    jobId: z.string().nullable().meta({ description: 'The job that made the revision. Null for a batch.' }),
    sourceId: z.string().nullable(),
    createdAt: timeField,
    createdBy: actorField,
  })
  .meta({ id: 'CatalogRevision' })
