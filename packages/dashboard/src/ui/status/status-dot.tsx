import type { ReactNode } from 'react'
import classes from './status-dot.module.css'
import type { Tone } from './status-words.ts'

/** A state in a word beside a dot, for rows that have no room for a badge. The shape of the dot differs with the tone. */
export function StatusDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.state}>
      <span className={classes.dot} data-tone={tone} aria-hidden />
      <span>{children}</span>
    </span>
  )
}
