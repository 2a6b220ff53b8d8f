import classes from './variation.module.css'

const shapes = ['●', '■', '▲', '◆']

/** A variation by its name, with the shape and the color of its place in the flag. */
export function Variation({ name, place }: { name: string; place: number }) {
  return (
    <span className={classes.variation}>
      <span className={classes.shape} data-arm={(place % shapes.length) + 1} aria-hidden>
        {shapes[place % shapes.length]}
      </span>
      <span className={classes.name} title={name} dir="auto">
        {name}
      </span>
    </span>
  )
}
