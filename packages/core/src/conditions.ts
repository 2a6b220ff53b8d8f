import type { Attribute, Clock } from './attribute.ts'
import { compileAttribute, userOf } from './attribute.ts'
import { hashId, holdsHash } from './hashed-id.ts'
import type { Operator } from './operators.ts'
import { compileOperator } from './operators.ts'
import { ensure, isMissing, isRecord, own } from './record.ts'

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

/** What conditions refer to: conditions by audience id, lists of visitors by segment id. */
export type References = { audiences?: Record<string, Condition>; segments?: Record<string, Segment> }

/** A compiled condition; `now` is epoch milliseconds, the system's clock where it is left out. */
export type Predicate = (context: unknown, now?: number) => boolean

/** The conditions of one data file, which share what they have in common. */
export type Conditions = {
  /** See {@link compileCondition}. */
  compile: (condition: Condition) => Predicate
  /** While it acts, each question about the context is answered once; nothing must change the context meanwhile. */
  during: <Result>(context: unknown, act: () => Result) => Result
}

/**
 * Compiles a condition once, so that evaluation parses nothing but attributes.
 * An unknown audience is false, and so is a reference to an audience from within itself; so is an unknown segment.
 *
 * @throws TypeError when it is no condition: no known key, an unknown operator, no list where one belongs
 * @example compileCondition({ attribute: 'plan', operator: 'equals', value: 'beta' })({ plan: 'beta' }) // true
 */
export function compileCondition(condition: Condition, references: References = {}): Predicate {
  return conditionsOf(references).compile(condition)
}

/** What holds for everybody, without a question: a rule's `when` in most cases. */
export const always: Predicate = () => true
const never = () => false
const nobody = {}

/** A compiler for all conditions that refer to the same audiences and segments, and to one clock. */
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
    // Conditions that ask the same are one question.
    const text = JSON.stringify(condition)
    const known = questions.get(text) ?? compileQuestion(condition)
    questions.set(text, known)
    return known
  }

  function compileQuestion(condition: AttributeCondition | { segment: string }): Predicate {
    if ('segment' in condition) return question(userOf, compileSegment(own(segments, condition.segment)))
    const { attribute, operator, value, caseSensitive } = condition
    ensure(typeof attribute === 'string')
    return question(compileAttribute(attribute, clock), compileOperator(operator, value, caseSensitive !== false))
  }

  function question(read: Attribute, test: (value: unknown) => boolean): Predicate {
    let askedIn = 0
    let holds = false
    return (context, now) => {
      if (context !== visitor) return test(read(context, now))
      if (askedIn !== pass) {
        holds = test(read(context, now))
        askedIn = pass
      }
      return holds
    }
  }

  function compileAudience(id: string): Predicate {
    const condition = own(audiences, id)
    // Null is no audience; anything else that is no condition is a malformed one.
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
    // Known before its condition is compiled, so that a ring of audiences ends here.
    members.set(id, audience)
    try {
      holds = compile(condition)
    } catch (fault) {
      // What is half made must not be taken for a whole audience by the next condition.
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

/** Asks until one child answers `decisive`; where none does, the answer is the opposite. */
function compileList(children: Predicate[], decisive: boolean): Predicate {
  const [only] = children
  if (!only) return decisive ? never : always
  if (children.length === 1) return only
  return (context, now) => {
    for (const child of children) if (child(context, now) === decisive) return decisive
    return !decisive
  }
}

function compileSegment(segment: Segment | undefined): (user: unknown) => boolean {
  if (isMissing(segment)) return never
  const { salt, ids } = segment
  ensure(typeof salt === 'string' && typeof ids === 'string')
  return (user) => typeof user === 'string' && holdsHash(ids, hashId(salt, user))
}
