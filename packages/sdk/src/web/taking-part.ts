import type { Condition, EvaluationContext, Predicate, Reason } from '@svc/core'

/** The reasons of those who are in a test, or get its winner. */
const inTest: readonly Reason[] = ['SPLIT', 'TARGETING_MATCH', 'OVERRIDE']

/**
 * Makes the decision whether a visitor takes part in an experiment: the same in a page and on a server.
 *
 * @param pages conditions by the key of the page; a visitor takes part where any of them holds
 * @returns takes the visitor with the page, and the evaluation of the experiment. It gives the keys of the pages that hold,
 *   and what the evaluation has found if the visitor takes part.
 */
export function takingPart(
  pages: Readonly<Record<string, Condition>>,
  conditionOf: (condition: Condition) => Predicate,
) {
  const conditions = Object.entries(pages).map(([key, condition]) => ({ key, holds: conditionOf(condition) }))
  return <Found extends { reason: Reason }>(context: EvaluationContext, evaluate: () => Found | undefined) => {
    const on = conditions.filter(({ holds }) => holds(context)).map(({ key }) => key)
    const found = on.length > 0 ? evaluate() : undefined
    return { on, given: found && inTest.includes(found.reason) ? found : undefined }
  }
}
