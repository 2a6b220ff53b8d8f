import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { RuleUse } from '../../model/rules/index.ts'

export const maxAudiencesPerProject = 500
export const maxShownUses = 100

/** An audience that a rule still names stays: without it the rule would quietly be for nobody. */
export function refusesDeletion(uses: readonly RuleUse[]): Refusal | undefined {
  if (uses.length === 0) return undefined
  return refuse('invalid_state', 'Rules still name the audience, as drafted or as live. Change them first.', {
    references: uses.map(({ type, id, flagId, envId }) => ({ type, id, flagId, envId })),
  })
}
