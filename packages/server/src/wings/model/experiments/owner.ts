import { type Refusal, refuse } from '../../../catalogue/refusals.ts'

/**
 * Refuses a change of a rule that an experiment owns, unless the experiment makes it: what an experiment tests must not
 * change behind its back.
 */
export function refusesOwned(experimentId: string | null, owner: string | undefined): Refusal | undefined {
  if (experimentId === null || experimentId === owner) return undefined
  return refuse(
    'invalid_state',
    'The rule belongs to an experiment. Change, launch or delete the experiment instead.',
    {
      references: [{ type: 'experiment', id: experimentId }],
    },
  )
}

/** Refuses a deletion that would take experiments with it. */
export function refusesWithExperiments(
  what: string,
  references: readonly { type: 'experiment'; id: string }[],
): Refusal | undefined {
  if (references.length === 0) return undefined
  return refuse('invalid_state', `${what} has experiments. Archive them first; they are deleted with it.`, {
    references,
  })
}
