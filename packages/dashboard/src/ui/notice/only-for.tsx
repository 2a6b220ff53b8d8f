import { IconLock } from '@tabler/icons-react'
import { oneOf } from '../words/lists.ts'
import classes from './only-for.module.css'

const maxNames = 3

interface OnlyForProps {
  /** What the person can do, and what not: "Viewers can look, but not publish." */
  children: string
  /** Names of people who can change that, and what they are: `['Olive', 'Ravi']`, "admins". */
  people?: readonly string[]
  /** What the people are. Default: "admins". */
  are?: string
}

/**
 * One line in the place of actions that a person cannot take. Whole pages that a person cannot read use
 * `OnlyAdministrators`.
 */
export function OnlyFor({ children, people = [], are = 'admins' }: OnlyForProps) {
  return (
    <p className={classes.line}>
      <IconLock className={classes.icon} size={16} aria-hidden />
      <span>
        {children}
        {people.length > 0 &&
          ` ${oneOf(people, maxNames)} (${people.length === 1 ? are.replace(/s$/, '') : are}) can change your role.`}
      </span>
    </p>
  )
}
