import classes from './environment-name.module.css'

/** An environment's name with its colour, which tells nothing by itself. */
export function EnvironmentName({ name, color }: { name: string; color: string }) {
  return (
    <span className={classes.name}>
      <span className={classes.dot} style={{ background: color }} aria-hidden />
      {name}
    </span>
  )
}
