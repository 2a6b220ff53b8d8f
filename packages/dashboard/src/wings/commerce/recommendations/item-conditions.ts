import type { Issue } from '@svc/client'
import { missingCondition, withoutEmptyRows } from '../../../ui/conditions/condition-check.ts'
import type { Wording } from '../../../ui/conditions/condition-words.ts'
import { type AttributeCondition, type Condition, isAttribute, isGroup } from '../../../ui/conditions/conditions.ts'
import { nearKeys } from '../../../ui/words/near-keys.ts'

/** What conditions can ask of an item, the usual first. Own fields are `attributes.<name>`. */
export const itemFields = [
  ...['price', 'salePrice', 'brand', 'categories', 'labels', 'condition', 'availability', 'stock', 'cost', 'title'],
  ...['adult', 'currency', 'saleFrom', 'saleUntil', 'itemId', 'productId', 'sku', 'gtin', 'mpn', 'description'],
  ...['link', 'imageLink', 'sourceId'],
] as const

/** How conditions about items are read. */
export const itemWording: Wording = { everyone: 'all items', nobody: 'no item' }

/** Without conditions, all items pass. */
export const allItems: Condition = { all: [] }

/** What a person begins with. */
export const firstCondition: Condition = { all: [{ attribute: '', operator: 'equals', value: '' }] }

export const hasConditions = (tree: Condition): boolean =>
  !isGroup(tree) || ('all' in tree ? tree.all : tree.any).length > 0

/** As the service has it: null for all items. */
export function filterOf(tree: Condition): Condition | null {
  const kept = withoutEmptyRows(tree)
  return hasConditions(kept) ? kept : null
}

/** The first thing that is wrong with conditions about items; undefined if nothing is. */
export function itemConditionFault(tree: Condition): string | undefined {
  const kept = withoutEmptyRows(tree)
  return (
    missingCondition(kept) ??
    leavesOf(kept)
      .map(fieldFault)
      .find((fault) => fault !== undefined)
  )
}

/** The same of conditions that must say something. */
export const someConditionFault = (tree: Condition): string | undefined =>
  filterOf(tree) === null ? 'Add a condition.' : itemConditionFault(tree)

function leavesOf(node: Condition): AttributeCondition[] {
  if (isGroup(node)) return ('all' in node ? node.all : node.any).flatMap(leavesOf)
  if ('not' in node) return leavesOf(node.not)
  return isAttribute(node) ? [node] : []
}

function fieldFault({ attribute }: AttributeCondition): string | undefined {
  const isOwn = attribute.startsWith('attributes.') && attribute.length > 'attributes.'.length
  if (isOwn || itemFields.includes(attribute as never)) return undefined
  const [meant] = nearKeys(
    attribute,
    itemFields.map((key) => ({ key })),
  )
  const hint = meant ? `Did you mean ${meant.key}?` : `Own fields are called attributes.${attribute}.`
  return `“${attribute}” is no field of an item. ${hint}`
}

/**
 * What the service refuses of conditions in a variant, with paths that begin as those of an audience do.
 *
 * @param at where the conditions stand in the variant: `['boosts', 0, 'when']`
 */
export const refusedOf = (issues: readonly Issue[], at: readonly (string | number)[]): Issue[] =>
  issues.flatMap((issue) => {
    const [field, _variant, ...rest] = issue.path
    const isHere = field === 'variants' && at.every((part, index) => part === rest[index])
    return isHere ? [{ ...issue, path: ['conditions', ...rest.slice(at.length)] }] : []
  })
