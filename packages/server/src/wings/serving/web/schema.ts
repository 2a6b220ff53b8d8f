import { z } from 'zod'
import { activationField, applyAtField, positionField } from '../../model/web/index.ts'

const pageOf = z.string().nullable().meta({ description: 'The key of a page; null for all pages of the experiment.' })

/** HTML as a tree: a text, or an element with its name, attributes and what is in it. */
const nodes = z.unknown().array().meta({
  description: 'HTML as a tree: each node is a text, or `[name, attributes or null, ...content]`.',
})

const acting = { page: pageOf, selector: z.string() }

const servedChange = z
  .object({
    ...acting,
    type: z.enum(['TEXT', 'HTML', 'ATTRIBUTE', 'IMAGE', 'CLASS', 'INSERT', 'MOVE']),
    value: z.union([z.string(), nodes]).nullable().optional(),
    name: z.string().optional(),
    alt: z.string().nullable().optional(),
    add: z.string().array().optional(),
    remove: z.string().array().optional(),
    to: z.string().optional(),
    position: positionField.optional(),
    own: z.literal(true).optional().meta({
      description: 'The change sets what its selector reads, such as the `href` of `a[href="/old"]`.',
    }),
  })
  .meta({ id: 'ServedWebChange' })

const servedVariation = z
  .object({
    css: z.object({ page: pageOf, text: z.string() }).array(),
    changes: servedChange.array(),
    redirect: z.object({ url: z.string(), keepQuery: z.boolean() }).nullable(),
    code: z.int().nullable().meta({ description: 'The place of its function in the script; null without code.' }),
  })
  .meta({ id: 'ServedWebVariation' })

const servedGoal = z
  .object({
    eventKey: z.string().meta({ description: 'The event that the script sends.' }),
    on: z.enum(['CLICK', 'FORM_SUBMIT', 'PAGE_VIEW', 'SEEN']),
    selector: z.string().nullable(),
    when: z.unknown().meta({ description: 'Conditions over the page; null: everywhere.' }),
  })
  .meta({ id: 'ServedWebGoal' })

/** The web document of an environment, as servers and edges get it. */
export const webDocumentSchema = z
  .object({
    schemaVersion: z.literal(1),
    revision: z.int().meta({ description: 'The revision of the data file that it belongs to.' }),
    settings: z.object({
      consent: z.enum(['NOT_REQUIRED', 'REQUIRED']),
      pending: z.enum(['HOLD', 'APPLY']),
      privacy: z.boolean(),
      maxDelayMs: z.int(),
      cookieDomain: z.string().nullable(),
    }),
    experiments: z
      .object({
        key: z.string().meta({ description: 'The key of its flag in the data file.' }),
        activation: activationField,
        activationSelector: z.string().nullable(),
        applyAt: applyAtField,
        pages: z.record(z.string(), z.unknown()).meta({ description: 'Conditions by the key of the page.' }),
        variations: z.record(z.string(), servedVariation),
      })
      .meta({ id: 'ServedWebExperiment' })
      .array(),
    goals: servedGoal.array().meta({ description: 'The triggers of the metrics of running experiments.' }),
  })
  .meta({ id: 'WebDocument' })
