import { compileAttribute, userOf } from './attribute.ts'
import { hashId, holdsHash } from './hashed-id.ts'
import type { Operator } from './operators.ts'
import { compileOperator } from './operators.ts'
import { ensure, isRecord, own } from './record.ts'

/** What an attribute is compared with; lists for `in`, `notIn`, `includes…` and, if wanted, `inCidr`. */
export type ConditionValue = string | number | boolean | (string | number | boolean)[]

/** One attribute asked one question. */
export type AttributeCondition = {
  /** Own name or dotted path of the attribute; `$now` is the moment of evaluation in epoch milliseconds. */
  attribute: string
  operator: Operator
  /** Left out for `exists` and `notExists`. */
  value?: ConditionValue
  /** false: letter case is ignored in strings and lists of strings. Default true. */
  caseSensitive?: boolean
}

/** A tree of targeting conditions, told apart by its key. Empty `all` is true, empty `any` is false. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { audience: string }
  | { segment: string }
  | AttributeCondition

/** A list of visitors. `ids`: their hashes by `hashId`, in order and one behind the other. */
export type Segment = { salt: string; ids: string }

/** A compiled condition; `now` is epoch milliseconds, the system's clock where it is left out. */
export type Predicate = (context: unknown, now?: number) => boolean

/**
 * Compiles a condition once, so that evaluation parses nothing but attributes.
 * An unknown audience is false, and so is a reference to an audience from within itself; so is an unknown segment.
 *
 * @param audiences conditions by audience id
 * @param compiled compiled audiences by id, shared between the conditions of one data file
 * @param segments by segment id
 * @throws TypeError when it is no condition: no known key, an unknown operator, no list where one belongs
 * @example compileCondition({ attribute: 'plan', operator: 'equals', value: 'beta' }, {})({ plan: 'beta' }, 0) // true
 */
export function compileCondition(
  condition: Condition,
  audiences: Record<string, Condition>,
  compiled: Map<string, Predicate> = new Map(),
  segments: Record<string, Segment> = {},
): Predicate {
  ensure(isRecord(condition))
  const compileChild = (child: Condition) => compileCondition(child, audiences, compiled, segments)
  if ('all' in condition) return compileList(condition.all.map(compileChild), false)
  if ('any' in condition) return compileList(condition.any.map(compileChild), true)
  if ('not' in condition) {
    const child = compileChild(condition.not)
    return (context, now) => !child(context, now)
  }
  if ('segment' in condition) return compileSegment(own(segments, condition.segment))
  if (!('audience' in condition)) return compileTest(condition)
  return compileAudience(condition.audience, audiences, compiled, segments)
}

/** Asks until one child answers `decisive`; where none does, the answer is the opposite. */
function compileList(children: Predicate[], decisive: boolean): Predicate {
  const [only] = children
  if (only && children.length === 1) return only
  return (context, now) => {
    for (const child of children) if (child(context, now) === decisive) return decisive
    return !decisive
  }
}

function compileSegment(segment: Segment | undefined): Predicate {
  if (!segment) return () => false
  const { salt, ids } = segment
  ensure(typeof salt === 'string' && typeof ids === 'string')
  return (context) => {
    const user = userOf(context)
    return user !== undefined && holdsHash(ids, hashId(salt, user))
  }
}

function compileAudience(
  id: string,
  audiences: Record<string, Condition>,
  compiled: Map<string, Predicate>,
  segments: Record<string, Segment>,
) {
  const condition = own(audiences, id)
  const known = compiled.get(id) ?? (condition ? undefined : () => false)
  if (known) return known
  let members: Predicate
  let inside = false
  const audience: Predicate = (context, now) => {
    if (inside) return false
    inside = true
    try {
      return members(context, now)
    } finally {
      inside = false
    }
  }
  // Known before its condition is compiled, so that a ring of audiences ends here.
  compiled.set(id, audience)
  members = compileCondition(condition as Condition, audiences, compiled, segments)
  return audience
}

function compileTest({ attribute, operator, value, caseSensitive }: AttributeCondition): Predicate {
  ensure(typeof attribute === 'string')
  const read = compileAttribute(attribute)
  const test = compileOperator(operator, value, caseSensitive !== false)
  return (context, now) => test(read(context, now))
}
