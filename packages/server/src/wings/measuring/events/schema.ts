import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { maxItemIdLength } from '../../model/catalog/index.ts'
import { maxErrorMessageLength, maxEventKeyLength, maxFacts, maxUnitLength, maxValue, minValue } from './event.ts'
import { maxIdLength } from './event-id.ts'
import type { RejectionCode } from './fault.ts'
import { maxOrderIdLength, maxOrderItems, maxQuantity } from './order.ts'

export const maxEvents = 500

const rejectionCodes = [
  'validation_failed',
  'unsupported_type',
  'ingest_key_required',
  'unknown_rule',
  'unknown_variation',
  'other_variation',
] as const satisfies readonly RejectionCode[]

const facts = z.record(z.string(), z.unknown())

const commonFields = {
  id: z.string().min(1).max(maxIdLength).meta({
    description:
      'Chosen by the sender: any text, such as a UUID or the id of an order. An event whose id the environment received in the last 7 days counts as a duplicate, so repeat a request with the same ids. UUIDs of version 7 are stored fastest.',
  }),
  ts: z.union([timeField, z.number()]).meta({
    description:
      'When it happened: an ISO 8601 time, or milliseconds since 1970. A time in the future or more than 30 days ago is replaced by the time of arrival.',
  }),
  unit: z
    .string()
    .min(1)
    .max(maxUnitLength)
    .meta({ description: 'The visitor: the value by which the rule assigns variations.' }),
}

const exposureSchema = z
  .object({
    type: z.literal('exposure'),
    ...commonFields,
    ruleId: z.string().meta({ description: 'The rule: its short id as text, as in the data file.' }),
    variationKey: z.string(),
    flagKey: z.string().optional(),
    reason: z
      .string()
      .optional()
      .meta({ description: '`OVERRIDE`: an allowlist set the variation. The exposure is counted separately.' }),
    context: facts.optional().meta({
      description: `Dimensions by which results can be split: the first ${maxFacts} texts, numbers and booleans. \`userAgent\` shows whether the visitor is a bot.`,
    }),
  })
  .meta({ id: 'ExposureEvent' })

const trackSchema = z
  .object({
    type: z.literal('track'),
    ...commonFields,
    eventKey: z.string().min(1).max(maxEventKeyLength),
    value: z
      .number()
      .min(-maxValue)
      .max(maxValue)
      .nullable()
      .optional()
      .meta({ description: `A value between -${minValue} and ${minValue} counts as 0.` }),
    properties: facts.optional().meta({
      description:
        'Facts about the event. Of these, only `productId` is stored, from which recommendations learn: a text of up to 100 characters, or a whole number. Of the event `order`, they are the order.',
    }),
  })
  .meta({ id: 'TrackEvent' })

const amount = z.union([z.string(), z.number()])
const shopId = (maxLength: number) => z.union([z.string().min(1).max(maxLength), z.int()])

const orderSchema = z
  .object({
    type: z.literal('order'),
    ...commonFields,
    order: z.object({
      orderId: shopId(maxOrderIdLength).meta({
        description:
          'The id that the shop has given it, a text or a whole number. Of an id, the first order counts; others are duplicates.',
      }),
      currency: z.string().meta({ description: 'A code of ISO 4217 in capital letters.' }),
      total: amount.meta({
        description:
          'What the visitor pays, with taxes and shipping. Amounts are decimal texts or numbers with at most 4 decimals.',
      }),
      tax: amount.optional(),
      shipping: amount.optional(),
      discount: amount.optional().meta({ description: 'What was taken off. It is not in `total`.' }),
      items: z
        .object({
          itemId: shopId(maxItemIdLength),
          quantity: z.int().min(1).max(maxQuantity),
          price: amount.meta({ description: 'Of one piece.' }),
        })
        .array()
        .min(1)
        .max(maxOrderItems),
    }),
  })
  .meta({
    id: 'OrderEvent',
    description:
      'A visitor has placed an order. A tracked event `order` with the fields of `order` as `properties` means the same.',
  })

const errorSchema = z
  .object({
    type: z.literal('error'),
    ...commonFields,
    ruleId: exposureSchema.shape.ruleId,
    variationKey: z.string().meta({
      description: 'The variation whose code threw. It counts only if the data file gives the unit this variation.',
    }),
    codeVersion: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The version of the code in the script. Errors of an earlier code do not count.' }),
    message: z.string().meta({ description: `The first ${maxErrorMessageLength} characters are kept.` }),
    line: z.int().min(1).nullable().optional().meta({ description: 'Within the code, from 1.' }),
  })
  .meta({
    id: 'ErrorEvent',
    description: 'The code of a variation threw an error. The script of web experiments sends it.',
  })

/** Describes the body. `event.ts` reads it. */
export const describedEvents = z
  .object({
    sdkKey: z.string(),
    events: z
      .discriminatedUnion('type', [exposureSchema, trackSchema, orderSchema, errorSchema])
      .array()
      .max(maxEvents),
  })
  .meta({
    id: 'Events',
    example: {
      sdkKey: 'sdk_1f9c0a7e5b3d',
      events: [
        {
          type: 'exposure',
          id: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11',
          ts: '2026-11-20T10:00:00.000Z',
          unit: 'u-17',
          flagKey: 'new-checkout',
          ruleId: '1',
          variationKey: 'on',
          context: { country: 'NL' },
        },
        {
          type: 'track',
          id: '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b55',
          ts: '2026-11-20T10:02:31.000Z',
          unit: 'u-17',
          eventKey: 'order_paid',
          value: 49.9,
        },
      ],
    },
  })

export const eventsAnswer = z
  .object({
    accepted: z.int().meta({ description: 'How many events were stored now.' }),
    duplicates: z.int().meta({ description: 'How many were duplicates: they had been stored before.' }),
    rejected: z
      .object({
        index: z.int().meta({ description: 'The place of the event in the request, counted from 0.' }),
        code: z.enum(rejectionCodes),
        message: z.string(),
      })
      .array()
      .meta({ description: 'Events that were rejected. Sending them again changes nothing.' }),
  })
  .meta({
    id: 'EventsAnswer',
    example: {
      accepted: 1,
      duplicates: 0,
      rejected: [{ index: 1, code: 'unknown_rule', message: 'ruleId "99" is not a rule of this environment.' }],
    },
  })

export const eventsError = z.object({ error: z.string() }).meta({
  id: 'EventsError',
  description: 'Unlike other errors, this is only a text for people.',
  example: { error: 'Unknown SDK key' },
})
