import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ChangeWords } from './change-words.ts'
import classes from './changing.module.css'

interface ChangingProps {
  /** What visitors get. A new value has none. */
  live?: ReactNode
  /** What they will get with the next publish. */
  next: ReactNode
  /** The change is live: an old revision, an entry of the audit log. The new value is not violet then. */
  isPublished?: boolean | undefined
}

/** A value that is not published: "25 % → 50 %", the new one in violet. Pages show a value that is live by itself. */
export function Changing({ live, next, isPublished }: ChangingProps) {
  return (
    <span data-published={isPublished || undefined}>
      {live !== undefined && (
        <>
          <span className={classes.live}>{live}</span> <span aria-hidden>→</span>
          <VisuallyHidden>becomes</VisuallyHidden>{' '}
        </>
      )}
      <span className={classes.next}>{next}</span>
    </span>
  )
}

/** What changes, and how: "share: 25 % → 50 %", "Rule Beta: deleted". */
export function Changed({ words, isPublished }: { words: ChangeWords; isPublished?: boolean | undefined }) {
  const { subject, from, to, does } = words
  return (
    <>
      {subject}: <Changing live={does === undefined ? from : undefined} next={does ?? to} isPublished={isPublished} />
    </>
  )
}
