import type { Issue } from '@svc/client'
import { besideField } from '../form/field-errors.ts'
import { valueFault } from './condition-values.ts'
import { type AttributeCondition, type Condition, isAttribute, isGroup, operators, type Path } from './conditions.ts'

export interface ConditionIssue {
  /** From the root of the conditions: `['all', 0, 'value']`. */
  path: Path
  message: string
}

const noAttribute = 'Enter an attribute, for example country.'

/** A row in which nothing was entered. An operator without a value was chosen. */
const isEmptyRow = ({ attribute, operator, value }: AttributeCondition): boolean =>
  attribute.trim() === '' && operators[operator].kind !== 'none' && [value ?? ''].flat().every((each) => each === '')

/**
 * The conditions without the rows in which nothing was entered, and without groups that had only such rows. A row stays
 * if leaving it out would select no visitors, or all in place of a few: "any of" keeps its last row.
 */
export const withoutEmptyRows = (tree: Condition): Condition =>
  kept(tree) ?? (isGroup(tree) && 'any' in tree ? tree : { all: [] })

function kept(node: Condition): Condition | undefined {
  if (isAttribute(node)) return isEmptyRow(node) ? undefined : node
  if ('not' in node) {
    const inner = kept(node.not)
    return inner && { not: inner }
  }
  if (!isGroup(node)) return node
  const parts = 'all' in node ? node.all : node.any
  const left = parts.flatMap((part) => kept(part) ?? [])
  if (left.length === 0 && parts.length > 0) return undefined
  return 'all' in node ? { all: left } : { any: left }
}

/** What is missing in the conditions, each at its field. The service checks everything again. */
export function conditionFaults(tree: Condition, path: Path = []): ConditionIssue[] {
  if (isGroup(tree)) {
    const [mode, parts] = 'all' in tree ? ['all', tree.all] : ['any', tree.any]
    return parts.flatMap((part, at) => conditionFaults(part, [...path, mode, at]))
  }
  if ('not' in tree) return conditionFaults(tree.not, [...path, 'not'])
  if (!isAttribute(tree)) return []
  const faults: ConditionIssue[] = []
  if (tree.attribute.trim() === '') faults.push({ path: [...path, 'attribute'], message: noAttribute })
  // An attribute can be compared with an empty text.
  const isEmptyText = operators[tree.operator].kind === 'scalar' && tree.value === ''
  const fault = isEmptyText && tree.attribute !== '' ? undefined : valueFault(tree)
  if (fault !== undefined) faults.push({ path: [...path, 'value'], message: fault })
  return faults
}

/** A rule of a form: the first thing that is missing. Rows in which nothing was entered are left out. */
export const missingCondition = (tree: Condition): string | undefined =>
  conditionFaults(withoutEmptyRows(tree))[0]?.message

/** What the service refuses of the conditions in a body, in words for the field at which each is shown. */
export function refusedConditions(issues: readonly Issue[], tree: Condition): ConditionIssue[] {
  return issues
    .filter(({ path }) => path[0] === 'conditions')
    .map((issue) => {
      const path = issue.path.slice(1)
      return {
        path,
        message: wordsOf(nodeAt(tree, path.slice(0, -1)), path.at(-1)) ?? besideField(issue.path, issue.message),
      }
    })
}

function wordsOf(node: unknown, field: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || !isAttribute(node as Condition)) return undefined
  const { attribute, operator } = node as AttributeCondition
  if (field === 'attribute')
    return attribute === '' ? noAttribute : 'The attribute is too long: at most 200 characters.'
  return field === 'value' ? refusedValue[operators[operator]?.kind] : undefined
}

/** For a pattern, the service says what is wrong with it. */
const refusedValue: Record<string, string> = {
  scalar: 'Enter a value of at most 1,000 characters.',
  text: 'Enter a text of at most 1,000 characters.',
  list: 'Add at least one value. Each can have at most 1,000 characters.',
  number: 'Enter a number.',
  date: 'Choose a date and a time.',
  version: 'Enter a version, for example 4.2.0.',
  networks: 'Enter networks, for example 10.0.0.0/8 or 2001:db8::/32.',
}

const nodeAt = (tree: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (node, part) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[part] : undefined),
    tree,
  )
