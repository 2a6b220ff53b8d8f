import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconInfoCircle,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Tone } from '../status/status-words.ts'
import classes from './notice.module.css'

const icons: Record<Tone, TablerIcon> = {
  good: IconCircleCheck,
  note: IconInfoCircle,
  unpublished: IconCircleDashed,
  warning: IconAlertTriangle,
  bad: IconCircleX,
}

interface NoticeProps {
  /** `unpublished` is only for what is not live yet. Default: `note`. */
  tone?: Tone
  title?: ReactNode
  children?: ReactNode
  /** Buttons and links. */
  actions?: ReactNode
  /** Reads the notice out when it appears: in turn, or at once. Leave this out for what is there from the start. */
  says?: 'politely' | 'at once'
}

/** Something to know, with what can be done about it. What failed is shown by `FailureNotice`. */
export function Notice({ tone = 'note', title, children, actions, says }: NoticeProps) {
  const Icon = icons[tone]
  const role = says && { role: says === 'at once' ? 'alert' : 'status' }
  return (
    <div className={classes.notice} data-tone={tone} {...role}>
      <Icon className={classes.icon} size={20} aria-hidden />
      <div className={classes.body}>
        <div className={classes.words}>
          {title && <div className={classes.title}>{title}</div>}
          {children}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  )
}
