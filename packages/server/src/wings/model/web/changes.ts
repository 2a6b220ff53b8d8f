import { z } from 'zod'
import { addressFault } from './address.ts'
import { attributeNameFault, attributeValueFault } from './attribute.ts'
import { maxHtmlLength, parseHtml } from './html.ts'
import { protectedElements } from './html-elements.ts'
import { innerNameField, repeatedIn } from './pages.ts'
import { selectorFault, selectorField, subjectsOf } from './selector.ts'
import { cssFault, maxCssLength, propertyFault, styleValueFault } from './style.ts'

export const maxChanges = 100
export const maxTextLength = 5000
const maxProperties = 50
const maxClasses = 50
const maxClassLength = 200
const maxAttributeValueLength = 5000
const maxAddressLength = 20_000

const refusing = (faultOf: (value: string) => string | undefined) => (value: string, context: z.RefinementCtx) => {
  const fault = faultOf(value)
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `${fault}.` })
}

const textFault = (text: string): string | undefined => {
  if (!text.isWellFormed()) return 'must not contain half of a character'
  return /[^\P{Cc}\t\n\r]/u.test(text) ? 'must not contain control characters' : undefined
}

const textField = z.string().max(maxTextLength).superRefine(refusing(textFault))

const htmlField = z
  .string()
  .superRefine((html, context) => {
    const read = parseHtml(html)
    if ('faults' in read) for (const fault of read.faults) context.addIssue({ code: 'custom', message: `${fault}.` })
  })
  .meta({
    maxLength: maxHtmlLength,
    description:
      'Complete HTML: every element is closed, and nothing is left for a parser to repair. Elements and attributes that load or run something are refused.',
  })

const imageField = z
  .string()
  .min(1)
  .superRefine(refusing((address) => addressFault(address, 'image')))
  .meta({ maxLength: maxAddressLength, description: 'An http, https or relative address, or a data image.' })

const classesField = z
  .array(
    z
      .string()
      .min(1)
      .max(maxClassLength)
      .refine((name) => !/[\s\p{Cc}]/u.test(name), 'must be the name of one class, without spaces.'),
  )
  .max(maxClasses)
  .default([])

const styleField = z
  .record(z.string(), z.string().superRefine(refusing(styleValueFault)))
  .superRefine((style, context) => {
    const properties = Object.keys(style)
    if (properties.length === 0) context.addIssue({ code: 'custom', message: 'must have at least one property.' })
    if (properties.length > maxProperties)
      context.addIssue({ code: 'custom', message: `must have at most ${maxProperties} properties.` })
    for (const property of properties.slice(0, maxProperties)) {
      const fault = propertyFault(property)
      if (fault !== undefined) context.addIssue({ code: 'custom', path: [property], message: ended(fault) })
    }
  })
  .meta({
    ...{ minProperties: 1, maxProperties },
    description: 'Values by CSS property. `!important` is added by itself.',
    examples: [{ 'background-color': '#0055ff' }],
  })

const ended = (fault: string): string => (fault.endsWith('?') ? fault : `${fault}.`)

const shared = {
  id: innerNameField.meta({ description: 'Unique in the set. People and differences name the change by it.' }),
  page: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .meta({ description: 'The key of a page of the experiment; null acts on all of its pages.' }),
  selector: selectorField,
  was: textField
    .nullable()
    .default(null)
    .meta({ description: 'What the element showed before. For people; it is never sent to visitors.' }),
}

export const positions = ['BEFORE', 'AFTER', 'FIRST', 'LAST'] as const
export const positionField = z.enum(positions).meta({
  description: 'BEFORE and AFTER are beside the element that the selector finds, FIRST and LAST are inside of it.',
})

const isBeside = (position: unknown): boolean => position === 'BEFORE' || position === 'AFTER'
const besideBody = 'must be FIRST or LAST, because nothing can stand beside body.'

/** A selector of a change that writes into elements, or their attributes. Scripts, frames and the head are out of reach. */
const writableField = selectorField.superRefine(
  refusing((selector) => {
    const name = subjectsOf(selector).find((subject) => protectedElements.has(subject))
    if (name === undefined) return undefined
    return `must not find ${name}: it loads or runs something. HIDE, STYLE, CLASS and MOVE can act on it`
  }),
)

