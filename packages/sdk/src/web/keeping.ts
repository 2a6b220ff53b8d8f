import type { DataFile, EvaluationContext, Keep } from '@svc/core'
import type { Connection } from '../connection.ts'
import type { Details } from '../details.ts'

/**
 * Evaluates sticky experiments with what each visitor keeps. The client has one store for all of its visitors.
 *
 * @returns what the visitor gets of an experiment whose rule draws; undefined if it is not sticky
 */
export function createKeeping({ compile, platform }: Pick<Connection, 'compile' | 'platform'>) {
  let held: { file: DataFile; evaluator: ReturnType<Connection['compile']> } | undefined
  // An evaluation ends before the next one begins.
  let current: Keep | undefined
  const keep: Keep = {
    get: (...given) => current?.get(...given),
    set: (...given) => current?.set(...given),
  }
  return (file: DataFile, key: string, context: EvaluationContext, kept: Keep): Details<string> | undefined => {
    if (!file.flags[key]?.rules?.some((rule) => rule.type === 'AB_TEST' && rule.sticky)) return undefined
    if (held?.file !== file) held = { file, evaluator: compile(file, platform.now, keep) }
    current = kept
    // The value of a web experiment is the key of the variation.
    return held.evaluator.evaluate(key, context) as Details<string>
  }
}
