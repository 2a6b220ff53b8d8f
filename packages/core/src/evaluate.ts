import type { Evaluation, Reason } from './answer.ts'
import { answer, malformed, notFound } from './answer.ts'
import { userOf } from './attribute.ts'
import type { Predicate } from './conditions.ts'
import type { DataFile, Flag } from './datafile.ts'
import { hashId } from './hashed-id.ts'
import { ensure, own } from './record.ts'
import { compileRule } from './rule.ts'

/** What is known about a visitor. `targetingKey` is the user id that overrides name and that rules bucket by. */
export type EvaluationContext = { targetingKey?: string; [attribute: string]: unknown }

/** A data file ready to be asked. */
export type Evaluator = {
  revision: number
  flagKeys: string[]
  /** Those of the file that have been evaluated so far. */
  evaluatedKeys: () => string[]
  /** Never throws and has no effects. `now` in epoch milliseconds, by default the system's clock. */
  evaluate: (flagKey: string, context: EvaluationContext, now?: number) => Evaluation
}

/**
 * Makes a data file ready to be asked. Each flag is compiled when it is first evaluated, so that the cost of a new
 * revision is that of the flags in use.
 *
 * @example compile(file).evaluate('one-page-checkout', { targetingKey: 'u-17' }).value // true
 */
export function compile(file: DataFile): Evaluator {
  const flags = new Map<string, CompiledFlag>()
  const audiences = new Map<string, Predicate>()
  const compileFirst = (flagKey: string): CompiledFlag => {
    if (!Object.hasOwn(file.flags, flagKey)) return () => notFound
    const flag = compileFlag(file.flags[flagKey] as Flag, file, audiences)
    flags.set(flagKey, flag)
    return flag
  }
  return {
    revision: file.revision,
    get flagKeys() {
      return Object.keys(file.flags)
    },
    // A flag is compiled when it is first asked for, so this costs an evaluation nothing.
    evaluatedKeys: () => [...flags.keys()],
    evaluate: (flagKey, context, now) => {
      try {
        return (flags.get(flagKey) ?? compileFirst(flagKey))(context, now)
      } catch {
        return malformed
      }
    },
  }
}

type CompiledFlag = (context: EvaluationContext, now: number | undefined) => Evaluation

function compileFlag(flag: Flag, file: DataFile, audiences: Map<string, Predicate>): CompiledFlag {
  try {
    return compileParts(flag, file, audiences)
  } catch {
    // An audience that failed half-way must not be taken for a whole one by the next flag.
    audiences.clear()
    return () => malformed
  }
}

function compileParts(flag: Flag, file: DataFile, audiences: Map<string, Predicate>): CompiledFlag {
  ensure(typeof flag.enabled === 'boolean')
  const byDefault = (reason: Reason) => answer(flag, flag.defaultVariation, reason)
  if (!flag.enabled) {
    const disabled = byDefault('DISABLED')
    return () => disabled
  }
  const { overrides } = flag
  const nameOf = compileName(flag)
  const rules = flag.rules.map((rule) => compileRule(rule, flag, file, audiences))
  const unmatched = byDefault('DEFAULT')
  const unitless = byDefault('UNIT_MISSING')
  return (context, now) => {
    const user = userOf(context)
    const name = nameOf(user)
    const override = overrides && name && own(overrides, name)
    if (override) return answer(flag, override, 'OVERRIDE')
    let fallback = unmatched
    for (const evaluate of rules) {
      const outcome = evaluate(context, now, user, name)
      if (outcome === 'UNIT_MISSING') fallback = unitless
      else if (outcome) return outcome
    }
    return fallback
  }
}

type Name = (user: string | undefined) => string | undefined

/** By what overrides name a visitor: the targeting key, or its hash. */
function compileName({ overrides, overrideSalt, rules }: Flag): Name {
  if (overrideSalt === undefined || !(overrides || rules.some((rule) => rule.overrides))) return (user) => user
  ensure(typeof overrideSalt === 'string')
  return (user) => user && hashId(overrideSalt, user)
}
