import { Checkbox, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { server } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ToSubjects } from '../../../shell/subject.tsx'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { NoEnvironment } from '../environments/no-environment.tsx'
import { pausedIn } from '../flags/unpublished.ts'
import { ChangedExperiments } from './changed-experiments.tsx'
import { Preview } from './preview.tsx'
import { PublishForm } from './publish-form.tsx'
import { type Published, publishedSentence } from './published.ts'
import classes from './review-page.module.css'
import { changeNames, type Staged, warningSentence, withFirst } from './staged.ts'
import { StagedAudience } from './staged-audience.tsx'
import { StagedFlag } from './staged-flag.tsx'
import { stagedQuery } from './staged-query.ts'
import { type Chosen, useChosen, useDiscard, useMoves, useNews, usePublish, useReadAgain } from './use-publishing.ts'

/** What the next publish of an environment would make live: each change can be taken back, and flags left out. */
export function ReviewPage() {
  const { environment: key } = useParams({ from: '/inside/$org/$project/environments/$environment/publish' })
  const { environments } = usePlace()
  const environment = environments.find((each) => each.key === key)
  if (!environment) return <NoEnvironment wanted={key} />
  return <Review key={environment.id} environment={environment} />
}

function Review({ environment }: { environment: Environment }) {
  const { project } = usePlace()
  const mayPublish = useMay('projects:write')
  const query = useQuery({ ...stagedQuery(project.id, environment.id), refetchOnMount: 'always' })
  // With the list of an earlier visit or page, what the person has staged since would be marked as new.
  const opened = query.isFetchedAfterMount ? query : { ...query, data: undefined }
  return (
    <Page
      title={mayPublish ? `Publish to ${environment.name}` : `Changes for ${environment.name}`}
      description={<Reach environment={environment} />}
    >
      <Loaded query={opened} lines={6}>
        {({ content, etag }) => <StagedList environment={environment} staged={content} etag={etag} />}
      </Loaded>
    </Page>
  )
}

const clientsPath = '/api/v1/projects/{projectId}/environments/{envId}/clients'

/** How many programs will get what is published. Which revision it makes is known only afterwards. */
function Reach({ environment: { id } }: { environment: Environment }) {
  const { project } = usePlace()
  const params = { path: { projectId: project.id, envId: id }, query: { limit: clientsMax } }
  const { data } = server.useQuery('get', clientsPath, { params }, { enabled: useMay('flags:read') })
  const connected = data?.data.filter(({ state }) => state !== 'SILENT').length
  return (
    <>
      Visitors get these changes with the next publish.
      {connected !== undefined &&
        ` ${data?.page.nextCursor ? 'At least ' : ''}${counted(connected, 'client')} connected.`}
    </>
  )
}

const clientsMax = 100

interface StagedListProps {
  environment: Environment
  staged: Staged
  etag: string
}

function StagedList({ environment, staged, etag }: StagedListProps) {
  const { flags: wanted } = useSearch({ from: '/inside/$org/$project/environments/$environment/publish' })
  const { data: index } = useProjectIndex()
  const chosen = useChosen(staged, wanted)
  const news = useNews(staged, chosen, etag)
  const moves = useMoves(staged, chosen)
  const discard = useDiscard(environment)
  const { form, run, published, isOvertaken } = usePublish(environment, chosen, etag, news)
  const names = changeNames(staged, index)
  const paused = pausedIn(index, environment.id)
  const pausedFlags = chosen.flags.filter(({ key }) => paused.has(key))
  const publish = (toRun: Chosen['flags']) => {
    if (news.isUntold) news.tell()
    else if (moves.ask()) form.save(toRun)
  }
  if (staged.flags.length + staged.experiments.length + staged.audiences.length === 0)
    return <Nothing environment={environment} published={published} failure={run.error} />
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <Arrived count={news.fresh.size} isOvertaken={isOvertaken} />
        <FailureNotice error={discard.error} title="Not undone" />
        <FailureNotice error={run.error} title="Published, but not run" />
        {published && (
          <Notice
            tone="good"
            title={`Published to ${environment.name}`}
            actions={<Done environment={environment} published={published} />}
          >
            {publishedSentence(published, environment.name)} The rest stays unpublished.
          </Notice>
        )}
        <Differences
          environment={environment}
          staged={{ ...staged, flags: withFirst(staged.flags, wanted?.split(',') ?? []) }}
          chosen={chosen}
          names={names}
          fresh={news.fresh}
          paused={paused}
          discard={discard.mutate}
        />
      </Stack>
      <Stack gap="md">
        <Moves moves={moves} names={names} />
        <Section title="Impact preview">
          <Preview
            environment={environment}
            flagIds={chosen.flagIds}
            version={etag}
            names={names}
            paused={pausedFlags}
          />
        </Section>
        <Section title={`Publish to ${environment.name}`}>
          <PublishForm
            environment={environment}
            form={form}
            chosen={chosen}
            paused={pausedFlags}
            isPublished={published !== undefined}
            isOvertaken={isOvertaken}
            onPublish={publish}
          />
        </Section>
      </Stack>
    </div>
  )
}

