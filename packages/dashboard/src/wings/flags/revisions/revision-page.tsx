import { Button, Paper, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconHistory } from '@tabler/icons-react'
import { useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { type Flag, useFlag } from '../flags/flag-queries.ts'
import { ChangedExperiments } from '../publishing/changed-experiments.tsx'
import { changeNames } from '../publishing/staged.ts'
import { Author } from './author.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { RevisionLink } from './revision-list.tsx'
import { type RevisionChanges, useNewest, useRevision } from './revision-queries.ts'
import { changeWordsOf, labelOf, reasonSentence, rolledBack } from './revision-words.ts'
import classes from './revisions.module.css'

const address = '/inside/$org/$project/environments/$environment/history/$revision'

/** What a revision changed, who made it and why, and the ways back to it. */
export function RevisionPage() {
  const { environment: key, revision } = useParams({ from: address })
  const { flag } = useSearch({ from: address })
  const { environments } = usePlace()
  const environment = environments.find((each) => each.key === key)
  if (!environment)
    return <NotFound title={`No environment “${key}”`}>It may have been deleted or given another key.</NotFound>
  const Asked = flag === undefined ? Read : OfFlag
  return <Asked key={`${environment.id} ${revision} ${flag}`} environment={environment} revision={revision} />
}

interface ReadProps {
  environment: Environment
  revision: string
  /** The flag that the page is about; all flags without it. */
  only?: Pick<Flag, 'id' | 'key' | 'name'>
}

/** Only what the revision changed in the flag of the address. */
function OfFlag(props: ReadProps) {
  const { flag = '' } = useSearch({ from: address })
  const query = useFlag(flag)
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (isGone) return <Read {...props} />
  if (!query.data) return <Waiting {...props} query={query} />
  return <Read {...props} only={query.data.content} />
}

function Read(props: ReadProps) {
  const { environment, revision, only } = props
  const { params } = usePlace()
  const query = useRevision(environment, revision, only?.id)
  const newest = useNewest(environment)
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <NotFound
        title={`No revision ${revision} in ${environment.name}`}
        action={
          <TextLink
            to="/$org/$project/environments/$environment/history"
            params={{ ...params, environment: environment.key }}
          >
            All revisions of {environment.name}
          </TextLink>
        }
      >
        The newest one is revision {newest.toLocaleString('en')}.
      </NotFound>
    )
  if (!query.data) return <Waiting {...props} query={query} />
  return <Revision environment={environment} shown={query.data.data} newest={newest} only={only} />
}

type WaitingProps = ReadProps & { query: { data: unknown; error: unknown; refetch: () => unknown } }

const Waiting = ({ environment, revision, query }: WaitingProps) => (
  <Page title={`Revision ${revision} of ${environment.name}`}>
    <Loaded query={query} lines={6}>
      {() => null}
    </Loaded>
  </Page>
)

interface RevisionProps {
  environment: Environment
  shown: RevisionChanges
  newest: number
  only: ReadProps['only']
}

type WayBack = 'restore' | 'roll back'

