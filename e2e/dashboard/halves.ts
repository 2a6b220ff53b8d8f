import type { Client, EvaluationContext } from '../../packages/sdk/src/index.ts'

/**
 * Equal numbers of visitors whose BOOLEAN flag is off and on. The variation of a visitor depends on the random id of
 * the test. With random visitors, one test in a thousand would have so few with one variation that its results say so.
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
