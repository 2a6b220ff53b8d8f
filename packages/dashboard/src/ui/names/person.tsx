import { IconKey, IconSettings } from '@tabler/icons-react'
import { initials } from './initials.ts'
import classes from './person.module.css'

interface PersonProps {
  name: string
  /** Who acts: a person, a token, or the service itself. Default: a person. */
  type?: 'person' | 'token' | 'system'
  /** The person who looks at the page. */
  isMe?: boolean
}

/** Who did something, in one line. Long names are cut and stay readable on hover. */
export function Person({ name, type = 'person', isMe = false }: PersonProps) {
  return (
    <span className={classes.person}>
      <span className={classes.sign} data-type={type} aria-hidden>
        {type === 'person' ? initials(name) : type === 'token' ? <IconKey size={14} /> : <IconSettings size={14} />}
      </span>
      <span className={classes.name} title={name} dir="auto">
        {name}
        {isMe && ' (you)'}
      </span>
    </span>
  )
}
