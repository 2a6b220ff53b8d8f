import type { ReactNode } from 'react'
import classes from './disclosure.module.css'

/** A line that shows or hides its content. */
export function Disclosure({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className={classes.frame}>
      <summary className={classes.summary}>{summary}</summary>
      <div className={classes.content}>{children}</div>
    </details>
  )
}
