import { Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { Time } from '../../../ui/time/time.tsx'
import type { Kind, previewPath } from './destination-path.ts'
import { severityOf, sortOf } from './kinds.ts'
import classes from './message-picture.module.css'

export type Message = Data<typeof previewPath, 'post'>['message']

/** A sample message without a real event and time. */
export type SampleMessage = Omit<Message, 'at'> & { at?: undefined }

/**
 * A message as people will read it at the receiver: a chat, a ticket, an alarm or a mail. Its link leads to this dashboard,
 * so it is only shown.
 */
export function MessagePicture({ kind, message }: { kind: Kind; message: Message | SampleMessage }) {
  const { tone, title, summary, facts, link, project, actor, at } = message
  const sort = sortOf(kind)
  const time = at === undefined ? 'just now' : <Time time={at} isStop />
  const about = [
    { label: 'Project', value: project },
    { label: 'By', value: actor },
    { label: 'At', value: time },
  ]
  const linkLine = (
    <Text size="sm" td="underline">
      {link.label}
    </Text>
  )
  return (
    <div className={classes.frame} data-tone={tone} data-sort={sort}>
      {sort === 'MAIL' && <p className={classes.label}>Subject</p>}
      {sort === 'ALARM' && <p className={classes.label}>Severity: {severityOf(tone)}</p>}
      <p className={classes.title}>{title}</p>
      {summary && <Text size="sm">{summary}</Text>}
      {sort === 'CHAT' && linkLine}
      <dl className={sort === 'CHAT' ? classes.facts : classes.lines}>
        {(sort === 'CHAT' ? facts : [...facts, ...about]).map(({ label, value }, index) => (
          // Two facts can be the same, and none ever moves.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {sort !== 'CHAT' && linkLine}
      {sort === 'CHAT' && (
        <div className={classes.foot}>
          {project} · {actor} · {time}
        </div>
      )}
      {sort === 'TICKET' && <div className={classes.foot}>Label: svc</div>}
      {sort === 'MAIL' && <div className={classes.foot}>Unsubscribe</div>}
    </div>
  )
}
