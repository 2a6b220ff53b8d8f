import { conditionFaults, withoutEmptyRows } from '../../../../ui/conditions/condition-check.ts'
import {
  type AttributeCondition,
  type Condition,
  isAttribute,
  isGroup,
  partsOf,
} from '../../../../ui/conditions/conditions.ts'
import { addressParts, parameterOf, partOf } from '../../../../ui/conditions/page-words.ts'
import { keyOfName } from '../../../flags/flags/key-of-name.ts'

/** A page of a web experiment: where its visitors take part. */
export interface PageValues {
  key: string
  name: string
  /** Where people open it. It decides nothing. Empty if there is none. */
  url: string
  conditions: Condition
}

export const maxPages = 20

/** Other attributes that the script knows on every page. */
export const visitorAttributes = ['device', 'language', 'visitor.isNew']

/** What the builder behind “More” offers to choose from. */
export const pageAttributes = [
  ...addressParts.map(({ attribute }) => attribute).filter((attribute) => attribute !== 'page.query'),
  'page.query.plan',
  ...visitorAttributes,
]

export const verbs = {
  equals: 'is',
  startsWith: 'starts with',
  contains: 'contains',
  matches: 'matches the pattern',
} as const

export type Verb = keyof typeof verbs

/** One line of the simple form. */
export interface PageRow {
  attribute: string
  operator: Verb
  value: string
}

/** Conditions that the simple form can show: one list of lines. */
export interface SimplePage {
  mode: 'all' | 'any'
  rows: PageRow[]
}

export const attributeOf = (part: string, parameter = ''): string =>
  part === 'page.query' ? `page.query.${parameter}` : part

/** Undefined for conditions that only the builder can show. */
export function simpleOf(conditions: Condition): SimplePage | undefined {
  if (isAttribute(conditions)) return isRow(conditions) ? { mode: 'all', rows: [conditions] } : undefined
  if (!isGroup(conditions)) return undefined
  const parts = partsOf(conditions)
  // No line of “any” means no page at all, which the simple form has no words for.
  if ('any' in conditions && parts.length === 0) return undefined
  const rows = parts.filter((part) => isAttribute(part)).filter(isRow)
  return rows.length === parts.length ? { mode: 'all' in conditions ? 'all' : 'any', rows } : undefined
}

const isRow = (node: AttributeCondition): node is PageRow & AttributeCondition =>
  node.operator in verbs &&
  typeof node.value === 'string' &&
  node.caseSensitive === undefined &&
  partOf(node.attribute) !== undefined

/** A single line stays what it was, so that a look at the form changes nothing. */
export const conditionsOf = ({ mode, rows }: SimplePage): Condition =>
  rows.length === 1 ? rows[0]! : mode === 'all' ? { all: rows } : { any: rows }

export const newRow: PageRow = { attribute: 'page.path', operator: 'equals', value: '' }

export const newPage = (pages: readonly PageValues[]): PageValues => {
  const name = `Page ${pages.length + 1}`
  return { key: keyFor(name, pages), name, url: '', conditions: newRow }
}

/** A key that no other page has, made of the name. */
export function keyFor(name: string, others: readonly { key: string }[]): string {
  const wanted = keyOfName(name).slice(0, 60) || 'page'
  const isTaken = (key: string) => others.some((other) => other.key === key)
  for (let nth = 1; ; nth += 1) {
    const key = nth === 1 ? wanted : `${wanted}-${nth}`
    if (!isTaken(key)) return key
  }
}

export const nameInput = (key: string): string => `pages.${key}.name`
export const urlInput = (key: string): string => `pages.${key}.url`
export const rowInput = (key: string, row: number): string => `pages.${key}.row.${row}`
export const conditionsInput = (key: string): string => `pages.${key}.conditions`

/** What is wrong with the pages before they are sent, by input. */
export function pageFaults(pages: readonly PageValues[]): Record<string, string> {
  return Object.fromEntries(
    pages.flatMap(({ key, name, url, conditions }): [string, string][] => [
      ...(name.trim() === '' ? ([[nameInput(key), 'Enter a name.']] as [string, string][]) : []),
      ...(url.trim() === '' || isAddress(url) ? [] : ([[urlInput(key), addressFault]] as [string, string][])),
      ...conditionFaultsOf(key, conditions),
    ]),
  )
}

export const addressFault = 'Enter an address that begins with http:// or https://.'

export const isAddress = (text: string): boolean => {
  const address = text.trim()
  return /^https?:\/\//i.test(address) && URL.canParse(address)
}

