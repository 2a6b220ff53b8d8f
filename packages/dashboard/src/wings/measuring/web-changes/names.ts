import type { WebNames } from '../../../ui/changes/web-difference-words.ts'
import { namesOfExperiment } from '../experiments/experiment.ts'
import type { Design } from './design.ts'

/** Names for the differences of a variation, whose changes are known. */
export const namesOf = ({
  experiment,
  variation,
  content,
}: Pick<Design, 'experiment' | 'variation' | 'content'>): WebNames => ({
  ...namesOfExperiment(experiment),
  // What is shown is about this one.
  variations: new Map([[variation.key, '']]),
  webChanges: new Map(content.changes.map((change) => [`${variation.key} ${change.id}`, change])),
})
