import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { RuleUse } from '../../model/rules/index.ts'

export const maxHoldoutsPerProject = 20
export const maxShownUses = 100
export const maxShare = 2000

/** Refuses to resize or delete a holdout that a rule names or that a published revision named. */
export function refusesUsed(
  verb: 'resize' | 'delete',
  uses: readonly { use: RuleUse }[],
  wasServed: boolean,
): Refusal | undefined {
  if (uses.length === 0 && !wasServed) return undefined
  const refused = verb === 'resize' ? 'Its share is fixed' : 'It cannot be deleted'
  return refuse(
    'invalid_state',
    `Rules use the holdout or have used it. ${refused}, because its visitors must stay the same. Archive it and create another one.`,
    { references: uses.map(({ use }) => use) },
  )
}
