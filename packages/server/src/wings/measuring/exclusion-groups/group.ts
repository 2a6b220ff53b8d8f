import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { GroupSlot } from '../../model/exclusion-groups/index.ts'

export const maxGroupsPerProject = 100
export const maxShownReferences = 100
/** Four tests fit into a group at once. */
export const usualSlotSize = 2500
export const minSlotSize = 100

/** A new size would not fit the slots that rules have. */
export function refusesResizing(slots: readonly GroupSlot[]): Refusal | undefined {
  if (slots.length === 0) return undefined
  return refuse('invalid_state', 'The slot size is fixed while rules have slots. Create another group.', {
    references: slots.slice(0, maxShownReferences).map(referenceOf),
  })
}

/** Without the group, its rules would match no visitor. */
export function refusesDeletion(slots: readonly GroupSlot[]): Refusal | undefined {
  if (slots.length === 0) return undefined
  return refuse('invalid_state', 'Drafted or live rules belong to the exclusion group. Change those rules first.', {
    references: slots.slice(0, maxShownReferences).map(referenceOf),
  })
}

const referenceOf = ({ ruleId, flagId, experimentId, envId }: GroupSlot) =>
  experimentId === null ? { type: 'rule', id: ruleId, flagId, envId } : { type: 'experiment', id: experimentId, envId }
