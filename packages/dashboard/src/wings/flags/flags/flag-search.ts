import { type PlaygroundSearch, playgroundSearch } from '../playground/playground-search.ts'

/** The search part of the address of a flag: the environment, what is shown, and what is edited or tried beside it. */
export interface FlagPageSearch extends Omit<PlaygroundSearch, 'flag'> {
  env?: string
  /** Only what is live. */
  view?: 'live'
  /** `new-rollout` or the id of a rule. */
  rule?: string
  /** Whose schedule is edited: `flag`, or the id of a rule. */
  schedule?: string
  /** Who always gets a variation, or the playground, whose parts are in the address as well. */
  panel?: 'always' | 'try'
  /** What the palette asks about. */
  ask?: 'run' | 'pause'
}

export function flagPageSearch(search: Record<string, unknown>): FlagPageSearch {
  const { env, view, rule, schedule, panel, ask } = search
  const { flag: _flag, env: _env, ...tried } = playgroundSearch(search)
  return {
    ...(typeof env === 'string' && { env }),
    ...(view === 'live' && { view }),
    ...(typeof rule === 'string' && rule !== '' && { rule }),
    ...(typeof schedule === 'string' && schedule !== '' && { schedule }),
    ...(panel === 'always' && { panel }),
    ...(panel === 'try' && { panel, ...tried }),
    ...((ask === 'run' || ask === 'pause') && { ask }),
  }
}

/** Opens one thing beside the flag, and closes what was open. */
export const beside =
  (opened: Partial<FlagPageSearch>) =>
  ({ env, view }: FlagPageSearch): FlagPageSearch =>
    flagPageSearch({ env, view, ...opened })