const attributeValueField = z.string().max(maxAttributeValueLength).superRefine(refusing(textFault))

const textChange = z
  .strictObject({ type: z.literal('TEXT'), ...shared, selector: writableField, value: textField })
  .meta({ id: 'WebTextChange' })
const htmlChange = z
  .strictObject({
    type: z.literal('HTML'),
    ...shared,
    selector: writableField.superRefine(
      refusing((selector) =>
        subjectsOf(selector).includes('body')
          ? 'must not find body: its scripts would lose their place. Replace elements in it, or insert into it'
          : undefined,
      ),
    ),
    value: htmlField,
  })
  .meta({ id: 'WebHtmlChange' })
const attributeChange = z
  .strictObject({
    type: z.literal('ATTRIBUTE'),
    ...shared,
    selector: writableField,
    name: z.string().superRefine(refusing(attributeNameFault)),
    value: attributeValueField.nullable().meta({ description: 'Null removes the attribute.' }),
  })
  .superRefine(
    whatever(({ name, value }, refuse) => {
      if (typeof name !== 'string' || typeof value !== 'string' || attributeNameFault(name) !== undefined) return
      const fault = attributeValueFault(name, value)
      if (fault !== undefined) refuse('value', `${fault}.`)
    }),
    { when: () => true },
  )
  .meta({ id: 'WebAttributeChange' })
const imageChange = z
  .strictObject({
    type: z.literal('IMAGE'),
    ...shared,
    selector: writableField,
    value: imageField,
    alt: textField.nullable().default(null).meta({ description: 'The alternative text. Null leaves it alone.' }),
  })
  .meta({ id: 'WebImageChange' })
const classChange = z
  .strictObject({ type: z.literal('CLASS'), ...shared, add: classesField, remove: classesField })
  .superRefine(
    whatever(({ add = [], remove = [] }, refuse) => {
      if (!Array.isArray(add) || !Array.isArray(remove)) return
      if (add.length + remove.length === 0) refuse('add', 'must not be empty, because remove is empty too.')
      const both = add.find((name) => remove.includes(name))
      if (both !== undefined) refuse('remove', `must not name a class that add names: ${String(both).slice(0, 100)}.`)
    }),
    { when: () => true },
  )
  .meta({ id: 'WebClassChange' })
const styleChange = z
  .strictObject({ type: z.literal('STYLE'), ...shared, value: styleField })
  .meta({ id: 'WebStyleChange' })
const hideChange = z
  .strictObject({
    type: z.literal('HIDE'),
    ...shared,
    keepSpace: z.boolean().default(false).meta({ description: 'Whether the element keeps its place, empty.' }),
  })
  .meta({ id: 'WebHideChange' })
const insertChange = z
  .strictObject({
    type: z.literal('INSERT'),
    ...shared,
    selector: writableField,
    value: htmlField.refine((html) => html !== '', 'must not be empty.'),
    position: positionField,
  })
  .superRefine(
    whatever(({ selector, position }, refuse) => {
      if (typeof selector === 'string' && isBeside(position) && subjectsOf(selector).includes('body'))
        refuse('position', besideBody)
    }),
    { when: () => true },
  )
  .meta({ id: 'WebInsertChange' })
/** What a page shows can stand neither beside these nor directly inside of them. */
const rootElements: ReadonlySet<string> = new Set(['html', 'head'])
/** Elements that stay where they are. */
const fixedElements: ReadonlySet<string> = new Set([...rootElements, 'body'])
const moveChange = z
  .strictObject({
    type: z.literal('MOVE'),
    ...shared,
    to: selectorField.meta({ description: 'The selector of the element beside or into which it moves.' }),
    position: positionField,
  })
  .superRefine(
    whatever(({ selector, to, position }, refuse) => {
      const fixed = typeof selector === 'string' && subjectsOf(selector).find((subject) => fixedElements.has(subject))
      if (fixed) refuse('selector', `must not find ${fixed}: the whole page would move.`)
      const root = typeof to === 'string' && subjectsOf(to).find((subject) => rootElements.has(subject))
      if (root) refuse('to', `must not find ${root}: an element moves to a place in the body.`)
      if (typeof to === 'string' && isBeside(position) && subjectsOf(to).includes('body'))
        refuse('position', besideBody)
      if (typeof to === 'string' && to === selector && selectorFault(to) === undefined)
        refuse('to', 'must be different from selector.')
    }),
    { when: () => true },
  )
  .meta({ id: 'WebMoveChange' })