function conditionFaultsOf(key: string, conditions: Condition): [string, string][] {
  const simple = simpleOf(conditions)
  if (!simple) {
    const [fault] = conditionFaults(withoutEmptyRows(conditions))
    return fault ? [[conditionsInput(key), fault.message]] : []
  }
  return simple.rows.flatMap(({ attribute, value }, row): [string, string][] => {
    const part = partOf(attribute)!
    if (part.attribute === 'page.query' && parameterOf(attribute) === '')
      return [[rowInput(key, row), 'Enter the name of the parameter.']]
    return value.trim() === '' ? [[rowInput(key, row), `Enter a value, such as ${part.example}.`]] : []
  })
}

/** The input that an issue about the pages is about. */
export function inputOfPages(path: readonly (string | number)[], pages: readonly PageValues[]): string | undefined {
  const [field, at, inner, ...below] = path
  const page = field === 'pages' && typeof at === 'number' ? pages[at] : undefined
  if (!page) return undefined
  if (inner === 'name' || inner === 'key') return nameInput(page.key)
  if (inner === 'url') return urlInput(page.key)
  if (!simpleOf(page.conditions)) return conditionsInput(page.key)
  const [group, row] = below
  return rowInput(page.key, (group === 'all' || group === 'any') && typeof row === 'number' ? row : 0)
}

/** Pages as the body has them. */
export const pagesInBody = (pages: readonly PageValues[]) =>
  pages.map(({ key, name, url, conditions }) => ({
    key,
    name: name.trim(),
    url: url.trim() || null,
    conditions: withoutEmptyRows(conditions),
  }))

/** Where visitors take part, as an address suggests it. A person chooses: the address decides nothing by itself. */
export const suggestions = ['path', 'page', 'below', 'host', 'later'] as const

export type Suggestion = (typeof suggestions)[number]

interface Suggested {
  suggestion: Suggestion
  label: string
  means: string
  conditions: Condition | undefined
}

/** The choices that an address suggests; only “later” without an address. */
export function suggestedBy(address: string): Suggested[] {
  const later: Suggested = {
    suggestion: 'later',
    label: 'Decide later',
    means: 'You set the pages on the targeting page. Without a page, nobody takes part.',
    conditions: undefined,
  }
  if (!isAddress(address)) return [later]
  const { origin, pathname, hostname } = new URL(address.trim())
  const path = pathname.replace(/\/+$/, '') || '/'
  const isStart = path === '/'
  const at = (attribute: string, operator: Verb, value: string): PageRow => ({ attribute, operator, value })
  return [
    {
      suggestion: 'path',
      label: isStart ? 'The start page, on every host' : `${path}, on every host`,
      means: 'Also on a copy of the site for tests.',
      conditions: at('page.path', 'equals', path),
    },
    {
      suggestion: 'page',
      label: isStart ? `The start page of ${hostname} only` : `${path} on ${hostname} only`,
      means: 'Query and hash do not matter.',
      conditions: at('page.url', 'equals', isStart ? origin : `${origin}${path}`),
    },
    ...(isStart
      ? []
      : [
          {
            suggestion: 'below' as const,
            label: `${path} and every page below it`,
            means: 'On every host.',
            conditions: { any: [at('page.path', 'equals', path), at('page.path', 'startsWith', `${path}/`)] },
          },
        ]),
    {
      suggestion: 'host',
      label: `Every page of ${hostname}`,
      means: 'Wherever the tag is.',
      conditions: at('page.host', 'equals', hostname),
    },
    later,
  ]
}

/** The page that a person has chosen for an address; none for “later”. */
export function pageFrom(address: string, chosen: Suggestion): PageValues | undefined {
  const conditions = suggestedBy(address).find(({ suggestion }) => suggestion === chosen)?.conditions
  if (!conditions) return undefined
  const { pathname, hostname } = new URL(address.trim())
  const last = chosen === 'host' ? undefined : pathname.split('/').filter(Boolean).at(-1)
  const name = last === undefined ? (chosen === 'host' ? hostname : 'Start page') : nameFrom(last)
  return { key: keyFor(name, []), name, url: address.trim(), conditions }
}

/** "our-plans.html" as a name: "Our plans". */
function nameFrom(segment: string): string {
  const words = decoded(segment)
    .replace(/\.[a-z]{2,5}$/i, '')
    .replaceAll(/[-_+]+/g, ' ')
    .trim()
  return words === '' ? 'Page' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`.slice(0, 100)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
