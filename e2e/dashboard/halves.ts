import type { Client, EvaluationContext } from '../../packages/sdk/src/index.ts'

/**
 * As many visitors whose BOOLEAN flag is off as visitors whose flag is on. Which variation a visitor gets depends on the
 * random id of the test. Of visitors as they come, one test in a thousand would have so few with one variation that its
 * results say so.
 */
export function evenly(
  client: Client,
  flagKey: string,
  count: number,
): [off: EvaluationContext[], on: EvaluationContext[]] {
  const halves: [EvaluationContext[], EvaluationContext[]] = [[], []]
  for (let number = 0; halves.some(({ length }) => length < count); number += 1) {
    const context = { targetingKey: `u-${number}` }
    const half = halves[client.peekBoolean(flagKey, false, context) ? 1 : 0]
    if (half.length < count) half.push(context)
  }
  return halves
}
