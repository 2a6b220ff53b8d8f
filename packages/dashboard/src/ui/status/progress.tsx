import classes from './progress.module.css'

interface ProgressProps {
  /** What goes on: "feed.xml is being sent". */
  label: string
  done: number
  /** Null while nobody knows how much there is. */
  of: number | null
}

/** How far something is. The words beside it say the same. */
export function Progress({ label, done, of }: ProgressProps) {
  return <progress className={classes.progress} aria-label={label} {...(of !== null && { value: done, max: of })} />
}
