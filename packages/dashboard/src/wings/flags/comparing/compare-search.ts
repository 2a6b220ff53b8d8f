/** The search part of the address of a comparison: both environments by their keys, and what is compared. */
export interface CompareSearch {
  env?: string
  with?: string
  /** Only what is live. */
  view?: 'live'
}

export function compareSearch({ env, with: other, view }: Record<string, unknown>): CompareSearch {
  return {
    ...(typeof env === 'string' && { env }),
    ...(typeof other === 'string' && { with: other }),
    ...(view === 'live' && { view }),
  }
}

/** The second environment: the one of the address, or the first that is not compared already. */
export const otherOf = <Environment extends { key: string }>(
  environments: readonly Environment[],
  key: string,
  wanted: string | undefined,
): Environment | undefined =>
  environments.find((each) => each.key === wanted && each.key !== key) ?? environments.find((each) => each.key !== key)
