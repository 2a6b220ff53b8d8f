import type { Attribute, Clock } from '../attribute.ts'
import { compileAttribute, userOf } from '../attribute.ts'
import { ensure, isMissing, isRecord, own, plain } from '../record.ts'
import { never } from './compared.ts'
import type { Operator } from './operators.ts'
import { compileOperator } from './operators.ts'
import { memberOf } from './segment.ts'

/** What an attribute is compared with: a list for `in`, `notIn` and `includes…`, a list or one value for `inCidr`. */
export type ConditionValue = string | number | boolean | (string | number | boolean)[]

/** A test of one attribute. */
export type AttributeCondition = {
  /** Name or dotted path of the attribute; `$now` is the time of the evaluation in epoch milliseconds. */
  attribute: string
  operator: Operator
  /** Omitted for `exists` and `notExists`. */
  value?: ConditionValue
  /** `false` ignores letter case in strings and lists of strings. Default: `true`. */
  caseSensitive?: boolean
}

/** A tree of targeting conditions. The key of a node is its kind. An empty `all` is true, an empty `any` is false. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { audience: string }
  | { segment: string }
  | AttributeCondition

/** A list of visitors. `ids` holds their hashes (see `hashId`), sorted and concatenated. */
export type Segment = { salt: string; ids: string }

/** What conditions can refer to: audiences and segments by id. */
export type References = { audiences?: Record<string, Condition>; segments?: Record<string, Segment> }

/** A compiled condition. `now` is in epoch milliseconds, by default the time of the clock. */
export type Predicate = (context: unknown, now?: number) => boolean

/** Compiles the conditions of one data file, so that equal tests and audiences are compiled once. */
export type Conditions = {
  /** See {@link compileCondition}. */
  compile: (condition: Condition) => Predicate
  /** Runs `act`. During it, each test of the context runs at most once, so the context must not change. */
  during: <Result>(context: unknown, act: () => Result) => Result
}

/**
 * Compiles a condition, so that an evaluation only has to parse attributes.
 * A reference to an unknown audience or segment is false, and so is a reference to an audience from within itself.
 *
 * @throws TypeError if the condition is malformed: no known key, an unknown operator, or no list where one is required
 * @example compileCondition({ attribute: 'plan', operator: 'equals', value: 'beta' })({ plan: 'beta' }) // true
 */
export function compileCondition(condition: Condition, references: References = {}): Predicate {
  return conditionsOf(references).compile(condition)
}

/** True for every visitor. This is what most rules compile to. */
export const always: Predicate = () => true
const nobody = {}

/** A compiler for all conditions that refer to the same audiences and segments, and to one clock. */
// long-function: the browser build has no bytes left for what a split would add
export function conditionsOf({ audiences, segments }: References, clock?: Clock): Conditions {
  const questions = new Map<string, Predicate>()
  const members = new Map<string, Predicate>()
  let visitor: unknown = nobody
  let pass = 0

  function compile(condition: Condition): Predicate {
    ensure(isRecord(condition))
    if ('all' in condition) return compileList(condition.all.map(compile), false)
    if ('any' in condition) return compileList(condition.any.map(compile), true)
    if ('not' in condition) {
      const child = compile(condition.not)
      return (context, now) => !child(context, now)
    }
    if ('audience' in condition) return compileAudience(condition.audience)
    // Equal conditions share one compiled test.
    const text = JSON.stringify(condition)
    const known = questions.get(text) ?? compileQuestion(condition)
    questions.set(text, known)
    return known
  }

  function compileQuestion(condition: AttributeCondition | { segment: string }): Predicate {
    if ('segment' in condition) {
      const segment = own(segments, condition.segment)
      return isMissing(segment) ? never : question(userOf, memberOf(segment))
    }
    const { attribute, operator, value, caseSensitive } = condition
    ensure(typeof attribute === 'string')
    return question(compileAttribute(attribute, clock), compileOperator(operator, value, caseSensitive !== false))
  }

  function question(read: Attribute, test: (value: unknown) => boolean): Predicate {
    let askedIn = 0
    let holds = false
    return (context, now) => {
      if (context !== visitor) return test(plain(read(context, now)))
      if (askedIn !== pass) {
        holds = test(plain(read(context, now)))
        askedIn = pass
      }
      return holds
    }
  }

  function compileAudience(id: string): Predicate {
    const condition = own(audiences, id)
    // A null audience counts as unknown. Any other value that is not a condition is malformed.
    if (isMissing(condition)) return never
    const known = members.get(id)
    if (known) return known
    let holds: Predicate
    let inside = false
    const audience: Predicate = (context, now) => {
      if (inside) return false
      inside = true
      try {
        return holds(context, now)
      } finally {
        inside = false
      }
    }
    // Register it before compiling its condition, so that a cycle of audiences ends here.
    members.set(id, audience)
    try {
      holds = compile(condition)
    } catch (fault) {
      // The next condition must not use an audience that was only partly compiled.
      members.clear()
      throw fault
    }
    return audience
  }

  return {
    compile,
    during(context, act) {
      visitor = context
      pass++
      try {
        return act()
      } finally {
        visitor = nobody
      }
    },
  }
}

/** Evaluates children until one gives `decisive`. If none does, the result is the opposite. */
function compileList(children: Predicate[], decisive: boolean): Predicate {
  // The general way, below, gives the same and takes longer.
  const [only] = children
  if (!only) return decisive ? never : always
  if (children.length === 1) return only
  return (context, now) => {
    for (const child of children) if (child(context, now) === decisive) return decisive
    return !decisive
  }
}
