import type { Condition } from '@svc/core'
import { z } from 'zod'
import { visitorIdField } from '../../../../fields.ts'
import { maxShownProducts, productIdField, requestConditionIssues } from '../placements/index.ts'

const maxProducts = 50
const maxExcluded = 100
const maxCategoryLength = 1_000

/** Shops have numbers as ids, too. One that a double cannot hold would be a different id. */
const shopId = z.union([productIdField, z.int().transform(String)])

const filterField = z
  .unknown()
  .superRefine((value, context) => {
    if (value === null) return
    for (const { path, message } of requestConditionIssues(value)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((value) => value as Condition | null)
  .meta({
    description:
      'Conditions that items must pass besides those of the placement: at most 10, without `matches`, and not about `cost`, `stock`, `sourceId` and `description`.',
    examples: [{ attribute: 'attributes.size', operator: 'equals', value: 'M' }],
  })

const askedFields = {
  variant: z.string().max(64).default('default').meta({
    description: 'The variant of the placement. One that the placement does not have shows no products.',
  }),
  unit: visitorIdField
    .nullable()
    .default(null)
    .meta({ description: 'The visitor. Only placements with `history` use it.' }),
  productIds: shopId
    .array()
    .max(maxProducts)
    .default([])
    .meta({ description: 'What the page shows, or what is in the cart. It is not recommended.' }),
  category: z
    .string()
    .max(maxCategoryLength)
    .nullable()
    .default(null)
    .meta({
      description: 'For POPULAR and TRENDING: this category and those below it.',
      examples: ['Clothing > Shirts'],
    }),
  recent: z
    .strictObject({
      productId: shopId,
      action: z.string().min(1).max(64).default('product_viewed').meta({
        description: 'With `order`, the visitor has bought the product, and `productId` can also be the id of an item.',
      }),
    })
    .array()
    .max(maxProducts)
    .default([])
    .meta({ description: 'What the visitor did, the latest first.' }),
  // The document leaves out the default of what is transformed.
  filter: filterField.prefault(null),
  exclude: shopId.array().max(maxExcluded).default([]),
  limit: z.int().min(1).max(maxShownProducts).optional().meta({
    description: 'The most products. Default: the `limit` of the placement.',
  }),
}

export const requestBody = z.strictObject({ sdkKey: z.string(), placement: z.string().max(128), ...askedFields }).meta({
  id: 'RecommendationRequest',
  example: { sdkKey: '…', placement: 'product-page', unit: 'u-17', productIds: ['G17'] },
})

export type RequestBody = z.output<typeof requestBody>

export const previewBody = z.strictObject({ placement: z.string().max(128).optional(), ...askedFields }).meta({
  example: { productIds: ['G17'] },
})

const answerFields = {
  recommendationId: z.string().meta({ description: 'Names this answer in the events of its clicks.' }),
  placement: z.string(),
  variant: z.string(),
  items: z
    .object({
      productId: z.string(),
      itemId: z.string(),
      score: z.number(),
      strategy: z.string().nullable().meta({ description: 'Null: only a pin has brought the product.' }),
      pinned: z.boolean(),
      product: z.object({
        title: z.string(),
        link: z.string(),
        imageLink: z.string().nullable(),
        price: z.string(),
        salePrice: z
          .string()
          .nullable()
          .meta({ description: 'Null unless it is valid now, above 0 and below `price`.' }),
        currency: z.string(),
      }),
    })
    .array(),
}

export const answerSchema = z.object(answerFields).meta({ id: 'Recommendations' })
export type Recommendations = z.input<typeof answerSchema>

export const previewSchema = z
  .object({
    ...answerFields,
    candidates: z
      .object({
        productId: z.string(),
        strategy: z.string().nullable(),
        score: z.number().meta({ description: 'After boosts.' }),
        included: z.boolean(),
        reason: z
          .enum(['FILTERED', 'OUT_OF_STOCK', 'EXCLUDED', 'CONTEXT', 'BOUGHT', 'CAP', 'LIMIT'])
          .nullable()
          .meta({ description: 'Why the product is not in the list. Null: it is.' }),
      })
      .array()
      .meta({ description: 'Pins, then what each strategy gave, the best first: at most 2,000 products.' }),
  })
  .meta({ id: 'RecommendationPreview' })

export const requestError = z.object({ error: z.string() }).meta({ id: 'RecommendationError' })
