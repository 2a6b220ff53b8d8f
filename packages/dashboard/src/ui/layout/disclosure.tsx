import { type ReactNode, useState } from 'react'
import classes from './disclosure.module.css'

interface DisclosureProps {
  summary: ReactNode
  /** Default: it is closed until a person opens it. Later values have no effect, because the person decides then. */
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** A line that shows or hides its content. */
export function Disclosure({ summary, isOpenAtFirst = false, children }: DisclosureProps) {
  const [isOpen] = useState(isOpenAtFirst)
  return (
    <details className={classes.frame} open={isOpen}>
      <summary className={classes.summary}>{summary}</summary>
      <div className={classes.content}>{children}</div>
    </details>
  )
}
