import { allOf, counted } from '../../../ui/words/lists.ts'

const dayMs = 86_400_000
/** A week, because some code runs only on one day of it. */
export const latelyDays = 7
const keysShown = 5

/** Where code has evaluated a flag in the last days. The latest comes first. */
export const latelyIn = <Place extends { lastEvaluatedAt?: string | null }>(
  places: readonly Place[],
  now: Date,
): (Place & { lastEvaluatedAt: string })[] =>
  places
    .filter(
      (place): place is Place & { lastEvaluatedAt: string } =>
        place.lastEvaluatedAt != null && now.getTime() - Date.parse(place.lastEvaluatedAt) <= latelyDays * dayMs,
    )
    .toSorted((one, other) => Date.parse(other.lastEvaluatedAt) - Date.parse(one.lastEvaluatedAt))

/** Which of these flags are still in use, and what to do first. Undefined if none is. */
export function stillUsedWords(
  flags: readonly { key: string; states: readonly { lastEvaluatedAt?: string }[] }[],
  now: Date,
): string | undefined {
  const used = flags.filter(({ states }) => latelyIn(states, now).length > 0).map(({ key }) => key)
  if (used.length === 0) return undefined
  const [it, is] = used.length === 1 ? ['it', 'One is'] : ['them', `${used.length.toLocaleString('en')} are`]
  const which = flags.length === 1 ? 'It is' : is
  return `${which} still in use: code evaluated ${allOf(used, keysShown)} in the last ${counted(latelyDays, 'day')}. Remove ${it} from the code and deploy it first. SDKs that ask for an archived flag return the default in your code.`
}
