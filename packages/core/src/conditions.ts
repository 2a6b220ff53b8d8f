import { compileAttribute } from './attribute.ts'
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
  | AttributeCondition

/** A compiled condition; `now` is epoch milliseconds. */
export type Predicate = (context: unknown, now: number) => boolean

/**
 * Compiles a condition once, so that evaluation parses nothing but attributes.
 * An unknown audience is false, and so is a reference to an audience from within itself.
 *
 * @param audiences conditions by audience id
 * @param compiled compiled audiences by id, shared between the conditions of one data file
 * @throws TypeError when it is no condition: no known key, an unknown operator, no list where one belongs
 * @example compileCondition({ attribute: 'plan', operator: 'equals', value: 'beta' }, {})({ plan: 'beta' }, 0) // true
 */
export function compileCondition(
  condition: Condition,
  audiences: Record<string, Condition>,
  compiled: Map<string, Predicate> = new Map(),
): Predicate {
  ensure(isRecord(condition))
  const compileChild = (child: Condition) => compileCondition(child, audiences, compiled)
  if ('all' in condition) {
    const children = condition.all.map(compileChild)
    return (context, now) => children.every((child) => child(context, now))
  }
  if ('any' in condition) {
    const children = condition.any.map(compileChild)
    return (context, now) => children.some((child) => child(context, now))
  }
  if ('not' in condition) {
    const child = compileChild(condition.not)
    return (context, now) => !child(context, now)
  }
  return 'audience' in condition ? compileAudience(condition.audience, audiences, compiled) : compileTest(condition)
}

function compileAudience(id: string, audiences: Record<string, Condition>, compiled: Map<string, Predicate>) {
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
  members = compileCondition(condition as Condition, audiences, compiled)
  return audience
}

function compileTest({ attribute, operator, value, caseSensitive }: AttributeCondition): Predicate {
  ensure(typeof attribute === 'string')
  const read = compileAttribute(attribute)
  const test = compileOperator(operator, value, caseSensitive !== false)
  return (context, now) => test(read(context, now))
}
