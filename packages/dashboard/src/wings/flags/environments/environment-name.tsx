import classes from './environment-name.module.css'

/** The name of an environment with its color. */
export function EnvironmentName({ name, color }: { name: string; color: string }) {
  return (
    <span className={classes.name}>
      <span className={classes.dot} style={{ background: color }} aria-hidden />
      {name}
    </span>
  )
}
