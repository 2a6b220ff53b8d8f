import type { Experiment } from './experiment.ts'

type Grouped = Pick<Experiment, 'exclusionGroupId'>

/** What a message says of a copy. */
export function copyWords(original: Grouped, copy: Grouped & Pick<Experiment, 'name'>): string {
  const made = `${copy.name} made. It is a draft.`
  if (original.exclusionGroupId === null || copy.exclusionGroupId !== null) return made
  return `${made} It belongs to no exclusion group, because the one of the original was deleted.`
}
