import { useTargeting } from '../flags/targeting-place.ts'

/** What visitors get while the flag is paused: the default of the flag, as it was last published. */
export function usePausedVariation(): string {
  const { flag, inEnvironment } = useTargeting()
  const change = inEnvironment.changes.find(({ path }) => path === 'pausedVariationKey')
  return typeof change?.from === 'string' ? change.from : flag.defaultVariationKey
}
