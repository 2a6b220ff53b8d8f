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

/** What visitors get after a publish, and after the flags that were run with it. A paused flag serves nobody. */
export function publishedSentence({ flags, ran, isQuiet, revision }: Published, place: string): string {
  const namesOf = (some: readonly Runnable[]) =>
    allOf(
      some.map(({ name }) => name),
      3,
    )
  if (ran.length > 0) return `${namesOf(ran)} ${ran.length === 1 ? 'runs' : 'run'} in ${place} now, with the changes.`
  if (isQuiet) return `Visitors of ${place} get the same as before, for example because a flag is paused.`
  const changes = flags.length === 0 ? 'the changes' : `the changes of ${namesOf(flags)}`
  return `Visitors get ${changes} now, as revision ${revision}.`
}
