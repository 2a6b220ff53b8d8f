/** Who a rule or an audience is for, as the API has it. The key of a node is its kind. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { audience: string }
  | { segment: string }
  | AttributeCondition

export interface AttributeCondition {
  /** Name or dotted path; `$now` is the time of the evaluation. */
  attribute: string
  operator: Operator
  value?: ConditionValue
  caseSensitive?: boolean
}

type Scalar = string | number | boolean
export type ConditionValue = Scalar | Scalar[]

export type Path = readonly (string | number)[]

/** What the value of an operator is, and so how it is typed. */
export type ValueKind = 'none' | 'scalar' | 'list' | 'text' | 'pattern' | 'number' | 'date' | 'version' | 'networks'

interface OperatorWords {
  /** After the attribute, in the builder and in sentences. */
  words: string
  kind: ValueKind
  group: string
}

/** Every operator in words. A test compares the names with those of the evaluation. */
export const operators = {
  equals: { words: 'is', kind: 'scalar', group: 'Any value' },
  notEquals: { words: 'is not', kind: 'scalar', group: 'Any value' },
  in: { words: 'is one of', kind: 'list', group: 'Any value' },
  notIn: { words: 'is none of', kind: 'list', group: 'Any value' },
  exists: { words: 'is set', kind: 'none', group: 'Any value' },
  notExists: { words: 'is not set', kind: 'none', group: 'Any value' },
  contains: { words: 'contains', kind: 'text', group: 'Text' },
  notContains: { words: 'does not contain', kind: 'text', group: 'Text' },
  startsWith: { words: 'starts with', kind: 'text', group: 'Text' },
  endsWith: { words: 'ends with', kind: 'text', group: 'Text' },
  matches: { words: 'matches the pattern', kind: 'pattern', group: 'Text' },
  notMatches: { words: 'does not match the pattern', kind: 'pattern', group: 'Text' },
  greaterThan: { words: 'is greater than', kind: 'number', group: 'Number' },
  greaterThanOrEquals: { words: 'is at least', kind: 'number', group: 'Number' },
  lessThan: { words: 'is less than', kind: 'number', group: 'Number' },
  lessThanOrEquals: { words: 'is at most', kind: 'number', group: 'Number' },
  before: { words: 'is before', kind: 'date', group: 'Date' },
  after: { words: 'is after', kind: 'date', group: 'Date' },
  semverEquals: { words: 'is version', kind: 'version', group: 'Version' },
  semverNotEquals: { words: 'is not version', kind: 'version', group: 'Version' },
  semverGreaterThan: { words: 'is later than version', kind: 'version', group: 'Version' },
  semverGreaterThanOrEquals: { words: 'is at least version', kind: 'version', group: 'Version' },
  semverLessThan: { words: 'is earlier than version', kind: 'version', group: 'Version' },
  semverLessThanOrEquals: { words: 'is at most version', kind: 'version', group: 'Version' },
  includesAny: { words: 'includes any of', kind: 'list', group: 'List' },
  includesAll: { words: 'includes all of', kind: 'list', group: 'List' },
  includesNone: { words: 'includes none of', kind: 'list', group: 'List' },
  inCidr: { words: 'is in the network', kind: 'networks', group: 'Network' },
} as const satisfies Record<string, OperatorWords>

export type Operator = keyof typeof operators

/** Operators that can leave the case of letters aside. */
export const foldable: ReadonlySet<string> = new Set<Operator>([
  'equals',
  'notEquals',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'matches',
  'notMatches',
  'includesAny',
  'includesAll',
  'includesNone',
])

export const isGroup = (node: Condition): node is { all: Condition[] } | { any: Condition[] } =>
  'all' in node || 'any' in node

export const isAttribute = (node: Condition): node is AttributeCondition => 'attribute' in node

/** The children of a group. */
export const partsOf = (group: { all: Condition[] } | { any: Condition[] }): Condition[] =>
  'all' in group ? group.all : group.any

/** How many levels of groups and negations are above this path. The API accepts 5. */
export const depthOf = (path: Path): number =>
  path.filter((part) => ['all', 'any', 'not'].includes(String(part))).length

export const maxDepth = 5

/** The tree with another node at the path; without the node if it is undefined. */
export function withNode(tree: Condition, path: Path, node: Condition | undefined): Condition {
  if (path.length === 0) return node ?? { all: [] }
  const [key, ...rest] = path
  if (key === 'not' && 'not' in tree) {
    if (rest.length === 0 && node === undefined) return { all: [] }
    return { not: withNode(tree.not, rest, node) }
  }
  if (!isGroup(tree) || typeof rest[0] !== 'number') return tree
  const [at, ...below] = rest as [number, ...Path]
  const parts = partsOf(tree).flatMap((part, index) => {
    if (index !== at) return [part]
    if (below.length > 0) return [withNode(part, below, node)]
    return node === undefined ? [] : [node]
  })
  return 'all' in tree ? { all: parts } : { any: parts }
}

/** Whether this is a tree of conditions as far as the builder can show it. The API checks the rest. */
export function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const node = value as Record<string, unknown>
  if ('all' in node || 'any' in node) {
    const parts = node.all ?? node.any
    return Array.isArray(parts) && parts.every(isCondition)
  }
  if ('not' in node) return isCondition(node.not)
  if ('audience' in node || 'segment' in node) return typeof (node.audience ?? node.segment) === 'string'
  return typeof node.attribute === 'string' && typeof node.operator === 'string' && node.operator in operators
}
