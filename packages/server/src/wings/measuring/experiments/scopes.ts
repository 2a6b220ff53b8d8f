import type { Experiment } from '../../model/experiments/index.ts'

// It acts on a flag that people see, so `experiments:write` alone must not bypass `flags:write`.
const flagsToo = { scope: 'flags:write', for: 'an experiment of the type FEATURE' } as const

/** What the creation of an experiment needs: the type of the project decides which type it has. */
export const alsoToCreate = { ...flagsToo, isNeededFor: ({ type }: { type: string }) => type === 'FEATURE_FLAG' }

/** What a write of an experiment needs. */
export const writes = {
  scope: 'experiments:write',
  alsoNeeds: { ...flagsToo, isNeededFor: ({ type }: Experiment) => type === 'FEATURE' },
} as const
