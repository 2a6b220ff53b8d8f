import { z } from 'zod'
import { idField, madeKeyField, nameField, timeField } from '../../../fields.ts'
import { scheduleField } from '../../../platform/jobs/schedule.ts'
import { importedStatuses } from '../../measuring/orders/index.ts'
import { availabilities, conditions, isCurrency, itemNames } from '../../model/catalog/index.ts'
import { encodings, feedFormats, itemFields } from '../feeds/index.ts'
import { lineFields, orderFields } from './orders/columns.ts'
import { defaultGuards, sourceModes, sourceTypes, supplementFields } from './source.ts'

const maxUrlLength = 2_048
const maxSecretLength = 1_000
const maxUsernameLength = 200
const maxColumnLength = 200

/** What a request has by itself. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
  'te',
  'upgrade',
  'expect',
  'trailer',
])

const isOneLine = (text: string): boolean => !/\p{Cc}/u.test(text)

const secretField = z
  .string()
  .min(1)
  .max(maxSecretLength)
  .refine(isOneLine, 'Must not contain line breaks or control characters.')
  .optional()
  .meta({
    description:
      'Answers show only its last four characters. A secret that is left out, or sent as it was shown, stays; if the address leads to a different host, it must be sent again.',
  })

const authField = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('BASIC'),
      username: z
        .string()
        .min(1)
        .max(maxUsernameLength)
        .refine((name) => isOneLine(name) && !name.includes(':'), 'Must not contain a colon or control characters.'),
      secret: secretField,
    }),
    z.strictObject({ type: z.literal('BEARER'), secret: secretField }),
    z.strictObject({
      type: z.literal('HEADER'),
      header: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Must be the name of a header, such as X-Api-Key.')
        .refine((name) => !ownHeaders.has(name.toLowerCase()), 'Each request has this header already.')
        .meta({ examples: ['X-Api-Key'] }),
      secret: secretField,
    }),
  ])
  .nullable()
  .meta({ description: 'How the file is asked for. Only the first host of a redirect gets it.' })

const shareField = z.number().min(0).max(1)
const guardsShape = {
  maxRemovedShare: shareField.meta({
    description: `Of a FULL source: the share of its live items that a sync can remove. Default: ${defaultGuards.maxRemovedShare}.`,
  }),
  maxSkippedShare: shareField.meta({
    description: `The share of the rows that can be skipped. Default: ${defaultGuards.maxSkippedShare}.`,
  }),
  maxPriceShiftShare: shareField.meta({
    description: `The share of the items whose price can more than double, fall below half or change its currency. Default: ${defaultGuards.maxPriceShiftShare}.`,
  }),
  minItems: z
    .int()
    .min(0)
    .max(10_000_000)
    .meta({ description: `Of a FULL source: how many items there must be. Default: ${defaultGuards.minItems}.` }),
}
const guardsField = z.strictObject(guardsShape).partial().meta({
  description: 'When a sync is held instead of going live. A source of ORDERS has `maxSkippedShare` alone.',
})

const modeField = z.enum(sourceModes).meta({
  description:
    'FULL: an item that the file does not have is removed. DELTA: only a row with `deleted` true removes one. Default: FULL; of ORDERS, DELTA, which they always are.',
})
const formatField = z
  .enum(['AUTO', ...feedFormats])
  .meta({ description: 'AUTO: found from the first bytes, the address and the content type. Default: AUTO.' })
const encodingField = z
  .enum(encodings)
  .meta({ description: 'Of a file without a mark of its encoding. Default: utf-8.' })
const urlField = z
  .string()
  .max(maxUrlLength)
  .nullable()
  .meta({
    description: 'An https URL on the public internet, as of a webhook. Null: files are only uploaded. Default: null.',
    examples: ['https://shop.example/feed.xml'],
  })
const mappingField = z
  .partialRecord(
    z.enum([...new Set([...itemFields, ...orderFields, ...lineFields])]),
    z.string().trim().min(1).max(maxColumnLength),
  )
  .meta({ description: 'Our field → the name of a column, which replaces those that are known for it. Default: {}.' })
const currencyField = z
  .string()
  .refine(isCurrency, 'Must be a currency code of ISO 4217 in capital letters, such as EUR.')
  .nullable()
  .meta({ description: 'Of prices without one. Default: null, and such rows are skipped.', examples: ['EUR'] })
const envField = idField.meta({ description: 'Of ORDERS alone: where the orders count. Default: Production.' })
const fieldsField = z
  .array(z.enum(supplementFields))
  .min(1)
  .max(supplementFields.length)
  .refine((fields) => new Set(fields).size === fields.length, 'Must not name a field twice.')
  .meta({ description: 'Of a SUPPLEMENT alone: what it sets. It wins over the values of the feed.' })
const typeField = z.enum(sourceTypes).meta({
  description: 'PRODUCTS: items. SUPPLEMENT: some fields of items. ORDERS: orders and refunds. Cannot change.',
})

export const createSourceBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  type: typeField,
  mode: modeField.optional(),
  format: formatField.default('AUTO'),
  encoding: encodingField.default('utf-8'),
  url: urlField.default(null),
  auth: authField.default(null),
  mapping: mappingField.default({}),
  defaultCurrency: currencyField.default(null),
  guards: guardsField.default({}),
  schedule: scheduleField.nullable().default(null),
  envId: envField.optional(),
  fields: fieldsField.optional(),
})

export const updateSourceBody = z
  .strictObject({
    name: nameField,
    mode: modeField,
    format: formatField,
    encoding: encodingField,
    url: urlField,
    auth: authField,
    mapping: mappingField,
    defaultCurrency: currencyField,
    guards: guardsField.meta({ description: 'Replaced as a whole.' }),
    schedule: scheduleField.nullable(),
    envId: envField,
    fields: fieldsField,
  })
  .partial()

export const sourceSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    type: typeField,
    mode: modeField,
    format: formatField,
    encoding: encodingField,
    url: urlField,
    auth: authField,
    mapping: mappingField,
    defaultCurrency: currencyField,
    guards: guardsField,
    schedule: scheduleField.nullable(),
    envId: envField.nullable(),
    fields: fieldsField.nullable(),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'CatalogSource' })

/** The file itself. */
export const feedFile = z.any().meta({
  id: 'CatalogFile',
  type: 'string',
  format: 'binary',
  description: 'A file of products, of their fields or of orders, also packed by gzip.',
  examples: ['id,title,link,price\nSKU-1,Shirt,https://shop.example/p/1,19.99'],
})

