import type { Condition } from '@svc/core'
import { z } from 'zod'
import { madeKeyField, nameField, timeField } from '../../../../fields.ts'
import { idFault, maxItemIdLength } from '../../../model/catalog/index.ts'
import { strategies } from '../models/live.ts'
import { isComparable, itemConditionIssues } from './item-conditions.ts'
import { maxBoosts, maxPins, maxShownProducts, maxStrategies } from './placement.ts'

const maxFieldLength = 120

export const productIdField = z
  .string()
  // As the catalog reads them.
  .trim()
  .max(maxItemIdLength)
  .refine((id) => idFault(id) === undefined, 'Must be the id of a product.')

const conditionText =
  'Conditions about items, as in targeting: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, or a field with an operator and a value. Fields are those of an item, such as `price` (a number), `brand`, `categories` and `attributes.size`.'
const conditionExample = { all: [{ attribute: 'condition', operator: 'equals', value: 'NEW' }] }

const itemConditionField = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of itemConditionIssues(value)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((value) => value as Condition)
  .meta({ description: conditionText, examples: [conditionExample] })

const filterField = z
  .unknown()
  .superRefine((value, context) => {
    if (value === null) return
    for (const { path, message } of itemConditionIssues(value)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((value) => value as Condition | null)
  .meta({ description: `Which items can be shown. Null: all. ${conditionText}`, examples: [conditionExample] })

const factorField = z.number().min(0.1).max(10).meta({ description: 'What the score is multiplied by.' })

const sameAsField = z
  .string()
  .max(maxFieldLength)
  .refine(isComparable, 'Must be brand, category or attributes.<name>.')
  .meta({ description: '`brand`, `category` (the deepest) or `attributes.<name>`.', examples: ['brand'] })

const boostBody = z
  .union([
    z.strictObject({ when: itemConditionField, factor: factorField }),
    z.strictObject({ sameAs: sameAsField, factor: factorField }),
  ])
  .meta({
    description: '`when`: items that pass. `sameAs`: products with the value of the first of `productIds`.',
  })

const pinBody = z.strictObject({
  productId: productIdField,
  position: z
    .int()
    .min(0)
    .max(maxShownProducts - 1)
    .meta({ description: 'Counted from 0.' }),
  from: timeField.nullable().default(null),
  until: timeField.nullable().default(null),
})

const capField = z.int().min(1).max(maxShownProducts).nullable()
const capText = (of: string) => `The most products of one ${of} in a list. Null: no limit.`

const strategyField = z
  .string()
  .min(1)
  .max(128)
  .meta({ examples: ['BOUGHT_TOGETHER'] })
const strategiesText = `What fills the list, in this order: ${strategies.join(', ')}, or the key of a model. Empty: the list has only pins.`

const variantFields = {
  sameCategory: z.boolean().meta({
    description: 'Only products of the deepest category of the first of `productIds`.',
  }),
  excludeBought: z.boolean().meta({ description: 'Leaves out what the visitor has bought.' }),
  maxPerBrand: capField.meta({ description: capText('brand') }),
  maxPerCategory: capField.meta({ description: capText('category') }),
}

const variantBody = z.strictObject({
  strategies: strategyField.array().max(maxStrategies).meta({ description: strategiesText }),
  // The document leaves out the default of what is transformed.
  filter: filterField.prefault(null),
  sameCategory: variantFields.sameCategory.default(false),
  excludeBought: variantFields.excludeBought.default(true),
  maxPerBrand: variantFields.maxPerBrand.default(null),
  maxPerCategory: variantFields.maxPerCategory.default(null),
  boosts: boostBody.array().max(maxBoosts).prefault([]),
  pins: pinBody.array().max(maxPins).default([]),
})

const variantName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const variantsField = z
  .record(
    z.string().regex(variantName, 'Must have 1 to 64 letters, digits, dots, underscores or hyphens.'),
    variantBody,
  )
  .meta({
    description:
      'By name. A request names the variant that it gets; without a name, it is `default`. So the value of a flag can choose it.',
  })

const placementFields = {
  limit: z.int().min(1).max(maxShownProducts).meta({ description: 'The most products of a list.' }),
  history: z.boolean().meta({
    description:
      'Whether lists use what the service knows of a visitor: its last products, and what it bought. SDK keys are public, so the list of a guessed visitor then tells what that visitor did.',
  }),
  includePreorder: z.boolean().meta({ description: 'Whether items in PREORDER and BACKORDER can be shown.' }),
}

export const createPlacementBody = z
  .strictObject({
    key: madeKeyField,
    name: nameField,
    limit: placementFields.limit.default(8),
    history: placementFields.history.default(false),
    includePreorder: placementFields.includePreorder.default(false),
    variants: variantsField,
  })
  .meta({
    example: {
      name: 'Product page',
      variants: { default: { strategies: ['BOUGHT_TOGETHER', 'SIMILAR', 'POPULAR'], maxPerBrand: 3 } },
    },
  })

export const updatePlacementBody = z
  .strictObject({ name: nameField, ...placementFields, variants: variantsField })
  .partial()

const shownCondition = z
  .unknown()
  .meta({ id: 'ItemCondition', description: conditionText, examples: [conditionExample] })

const variantSchema = z
  .object({
    strategies: strategyField.array().meta({ description: strategiesText }),
    filter: shownCondition.nullable(),
    ...variantFields,
    boosts: z.object({ when: shownCondition.optional(), sameAs: sameAsField.optional(), factor: factorField }).array(),
    pins: pinBody.array(),
  })
  .meta({ id: 'PlacementVariant' })

const interval = z.object({ estimate: z.number(), ciLow: z.number(), ciHigh: z.number() })

const measurementSchema = z
  .object({
    experimentId: z.string(),
    flagKey: z.string(),
    status: z.string().meta({ description: 'Of the experiment.' }),
    asOf: timeField,
    currency: z.string().nullable().meta({ description: 'The reporting currency.' }),
    visitors: z.object({ shown: z.int(), control: z.int() }),
    perVisitor: interval.meta({ description: 'The difference of revenue per visitor between `default` and `none`.' }),
    incrementalRevenue: interval.meta({ description: 'The difference times the visitors shown.' }),
    margin: z.object({ perVisitor: interval, incremental: interval }).nullable().meta({
      description:
        'The same of the margin. Null if the test does not measure it: too few orders had costs when it began.',
    }),
  })
  .meta({ id: 'PlacementMeasurement' })

export const placementSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    ...placementFields,
    variants: z.record(z.string(), variantSchema),
    measurement: measurementSchema.nullable().meta({
      description:
        'What the placement brings, by the experiment of *Measure it*. Null without the scope `results:read`, and before there is an interval.',
    }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Placement' })