/** One thing that a variation changes on a page. */
export const changeSchema = z.discriminatedUnion('type', [
  textChange,
  htmlChange,
  attributeChange,
  imageChange,
  classChange,
  styleChange,
  hideChange,
  insertChange,
  moveChange,
])

export type Change = z.output<typeof changeSchema>
export type ChangeType = Change['type']

/** A check of several fields, which runs whatever is wrong with others: an answer names every fault. */
function whatever(check: (fields: Record<string, unknown>, refuse: (field: string, message: string) => void) => void) {
  return (value: unknown, context: z.RefinementCtx) => {
    if (typeof value !== 'object' || value === null) return
    check(value as Record<string, unknown>, (field, message) =>
      context.addIssue({ code: 'custom', path: [field], message }),
    )
  }
}

const example = {
  changes: [
    { id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9 a month', was: 'Our plans' },
    { id: 'c2', page: null, type: 'STYLE', selector: 'a.cta', value: { 'background-color': '#0055ff' } },
    { id: 'c3', page: 'pricing', type: 'MOVE', selector: '.reviews', to: '.hero', position: 'AFTER' },
    { id: 'c4', type: 'HTML', selector: '.note', value: '<b>New</b>: pay yearly' },
    { id: 'c5', type: 'ATTRIBUTE', selector: 'a.cta', name: 'href', value: '/sign-up?plan=pro' },
    { id: 'c6', type: 'IMAGE', selector: '.hero img', value: '/images/team.webp', alt: 'Our team' },
    { id: 'c7', type: 'CLASS', selector: '.plans', add: ['is-wide'], remove: ['is-narrow'] },
    { id: 'c8', type: 'HIDE', selector: '.banner', keepSpace: false },
    { id: 'c9', type: 'INSERT', selector: '.hero', position: 'LAST', value: '<p class="note">No card needed</p>' },
  ],
  css: '.hero { min-height: 20rem }',
}

/** The whole set of changes of a variation, as the body of a request. Pages are checked by `changesBodyOf`. */
export const changesBody = z
  .strictObject({
    changes: z
      .array(changeSchema)
      .max(maxChanges)
      .superRefine(
        (changes: unknown, context) => {
          if (!Array.isArray(changes)) return
          for (const index of repeatedIn(changes.map((change) => change?.id)))
            context.addIssue({
              code: 'custom',
              path: [index, 'id'],
              message: 'must be different from the ids of other changes.',
            })
        },
        { when: () => true },
      )
      .meta({ description: 'In the order in which they are applied.' }),
    css: z.string().superRefine(refusing(cssFault)).nullable().default(null).meta({
      maxLength: maxCssLength,
      description: 'CSS that goes to the pages as it is. `@import` has no effect in it.',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Checks everything and saves nothing.' }),
  })
  .meta({ examples: [example] })

export type ChangesBody = z.output<typeof changesBody>

/** As `changesBody`, for an experiment with these pages: a change cannot name another one. */
export const changesBodyOf = (pageKeys: readonly string[]) =>
  changesBody.superRefine(
    (body: unknown, context) => {
      const changes = (body as { changes?: unknown } | null)?.changes
      for (const { path, message } of unknownPages(changes, pageKeys))
        context.addIssue({ code: 'custom', path, message })
    },
    { when: () => true },
  )

/** The changes that name a page which the experiment does not have. Everything else of the changes may be wrong. */
export function unknownPages(
  changes: unknown,
  pageKeys: readonly string[],
): { path: PropertyKey[]; message: string }[] {
  if (!Array.isArray(changes)) return []
  return changes.flatMap((change: { page?: unknown } | null, index) => {
    const page = change?.page
    if (typeof page !== 'string' || pageKeys.includes(page)) return []
    const known = pageKeys.length > 0 ? `one of ${pageKeys.join(', ')}, or null` : 'null: the experiment has no pages'
    return [{ path: ['changes', index, 'page'], message: `must be ${known}.` }]
  })
}
