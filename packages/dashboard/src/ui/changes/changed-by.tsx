import { Time } from '../time/time.tsx'
import classes from './changed-by.module.css'

/** Beside something that another person changed while it was on the screen: "Olive, just now". */
export function ChangedBy({ name, at }: { name: string; at: Date }) {
  return (
    // The key repeats the tint at the next change.
    <span key={at.getTime()} className={classes.changed}>
      {name}, <Time time={at.toISOString()} />
    </span>
  )
}
