import type { Stroke } from './stroke.ts'
import classes from './strokes.module.css'

const names: Record<string, string> = {
  alt: 'Alt',
  ctrl: 'Ctrl',
  shift: 'Shift',
  enter: 'Enter',
  escape: 'Esc',
  space: 'Space',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

/** A key, or several after each other, as people see it on their keyboard. */
export function Strokes({ stroke }: { stroke: Stroke }) {
  return (
    <span className={classes.strokes}>
      {stroke.split(/[ +](?!$)/).map((key) => (
        <kbd key={key} className={classes.key}>
          {names[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  )
}