/** The same, where nothing else can bring it. */
export const sentFile = z
  .any()
  .refine((file) => file !== undefined && file !== null)
  .meta({
    id: 'CatalogUpload',
    type: 'string',
    format: 'binary',
    description: 'A file of products or orders, also packed by gzip.',
    examples: ['id,title,link,price\nSKU-1,Shirt,https://shop.example/p/1,19.99'],
  })

const amountField = z.string().meta({ description: 'A decimal text, such as 19.99.' })

const previewedItemSchema = z.object({
  line: z.int(),
  itemId: z.string(),
  productId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  link: z.string(),
  imageLink: z.string().nullable(),
  additionalImageLinks: z.string().array(),
  availability: z.enum(availabilities),
  stock: z.int().nullable(),
  price: amountField.nullable(),
  salePrice: amountField.nullable(),
  saleFrom: timeField.nullable(),
  saleUntil: timeField.nullable(),
  currency: z.string(),
  cost: amountField.nullable(),
  brand: z.string().nullable(),
  gtin: z.string().nullable(),
  mpn: z.string().nullable(),
  sku: z.string().nullable(),
  categories: z.string().array(),
  condition: z.enum(conditions).nullable(),
  adult: z.boolean(),
  labels: z.string().array(),
  attributes: z.record(z.string(), z.string()),
})

const previewedValuesSchema = z.object({
  line: z.int(),
  name: z.enum(itemNames).meta({ description: 'How the row names its items.' }),
  key: z.string(),
  itemIds: z.string().array().meta({ description: 'Several items can have one SKU or GTIN.' }),
  currency: z.string().meta({ description: 'Of the items, and so of the amounts.' }),
  cost: amountField.nullable().optional(),
  stock: z.int().nullable().optional(),
  salePrice: amountField.nullable().optional(),
  labels: z
    .string()
    .array()
    .optional()
    .meta({ description: 'A field that the row leaves empty is left out: the item keeps the value of its feed.' }),
})

const previewedOrderSchema = z.object({
  orderId: z.string(),
  placedAt: timeField,
  unit: z.string().nullable().meta({ description: 'The visitor; null if the file does not name one.' }),
  currency: z.string(),
  total: amountField,
  tax: amountField,
  shipping: amountField,
  discount: amountField,
  refunded: amountField,
  status: z.enum(importedStatuses),
  items: z
    .object({
      itemId: z.string(),
      quantity: z.int(),
      refundedQuantity: z.int(),
      price: amountField.meta({ description: 'Of one piece.' }),
      cost: amountField.nullable(),
    })
    .array(),
})

export const previewSchema = z
  .object({
    rows: z.int().meta({
      description: 'How many rows were read, of ORDERS how many orders: up to 100.',
    }),
    items: previewedItemSchema
      .array()
      .meta({ description: 'Of PRODUCTS: the items as a sync would store them. Otherwise empty.' }),
    values: previewedValuesSchema
      .array()
      .meta({ description: 'Of a SUPPLEMENT: what it would say about items. Otherwise empty.' }),
    orders: previewedOrderSchema
      .array()
      .meta({ description: 'Of ORDERS: the orders as an import would store them. Otherwise empty.' }),
    errors: z
      .array(
        z.object({
          line: z.int().meta({ description: 'In JSON that is read as a whole, the number of the row.' }),
          itemId: z.string().nullable(),
          code: z.string().meta({ description: 'Stable, such as `bad_price`.' }),
          message: z.string(),
          isWarning: z.boolean().meta({ description: 'The item is taken, but not all of it.' }),
        }),
      )
      .meta({ description: 'Rows that a sync would skip, and what it would leave out.' }),
    fault: z
      .object({ message: z.string(), line: z.int().nullable() })
      .nullable()
      .meta({ description: 'Why the file could not be fetched or read.' }),
  })
  .meta({ id: 'CatalogSourcePreview' })