interface DifferencesProps extends Pick<StagedListProps, 'environment' | 'staged'> {
  chosen: Chosen
  names: ChangeNames
  /** The paths of changes that have arrived since the page was opened. */
  fresh: ReadonlySet<string>
  /** The keys of flags that are paused here. */
  paused: ReadonlySet<string>
  discard: ReturnType<typeof useDiscard>['mutate']
}

/** What is staged, thing by thing. */
function Differences({ environment, staged, chosen, names, fresh, paused, discard }: DifferencesProps) {
  const readAgain = useReadAgain()
  const mayDiscard = [useMay('flags:write'), useMay('experiments:write')].every(Boolean)
  return (
    <>
      {staged.flags.map((flag) => (
        <StagedFlag
          key={flag.flagId}
          environment={environment}
          flag={flag}
          names={names}
          fresh={fresh}
          isPaused={paused.has(flag.key)}
          isChosen={chosen.has(flag.flagId)}
          onChoose={(isChosen) => chosen.choose(flag.flagId, isChosen)}
          onUndo={(path) => discard({ flagId: flag.flagId, paths: [path] })}
        />
      ))}
      <ChangedExperiments
        experiments={staged.experiments}
        names={names}
        fresh={fresh}
        {...(mayDiscard && {
          onUndo: (experimentId, path) => discard({ experimentId, paths: [path] }),
        })}
      />
      {staged.audiences.map((audience) => (
        <StagedAudience
          key={audience.audienceId}
          environment={environment}
          audience={audience}
          names={names}
          fresh={fresh}
          readAgain={readAgain}
        />
      ))}
    </>
  )
}

interface NothingProps {
  environment: Environment
  published: Published | undefined
  /** Why flags that were published do not run. */
  failure: unknown
}

/** Nothing is staged, from the beginning or since the publish. */
function Nothing({ environment, published, failure }: NothingProps) {
  return (
    <>
      <FailureNotice error={failure} title="Published, but not run" />
      <EmptyState
        icon={<IconCircleCheck size={36} />}
        title={published ? `Published to ${environment.name}` : 'Nothing to publish'}
        action={published ? <Done environment={environment} published={published} /> : <ToSubjects />}
      >
        {published
          ? publishedSentence(published, environment.name)
          : `Everything that is edited is published to ${environment.name}.`}
      </EmptyState>
    </>
  )
}

/** Counted visitors who get another variation, and whether the person agrees to that. */
function Moves({ moves, names }: { moves: ReturnType<typeof useMoves>; names: ChangeNames }) {
  const { warnings, isAgreed, isMissed, question, agree } = moves
  const mayPublish = useMay('projects:write')
  if (warnings.length === 0) return null
  return (
    <Notice tone="warning" title="Check before you publish">
      {warnings.map((warning) => (
        <div key={warning.ruleId}>{warningSentence(warning, names)}</div>
      ))}
      {mayPublish && (
        <Checkbox
          ref={question}
          mt="xs"
          label="Move them"
          checked={isAgreed}
          error={isMissed && 'Tick this to publish, or undo the new weights.'}
          onChange={(event) => agree(event.currentTarget.checked)}
        />
      )}
    </Notice>
  )
}

/** Back to what was published: the flag, or the list. */
function Done({ environment, published }: { environment: Environment; published: Published }) {
  const { params } = usePlace()
  const [flag, ...others] = published.flags
  if (!flag || others.length > 0) return <ToSubjects />
  return (
    <ButtonLink
      to="/$org/$project/flags/$flag"
      params={{ ...params, flag: flag.key }}
      search={{ env: environment.key }}
    >
      Done, go to the flag
    </ButtonLink>
  )
}

/** What others have changed meanwhile. Where that has stopped a publish, the focus comes here, wherever the button is. */
function Arrived({ count, isOvertaken }: { count: number; isOvertaken: boolean }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOvertaken) frame.current?.focus()
  }, [isOvertaken])
  if (isOvertaken)
    return (
      <div ref={frame} tabIndex={-1} className={classes.arrived}>
        <Notice tone="warning" says="at once" title="The list has changed since you opened it">
          Nothing was published. New lines are marked. Look at them, then publish again.
        </Notice>
      </div>
    )
  if (count === 0) return null
  return (
    <Notice tone="warning" says="politely" title={`${counted(count, 'change')} arrived since you opened this`}>
      {count === 1 ? 'It is marked.' : 'They are marked.'} Look before you publish.
    </Notice>
  )
}
