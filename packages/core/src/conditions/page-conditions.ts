import type { Clock } from '../attribute.ts'
import { compileAttribute, userOf } from '../attribute.ts'
import { rare } from '../rare.ts'
import { ensure, isMissing, isRecord, own, plain } from '../record.ts'
import { never } from './compared.ts'
import type { Condition, Predicate, References } from './conditions.ts'
import { compileOperator } from './operators.ts'

/** As in `conditions.ts`, in fewer bytes: equal tests are compiled and run again. */
export function conditionsOf({ audiences, segments }: References, clock?: Clock): (condition: Condition) => Predicate {
  const members = new Map<string, Predicate>()

  function compile(condition: Condition): Predicate {
    ensure(isRecord(condition))
    if ('all' in condition) return compileList(condition.all, false)
    if ('any' in condition) return compileList(condition.any, true)
    if ('not' in condition) {
      const child = compile(condition.not)
      return (context, now) => !child(context, now)
    }
    if ('audience' in condition) return compileAudience(condition.audience)
    if ('segment' in condition) {
      const segment = own(segments, condition.segment)
      if (isMissing(segment)) return never
      const holds = rare!.memberOf(segment)
      return (context) => holds(userOf(context))
    }
    const { attribute, operator, value, caseSensitive } = condition
    ensure(typeof attribute === 'string')
    const read = compileAttribute(attribute, clock)
    const holds = compileOperator(operator, value, caseSensitive !== false)
    return (context, now) => holds(plain(read(context, now)))
  }

  function compileList(conditions: Condition[], decisive: boolean): Predicate {
    const children = conditions.map(compile)
    return (context, now) => children.some((child) => child(context, now) === decisive) === decisive
  }

  function compileAudience(id: string): Predicate {
    const condition = own(audiences, id)
    if (isMissing(condition)) return never
    const known = members.get(id)
    if (known) return known
    let holds: Predicate = never
    const audience: Predicate = (context, now) => {
      const outside = holds
      // From within itself, the audience has no member.
      holds = never
      try {
        return outside(context, now)
      } finally {
        holds = outside
      }
    }
    members.set(id, audience)
    try {
      holds = compile(condition)
    } catch (fault) {
      members.clear()
      throw fault
    }
    return audience
  }

  return compile
}
