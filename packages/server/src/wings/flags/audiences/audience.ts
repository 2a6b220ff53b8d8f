import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { RuleUse } from '../../model/rules/index.ts'

export const maxAudiencesPerProject = 500
export const maxShownUses = 100

/** Refuses to delete an audience that a rule uses: without it, the rule would silently match no visitor. */
export function refusesDeletion(uses: readonly { use: RuleUse }[]): Refusal | undefined {
  if (uses.length === 0) return undefined
  return refuse('invalid_state', 'Drafted or live rules use the audience. Change those rules first.', {
    references: uses.map(({ use }) => use),
  })
}
