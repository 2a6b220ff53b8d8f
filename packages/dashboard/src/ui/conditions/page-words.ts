import { type ConditionNames, conditionSentence, type Wording } from './condition-words.ts'
import type { Condition } from './conditions.ts'

/** What an address consists of, as conditions name it and as people read it. */
export const addressParts = [
  { attribute: 'page.path', label: 'Path', example: '/pricing' },
  { attribute: 'page.url', label: 'Address without query', example: 'https://shop.example/pricing' },
  { attribute: 'page.host', label: 'Host', example: 'shop.example' },
  { attribute: 'page.query', label: 'Query parameter', example: 'yearly' },
  { attribute: 'page.hash', label: 'Hash', example: '#plans' },
  { attribute: 'page.referrer', label: 'Page before', example: 'https://search.example/' },
] as const

const queryPrefix = 'page.query.'

/** The part of an address that an attribute is about; a parameter has its name after it. */
export function partOf(attribute: string): (typeof addressParts)[number] | undefined {
  const name = attribute === 'page.query' || attribute.startsWith(queryPrefix) ? 'page.query' : attribute
  return addressParts.find((part) => part.attribute === name)
}

/** The name of the parameter in “page.query.plan”. */
export const parameterOf = (attribute: string): string =>
  attribute.startsWith(queryPrefix) ? attribute.slice(queryPrefix.length) : ''

/** How conditions about a page are read: "path is /pricing". They name no visitors, so “everyone” would be wrong. */
export const pageWording: Wording = {
  everyone: 'every page with the tag',
  nobody: 'no page',
  attribute(name) {
    const part = partOf(name)
    return part ? [part.label.toLowerCase(), parameterOf(name)].filter(Boolean).join(' ') : name
  },
}

/** The conditions of a page as a sentence. */
export const pageSentence = (conditions: Condition, names: ConditionNames = {}): string =>
  conditionSentence(conditions, { ...names, ...pageWording })
