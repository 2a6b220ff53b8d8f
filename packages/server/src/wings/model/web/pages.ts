import { type AttributeCondition, type Condition, compileCondition } from '@svc/core'
import { z } from 'zod'
import type { Issue } from '../../../catalogue/refusals.ts'
import { nameField } from '../../../fields.ts'
import { conditionIssues } from '../conditions/index.ts'
import { impossibleValue, type Place, pageAttributeFault, webAddress } from './page-context.ts'

export const maxPages = 20
const maxPageUrlLength = 2000

/** A key that paths of differences contain, so it has no dot. */
const innerName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
export const innerNameField = z
  .string()
  .regex(innerName, 'Must have 1 to 64 letters, digits, underscores or hyphens, and begin with a letter or digit.')

/** A page of a web experiment: where its visitors take part. */
export interface Page {
  key: string
  name: string
  /** Where people open it. It never decides who takes part. */
  url: string | null
  conditions: Condition
}

const places = new Map<string, Place>([
  ...(['equals', 'notEquals', 'in', 'notIn'] as const).map((operator) => [operator, 'whole'] as const),
  ...(['contains', 'notContains', 'endsWith'] as const).map((operator) => [operator, 'anywhere'] as const),
  ['startsWith', 'begin'],
])

/**
 * The faults of the conditions of a page: those of all conditions, references to audiences and segments, which only the
 * targeting of an experiment can have, attributes that no page has, and values that no page can have.
 */
export function pageConditionIssues(condition: unknown): Issue[] {
  const issues: Issue[] = conditionIssues(condition)
  if (issues.length > 0) return issues
  collectIssues(condition as Condition, [], issues)
  return issues
}

function collectIssues(condition: Condition, path: PropertyKey[], issues: Issue[]): void {
  for (const list of ['all', 'any'] as const)
    if (list in condition)
      for (const [index, child] of (condition as Record<typeof list, Condition[]>)[list].entries())
        collectIssues(child, [...path, list, index], issues)
  if ('not' in condition) collectIssues(condition.not, [...path, 'not'], issues)
  for (const kind of ['audience', 'segment'] as const)
    if (kind in condition)
      issues.push({
        path: [...path, kind],
        message: `must not be part of a page: a page is known by its address. Add the ${kind} to the targeting of the experiment.`,
      })
  if ('attribute' in condition) issues.push(...attributeIssues(condition, path))
}

function attributeIssues(
  { attribute, operator, value, caseSensitive }: AttributeCondition,
  path: PropertyKey[],
): Issue[] {
  const fault = pageAttributeFault(attribute)
  if (fault !== undefined) return [{ path: [...path, 'attribute'], message: `${fault}.` }]
  const looksFor = places.get(operator)
  if (looksFor === undefined) return []
  return [value].flat().flatMap((each, index): Issue[] => {
    const text = caseSensitive === false ? String(each).toLowerCase() : each
    const message = typeof text === 'string' ? impossibleValue(attribute, text, looksFor) : undefined
    const place = Array.isArray(value) ? ['value', index] : ['value']
    return message === undefined ? [] : [{ path: [...path, ...place], message: `${message}.` }]
  })
}

/** The conditions of a page as a field of a request. */
export const pageConditionsField = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of pageConditionIssues(value)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((value) => value as Condition)
  .meta({
    description:
      'Targeting conditions over `page.url`, `page.host`, `page.path`, `page.query.<name>`, `page.hash` and `page.referrer`, and over what the site sets. `page.url` is origin and path; neither it nor `page.path` ends with a slash.',
    examples: [{ attribute: 'page.path', operator: 'equals', value: '/pricing' }],
  })

export const pageSchema = z
  .strictObject({
    key: innerNameField.meta({ description: 'Unique in the experiment. Changes name the page by it.' }),
    name: nameField,
    url: z
      .string()
      .max(maxPageUrlLength)
      .refine((url) => webAddress(url) !== undefined, 'must be an address that begins with http:// or https://.')
      .nullable()
      .default(null)
      .meta({ description: 'Where the page is opened for editing. It does not decide who takes part.' }),
    conditions: pageConditionsField,
  })
  .meta({ id: 'WebPage' })

/** The pages of an experiment as a field of a request. */
export const pagesField = z
  .array(pageSchema)
  .max(maxPages)
  .superRefine(
    (pages: unknown, context) => {
      const keys = Array.isArray(pages) ? pages.map((page) => page?.key) : []
      const message = 'must be different from the keys of other pages.'
      for (const index of repeatedIn(keys)) context.addIssue({ code: 'custom', path: [index, 'key'], message })
    },
    { when: () => true },
  )

/** The places at which a list has a text again. */
export function repeatedIn(texts: readonly unknown[]): number[] {
  const seen = new Set<unknown>()
  return [...texts.entries()].flatMap(([index, text]) => {
    const isRepeated = typeof text === 'string' && seen.has(text)
    seen.add(text)
    return isRepeated ? [index] : []
  })
}

/** The keys of the pages that hold for a context, such as that of `contextOfPage`, in their order. */
export const pagesThatHold = (pages: readonly Pick<Page, 'key' | 'conditions'>[], context: object): string[] =>
  pages.filter(({ conditions }) => compileCondition(conditions)(context)).map(({ key }) => key)