function Revision(props: RevisionProps) {
  const { environment, shown, only } = props
  const { data: index } = useProjectIndex()
  const isWeb = usePlace().project.type === 'WEB'
  const [mayEditFlags, mayTest] = [useMay('flags:write'), useMay('experiments:write')]
  const mayRestore = mayEditFlags && (mayTest || !isWeb)
  const [asked, setAsked] = useState<WayBack>()
  const isQuiet = shown.step > 0
  const isPublish = shown.reason === 'PUBLISHED'
  const names = changeNames({ flags: shown.flags }, index)
  const seen = shown.flags.filter(({ change }) => change !== null || isQuiet)
  const unseen = shown.flags.filter(({ change }) => change === null && !isQuiet)
  const rollsBack = only ? [] : rolledBack(shown)
  const previous = previousOf(shown)
  return (
    <Page
      title={`Revision ${labelOf(shown)} of ${environment.name}`}
      description={reasonSentence({ ...shown, flags: isPublish ? shown.flags : seen })}
      actions={<Actions {...props} ask={mayRestore ? setAsked : undefined} />}
    >
      <Stack gap="xs">
        <Facts {...props} />
        <OtherRevisions {...props} />
      </Stack>
      {isQuiet && (
        <Notice tone="note" title="No change for visitors">
          They get the same as before: the data file stayed as in{' '}
          <RevisionLink environment={environment.key} place={{ revision: shown.revision, step: 0 }} isInText />. What is
          published shows as soon as it has an effect, for example when a paused{' '}
          {isWeb ? 'experiment is resumed' : 'flag is run'}.
        </Notice>
      )}
      {mayRestore && rollsBack === 'TOO_MANY' && previous && (
        <Notice title="This publish is too large to roll back">
          It changed {counted(shown.flagCount, 'flag')}. Open{' '}
          <RevisionLink environment={environment.key} place={previous} isInText /> and restore it instead. That puts
          these flags back, and every other flag that has changed since.
        </Notice>
      )}
      {!mayRestore && <OnlyFor>You can look at the history. Editors and admins can restore a revision.</OnlyFor>}
      <Changed {...props} names={names} seen={seen} listed={seen.length + (isPublish ? unseen.length : 0)} />
      {unseen.length > 0 && (
        <Section
          title="Not seen by visitors"
          description={`Published ${isPublish ? 'together with the rest' : 'while this revision was the newest'}, without an effect on what visitors get: of paused flags, for example. A restore brings it back too.`}
        >
          {unseen.map((flag) => (
            <ChangedFlag key={flag.id} environment={environment} flag={flag} names={names} />
          ))}
        </Section>
      )}
      {asked && <TakeBack {...props} asked={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}

const previousOf = ({ previousRevision, previousStep }: RevisionChanges) =>
  previousRevision === null ? undefined : { revision: previousRevision, step: previousStep ?? 0 }

interface ActionsProps extends RevisionProps {
  ask: ((way: WayBack) => void) | undefined
}

function Actions({ environment, shown, newest, only, ask }: ActionsProps) {
  const { params } = usePlace()
  // What is live needs no restore: the list of unpublished changes undoes what differs from it.
  const isLive = shown.revision === newest && shown.step === 0
  const rollsBack = only ? [] : rolledBack(shown)
  return (
    <>
      <ButtonLink
        variant="default"
        to="/$org/$project/playground"
        params={params}
        search={{ env: environment.key, revision: shown.revision, ...(only && { flag: only.key }) }}
      >
        What did a visitor get then?
      </ButtonLink>
      {ask && !isLive && (
        <Button variant="default" onClick={() => ask('restore')}>
          {only ? `Restore ${only.name}…` : 'Restore…'}
        </Button>
      )}
      {ask && rollsBack !== 'TOO_MANY' && rollsBack.length > 0 && (
        <Button onClick={() => ask('roll back')}>Roll back…</Button>
      )}
    </>
  )
}

/** Who made it, when, and why. */
function Facts({ shown: { revision, comment, publishedAt, publishedBy }, newest }: RevisionProps) {
  return (
    <>
      <div className={classes.facts}>
        <Author of={publishedBy} />
        <Time time={publishedAt} never="With the environment" isStop />
        {revision === newest && <StatusBadge tone="good">Live</StatusBadge>}
      </div>
      {comment !== null && (
        <Text size="sm" className={classes.said ?? ''}>
          “<bdi>{comment}</bdi>”
        </Text>
      )}
    </>
  )
}

function OtherRevisions({ environment, shown, newest, only }: RevisionProps) {
  const { params } = usePlace()
  const at = { ...params, environment: environment.key }
  const previous = previousOf(shown)
  return (
    <nav className={classes.steps} aria-label="Other revisions">
      <TextLink to="/$org/$project/environments/$environment/history" params={at}>
        All revisions of {environment.name}
      </TextLink>
      {only ? (
        <TextLink
          to="/$org/$project/environments/$environment/history/$revision"
          params={{ ...at, revision: labelOf(shown) }}
          search={{}}
        >
          The whole revision
        </TextLink>
      ) : (
        <>
          {previous && <RevisionLink environment={environment.key} place={previous} />}
          {shown.revision < newest && (
            <RevisionLink environment={environment.key} place={{ revision: shown.revision + 1, step: 0 }} />
          )}
        </>
      )}
    </nav>
  )
}

interface ChangedProps extends RevisionProps {
  names: ChangeNames
  seen: RevisionChanges['flags']
  /** How many flags the page shows. A large revision has more. */
  listed: number
}

/** What visitors have seen of it. */
function Changed({ environment, shown, only, names, seen, listed }: ChangedProps) {
  const { revision, flags, flagCount, experiments, audiences, segments } = shown
  return (
    <Stack gap="md">
      {seen.map((flag) => (
        <ChangedFlag key={flag.id} environment={environment} flag={flag} names={names} />
      ))}
      {!only && flagCount > listed && (
        <Text size="sm" c="dimmed">
          And {counted(flagCount - listed, 'more flag')}. Open the history of a flag to see its changes.
        </Text>
      )}
      {!only && <Parts shown={shown} names={names} />}
      <ChangedExperiments
        experiments={experiments}
        names={names}
        otherwise="What is tested is the same: it was served for the first time, or a new phase began."
        isPublished
      />
      {flags.length + experiments.length + audiences.length + segments.length === 0 && (
        <Text size="sm">{revision === 0 ? 'The environment was empty.' : 'Nothing changed.'}</Text>
      )}
    </Stack>
  )
}

/** The dialog of a way back: to this revision, or to the one before it. */
function TakeBack({
  environment,
  shown,
  only,
  asked,
  onClose,
}: RevisionProps & { asked: WayBack; onClose: () => void }) {
  const label = labelOf(shown)
  const rollsBack = only ? [] : rolledBack(shown)
  const previous = previousOf(shown)
  if (asked === 'restore')
    return (
      <RestoreDialog
        restore={{ environment, place: shown, flagIds: only ? [only.id] : null }}
        title={`Restore revision ${label}`}
        onClose={onClose}
      />
    )
  return (
    rollsBack !== 'TOO_MANY' &&
    previous && (
      <RestoreDialog
        restore={{ environment, place: previous, flagIds: rollsBack }}
        title={`Roll back revision ${label}`}
        onClose={onClose}
      />
    )
  )
}

interface ChangedFlagProps {
  environment: Environment
  flag: RevisionChanges['flags'][number]
  names: ChangeNames
}

function ChangedFlag({ environment, flag: { name, change, current, changes }, names }: ChangedFlagProps) {
  const { params } = usePlace()
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label={name}>
      <div className={classes.head}>
        {current ? (
          <TextLink
            to="/$org/$project/flags/$flag/history"
            params={{ ...params, flag: current.key }}
            search={{ env: environment.key }}
            fw={600}
          >
            {name}
          </TextLink>
        ) : (
          <Text fw={600}>{name}</Text>
        )}
        {!current && <StatusBadge tone="note">Deleted since</StatusBadge>}
        {change === 'ADDED' && <StatusBadge tone="note">New</StatusBadge>}
        {change === 'REMOVED' && <StatusBadge tone="note">Removed</StatusBadge>}
      </div>
      {changes.length === 0 ? (
        <Text size="sm">{changeWordsOf(change)}</Text>
      ) : (
        <ChangeList label={`Changes of ${name}`} changes={changes} names={names} isPublished />
      )}
    </Paper>
  )
}

/** The audiences and segments that changed in the file. */
function Parts({ shown: { audiences, segments }, names }: { shown: RevisionChanges; names: ChangeNames }) {
  return (
    <>
      {audiences.map(({ id, name, change, changes }) => (
        <Paper component="section" withBorder p="md" radius="md" key={id} aria-label={`Audience ${name}`}>
          <div className={classes.head}>
            <Text fw={600}>Audience {name}</Text>
          </div>
          {changes.length === 0 ? (
            <Text size="sm">{changeWordsOf(change)}</Text>
          ) : (
            <ChangeList label={`Changes of ${name}`} changes={changes} names={names} isPublished />
          )}
        </Paper>
      ))}
      {segments.map(({ id, name, change }) => (
        <Paper component="section" withBorder p="md" radius="md" key={id} aria-label={`Segment ${name}`}>
          <div className={classes.head}>
            <Text fw={600}>Segment {name}</Text>
          </div>
          <Text size="sm">{change === 'CHANGED' ? 'Its members changed.' : changeWordsOf(change)}</Text>
        </Paper>
      ))}
    </>
  )
}

function NotFound({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Revision not found">
      <EmptyState icon={<IconHistory size={36} />} title={title} action={action}>
        {children}
      </EmptyState>
    </Page>
  )
}
