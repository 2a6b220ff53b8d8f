import { Button, Code, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useOrgParams } from '../../../shell/place.ts'
import { ProjectLink } from '../../../shell/project-link.tsx'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { EntityLink } from '../../../ui/names/entity-link.tsx'
import { moments } from '../../../ui/time/dates.ts'
import { Time } from '../../../ui/time/time.tsx'
import { changesOf, sentenceOf } from './changes.ts'
import classes from './entry.module.css'
import type { AuditSearch } from './filter.ts'
import { type NameOfId, nameInWords, pageOf, placeInWords } from './names.ts'
import { actorInWords, actorName, objectLabel, phraseOf } from './phrases.ts'
import { publishedIn } from './published.ts'

export type AuditEntry = Data<'/api/v1/audit', 'get'>[number]

interface EntryProps {
  entry: AuditEntry
  /** What ids are called. */
  names: ReadonlyMap<string, NameOfId>
  /** Filters the log. */
  only: (search: AuditSearch) => void
}

/** Who did what, in a sentence. Folded below are each change and, in "Details", where it came from. */
export function Entry({ entry, names, only }: EntryProps) {
  const { at, actor, action, object, projectId, before, after } = entry
  const words = useMemo(
    () => new Map([...names].flatMap(([id, name]) => (name.visible ? [[id, nameInWords(name)!]] : []))),
    [names],
  )
  const changes = useMemo(() => changesOf(before, after, words), [before, after, words])
  // A session is called after its person.
  const isOwn =
    actor.id !== null && (actor.id === object.id || (object.type === 'session' && actor.name === object.name))
  const { verb, values } = sentenceOf({ action, phrase: phraseOf(action), isOwn }, changes)
  const published = publishedIn(entry)
  const found = names.get(object.id)
  const place = (found?.visible ? placeInWords(found) : '') || environmentOf(entry, words)
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <p className={classes.sentence}>
          <strong>{actorName(actor)}</strong> {published ? `published ${published.things} to` : verb}
          {!isOwn && (
            <>
              {' '}
              <strong>
                <ObjectName name={object.name} found={found} />
              </strong>
            </>
          )}
          {place !== '' && <span className={classes.where}> in {place}</span>}
          {projectId !== null && object.id !== projectId && words.has(projectId) && (
            <span className={classes.where}>
              {place === '' ? ' in ' : ', '}
              <ProjectLink id={projectId}>{words.get(projectId)}</ProjectLink>
            </span>
          )}
          {values && ` ${values}`}
        </p>
        <Text size="sm" c="dimmed" component="div" className={classes.time ?? ''}>
          <Time time={at} />
        </Text>
      </div>
      {published?.comment && (
        <Text size="sm" c="dimmed">
          “<bdi>{published.comment}</bdi>”
        </Text>
      )}
      <div className={classes.folds}>
        {changes.length > 0 && (
          <Disclosure summary="What changed">
            <ChangeList label="What changed" changes={changes} wordsOf={({ words }) => words} isPublished />
          </Disclosure>
        )}
        <Disclosure summary="Details">
          <Details entry={entry} names={words} only={only} />
        </Disclosure>
      </div>
    </li>
  )
}

/** The environment in which something was done to an object that is in several; empty if the entry names none. */
function environmentOf({ before, after }: AuditEntry, words: ReadonlyMap<string, string>): string {
  const envIdOf = (side: unknown) => (side as { envId?: string } | null)?.envId
  return words.get(envIdOf(after) ?? envIdOf(before) ?? '') ?? ''
}

/** The name at the time of the entry, as a link to the object if it has a page. */
function ObjectName({ name, found }: { name: string; found: NameOfId | undefined }) {
  const { routesByPath }: AnyRouter = useRouter()
  const { org } = useOrgParams()
  if (!found?.visible) return name
  if (found.deleted) return <EntityLink kind={found.kind} entity={{ state: 'deleted', name }} />
  const page = pageOf(found)
  const to = page && page.route in routesByPath ? `/${org}${page.path}` : undefined
  return <EntityLink kind={found.kind} entity={{ state: 'here', name, ...(to && { to: to as '/' }) }} />
}

function Details({ entry, names, only }: Omit<EntryProps, 'names'> & { names: ReadonlyMap<string, string> }) {
  const { seq, at, actor, action, object, projectId, requestId, ip, userAgent, hash } = entry
  return (
    <>
      <dl className={classes.details}>
        <Detail name="Time">{moments(new Date(at))[0]}</Detail>
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
      <Disclosure summary="As JSON">
        <JsonView label="The entry" value={entry} />
      </Disclosure>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => only({ actor: actor.id ?? 'system' })}>
          {actor.id ? `Show only what ${actor.name} did` : 'Show only what the service did'}
        </Button>
        <Button size="xs" variant="default" onClick={() => only({ objectType: object.type, objectId: object.id })}>
          Show only changes to this {objectLabel(object.type).toLowerCase()}
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
