import { type Condition, nearest } from '@svc/core'
import type { Issue } from '../../../../catalogue/refusals.ts'
import { conditionIssues } from '../../../model/conditions/index.ts'

/** What conditions can ask of an item, besides `attributes.<name>`. Amounts are numbers. */
export const itemFields = [
  ...['itemId', 'productId', 'title', 'description', 'link', 'imageLink', 'availability', 'stock', 'price'],
  ...['salePrice', 'saleFrom', 'saleUntil', 'currency', 'cost', 'brand', 'gtin', 'mpn', 'sku', 'categories'],
  ...['condition', 'adult', 'labels', 'sourceId'],
] as const

/** What nobody outside may learn: with enough requests, anybody could find a cost by halving. Descriptions are too long. */
const innerFields: ReadonlySet<string> = new Set(['cost', 'stock', 'sourceId', 'description'])
const maxConditionsOfRequest = 10
/** Groups are evaluated, too, also those that are empty. */
const maxGroupsOfRequest = 50

const known: ReadonlySet<string> = new Set(itemFields)
const isAttribute = (field: string): boolean => field.startsWith('attributes.') && field.length > 'attributes.'.length

/** What is wrong with conditions about items: the rules of the core, and that they ask only what an item has. */
export function itemConditionIssues(condition: unknown): Issue[] {
  const issues = conditionIssues(condition)
  return issues.length > 0 ? issues : leaves(condition as Condition).flatMap(({ node, path }) => faultOf(node, path))
}

/** What is wrong with conditions that anybody can send. */
export function requestConditionIssues(condition: unknown): Issue[] {
  const issues = itemConditionIssues(condition)
  if (issues.length > 0) return issues
  const found = leaves(condition as Condition)
  if (found.length > maxConditionsOfRequest)
    issues.push({ path: [], message: `must have at most ${maxConditionsOfRequest} conditions (got ${found.length}).` })
  const groups = groupsIn(condition as Condition)
  if (groups > maxGroupsOfRequest)
    issues.push({
      path: [],
      message: `must have at most ${maxGroupsOfRequest} of all, any and not (got ${groups}).`,
    })
  for (const { node, path } of found) {
    if (!('attribute' in node)) continue
    if (node.operator === 'matches' || node.operator === 'notMatches')
      issues.push({ path: [...path, 'operator'], message: 'must not be matches or notMatches in a request.' })
    if (innerFields.has(node.attribute))
      issues.push({ path: [...path, 'attribute'], message: `must not be ${node.attribute} in a request.` })
  }
  return issues
}

/** How many parts of a tree join others. */
function groupsIn(node: Condition): number {
  if ('not' in node) return 1 + groupsIn(node.not)
  const joined = 'all' in node ? node.all : 'any' in node ? node.any : null
  return joined === null ? 0 : joined.reduce((sum, child) => sum + groupsIn(child), 1)
}

type Leaf = Exclude<Condition, { all: Condition[] } | { any: Condition[] } | { not: Condition }>

/** The conditions of a tree that is well-formed, without those that join others. */
function leaves(node: Condition, path: PropertyKey[] = []): { node: Leaf; path: PropertyKey[] }[] {
  if ('not' in node) return leaves(node.not, [...path, 'not'])
  for (const form of ['all', 'any'] as const)
    if (form in node)
      return (node as Record<typeof form, Condition[]>)[form].flatMap((child, index) =>
        leaves(child, [...path, form, index]),
      )
  return [{ node: node as Leaf, path }]
}

function faultOf(node: Leaf, path: PropertyKey[]): Issue[] {
  for (const form of ['audience', 'segment'] as const)
    if (form in node)
      return [
        { path: [...path, form], message: `must not be used: ${form}s are about visitors, and this is about items.` },
      ]
  const { attribute } = node as { attribute: string }
  if (known.has(attribute) || isAttribute(attribute)) return []
  const meant = nearest(attribute, [...itemFields])
  const hint = meant === undefined ? `Own fields are attributes.${attribute}.` : `Did you mean ${meant}?`
  return [{ path: [...path, 'attribute'], message: `must be a field of an item. ${hint}` }]
}

/** What a boost can compare with the product that the visitor looks at. */
export const isComparable = (field: string): boolean => field === 'brand' || field === 'category' || isAttribute(field)
