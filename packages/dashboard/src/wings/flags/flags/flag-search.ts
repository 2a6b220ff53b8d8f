/** The search part of the address of a flag: the environment, what is shown, and the rule that is edited. */
export interface FlagPageSearch {
  env?: string
  /** Only what is live. */
  view?: 'live'
  /** `new-rollout` or the id of a rule. */
  rule?: string
  /** Whose schedule is edited: `flag`, or the id of a rule. */
  schedule?: string
  /** What the palette asks about. */
  ask?: 'run' | 'pause'
}

export function flagPageSearch({ env, view, rule, schedule, ask }: Record<string, unknown>): FlagPageSearch {
  return {
    ...(typeof env === 'string' && { env }),
    ...(view === 'live' && { view }),
    ...(typeof rule === 'string' && rule !== '' && { rule }),
    ...(typeof schedule === 'string' && schedule !== '' && { schedule }),
    ...((ask === 'run' || ask === 'pause') && { ask }),
  }
}
