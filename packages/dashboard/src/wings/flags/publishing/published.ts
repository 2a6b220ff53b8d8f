import { allOf } from '../../../ui/words/lists.ts'

/** What a publish has done. */
export interface Published {
  revision: number
  /** Visitors get the same as before. */
  isQuiet: boolean
  /** The flags that were published. */
  flags: readonly Runnable[]
  /** The flags that were run with it. */
  ran: readonly Runnable[]
}

export type Runnable = { key: string; name: string }

const namesOf = (some: readonly Pick<Runnable, 'name'>[]): string =>
  allOf(
    some.map(({ name }) => name),
    3,
  )

/** Why a preview shows nothing of flags that are paused. */
export const pausedSentence = (paused: readonly Pick<Runnable, 'name'>[], place: string): string =>
  paused.length === 1
    ? `${namesOf(paused)} is paused in ${place}, so visitors get its changes only after you run it.`
    : `${namesOf(paused)} are paused in ${place}, so visitors get their changes only after you run them.`

/** What visitors get after a publish, and after the flags that were run with it. A paused flag serves nobody. */
export function publishedSentence({ flags, ran, isQuiet, revision }: Published, place: string): string {
  if (ran.length > 0) return `${namesOf(ran)} ${ran.length === 1 ? 'runs' : 'run'} in ${place} now, with the changes.`
  if (isQuiet) return `Visitors of ${place} get the same as before, for example because a flag is paused.`
  const changes = flags.length === 0 ? 'the changes' : `the changes of ${namesOf(flags)}`
  return `Visitors get ${changes} now, as revision ${revision}.`
}
