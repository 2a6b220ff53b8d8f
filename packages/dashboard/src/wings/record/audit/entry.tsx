import { Button, Code, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import type { ReactNode } from 'react'
import { ProjectLink } from '../../../shell/project-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { moment } from '../../../ui/distance.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { DifferenceList } from './difference-list.tsx'
import classes from './entry.module.css'
import type { AuditSearch } from './filter.ts'
import { actorInWords, actorName, objectLabel, phraseOf } from './phrases.ts'

export type AuditEntry = Data<'/api/v1/audit', 'get'>[number]

interface EntryProps {
  entry: AuditEntry
  /** The names of ids: projects. */
  names: ReadonlyMap<string, string>
  /** Filters the log. */
  only: (search: AuditSearch) => void
}

/** Who did what, with the values before and after. "Details" shows where the change came from. */
export function Entry({ entry, names, only }: EntryProps) {
  const { at, actor, action, object, projectId, before, after } = entry
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <p className={classes.sentence}>
          <strong>{actorName(actor)}</strong> {phraseOf(action)}{' '}
          <strong>
            {object.type === 'project' && names.has(object.id) ? (
              <ProjectLink id={object.id}>{object.name}</ProjectLink>
            ) : (
              object.name
            )}
          </strong>
          {projectId !== null && object.id !== projectId && names.has(projectId) && (
            <span className={classes.where}>
              {' '}
              in <ProjectLink id={projectId} />
            </span>
          )}
        </p>
        <Text size="sm" c="dimmed" component="div" className={classes.time ?? ''}>
          <RelativeTime time={at} />
        </Text>
      </div>
      <DifferenceList before={before} after={after} names={names} />
      <Disclosure summary="Details">
        <Details entry={entry} names={names} only={only} />
      </Disclosure>
    </li>
  )
}

function Details({ entry, names, only }: EntryProps) {
  const { seq, at, actor, action, object, projectId, requestId, ip, userAgent, hash } = entry
  return (
    <>
      <dl className={classes.details}>
        <Detail name="Time">{moment(new Date(at))}</Detail>
        <Detail name="Who">
          {actorName(actor)}, {actorInWords(actor.type)}
          {actor.id && <Code>{actor.id}</Code>}
        </Detail>
        <Detail name="Origin">{[ip, userAgent].filter(Boolean).join(' · ') || 'the service itself'}</Detail>
        <Detail name="Action">
          <Code>{action}</Code>
        </Detail>
        <Detail name="Object">
          {objectLabel(object.type)} {object.name} <Code>{object.id}</Code>
        </Detail>
        {projectId !== null && (
          <Detail name="Project">
            {names.get(projectId)} <Code>{projectId}</Code>
          </Detail>
        )}
        {requestId !== null && (
          <Detail name="Request id">
            <Code>{requestId}</Code>
            <CopyButton text={requestId} label="Copy the request id" />
          </Detail>
        )}
        <Detail name="Entry">
          Number {seq}, hash <Code>{hash}</Code>
        </Detail>
      </dl>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => only({ actor: actor.id ?? 'system' })}>
          {actor.id ? `Show only actions of ${actor.name}` : 'Show only actions of the service'}
        </Button>
        <Button size="xs" variant="default" onClick={() => only({ objectType: object.type, objectId: object.id })}>
          Show only changes of {object.name}
        </Button>
      </Group>
    </>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.detail}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
