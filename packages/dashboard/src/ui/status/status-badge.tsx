import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './status-badge.module.css'
import { type StatusOf, type StatusValue, statusOf, type Tone } from './status-words.ts'

const icons: Record<Tone, TablerIcon | null> = {
  good: IconCircleCheck,
  note: null,
  unpublished: IconCircleDashed,
  warning: IconAlertTriangle,
  bad: IconCircleX,
}

/** A state in a word, on a tint. All but neutral ones have an icon too, so that color is never the only sign. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <span className={classes.badge} data-tone={tone}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </span>
  )
}

/** The badge of a state of the API, in the words of `status-words.ts`: `<Status of="flag" value={flag.status} />`. */
export function Status<Of extends StatusOf>({ of, value }: { of: Of; value: StatusValue<Of> }) {
  const { tone, words } = statusOf(of, value)
  return <StatusBadge tone={tone}>{words}</StatusBadge>
}
