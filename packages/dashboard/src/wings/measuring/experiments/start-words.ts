import { allOf } from '../../../ui/words/lists.ts'

interface Start {
  flag: { name: string; status: string }
  /** The environment. */
  place: string
  isFlagRunning: boolean
  /** The flag was never published there: a run publishes its draft. */
  isFirstRun: boolean
  /** The names of the other rules that a run of the flag serves. */
  others: readonly string[]
}

const maxNames = 3

/** What prevents a launch or a resumption, and what else it does. Empty if the flag runs. */
export function startWords({ flag, place, isFlagRunning, isFirstRun, others }: Start): {
  /** The flag is run first. */
  runs: boolean
  words?: string
  refused?: string
} {
  if (flag.status === 'ARCHIVED')
    return { runs: false, refused: `${flag.name} is archived. Unarchive it, and run it in ${place} first.` }
  if (isFlagRunning) return { runs: false }
  const besides =
    others.length === 0
      ? 'No other rule begins to serve with it.'
      : `With it, ${others.length === 1 ? 'another rule begins' : `${others.length} other rules begin`} to serve: ${allOf(others, maxNames)}.`
  const draft = isFirstRun ? ' It was never published there, so its draft is published.' : ''
  return { runs: true, words: `${flag.name} is paused in ${place}, and this runs it first.${draft} ${besides}` }
}
