/** The search part of the address of a flag: the environment, what is shown, and the rule that is edited. */
export interface FlagPageSearch {
  env?: string
  /** Only what is live. */
  view?: 'live'
  /** `new-rollout`, `new-test` or the id of a rule. */
  rule?: string
}

export function flagPageSearch({ env, view, rule }: Record<string, unknown>): FlagPageSearch {
  return {
    ...(typeof env === 'string' && { env }),
    ...(view === 'live' && { view }),
    ...(typeof rule === 'string' && rule !== '' && { rule }),
  }
}
