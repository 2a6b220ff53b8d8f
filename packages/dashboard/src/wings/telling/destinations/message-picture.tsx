import { Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { Time } from '../../../ui/time.tsx'
import type { previewPath } from './destination-path.ts'
import classes from './message-picture.module.css'

type Message = Data<typeof previewPath, 'post'>['message']

/** A message of no real event, told at no time. */
export type SampleMessage = Omit<Message, 'at'> & { at?: undefined }

/** A message as people will read it. Its link leads to this dashboard, so it is only shown. */
export function MessagePicture({
  message: { tone, title, summary, facts, link, project, actor, at },
}: {
  message: Message | SampleMessage
}) {
  return (
    <div className={classes.frame} data-tone={tone}>
      <p className={classes.title}>{title}</p>
      {summary && <Text size="sm">{summary}</Text>}
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map(({ label, value }) => (
            <div key={`${label} ${value}`}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Text size="sm" td="underline">
        {link.label}
      </Text>
      <div className={classes.foot}>
        {project} · {actor} · {at === undefined ? 'just now' : <Time time={at} isStop />}
      </div>
    </div>
  )
}
