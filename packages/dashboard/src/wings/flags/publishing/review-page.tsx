import { Button, Checkbox, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, server } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay, useSession } from '../../../shell/session.ts'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { useKept } from '../../../ui/form/kept-form.ts'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { MainAction, Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { allOf, counted, including } from '../../../ui/words/lists.ts'
import { onlyIf, refresh, type Versioned, versioned } from '../../../versioned.ts'
import { NoEnvironment } from '../environments/no-environment.tsx'
import { discard as discardChanges, isOfVariations } from '../flags/discard.ts'
import { refreshFlag } from '../flags/flag-queries.ts'
import { pausedIn } from '../flags/unpublished.ts'
import { CurlCall } from '../playground/curl-call.tsx'
import { inTurns } from '../switches/in-turns.ts'
import { Preview } from './preview.tsx'
import classes from './review-page.module.css'
import { changeNames, countOf, freshPaths, movesOf, type Staged, seenIn, warningSentence } from './staged.ts'
import { StagedAudience } from './staged-audience.tsx'

const runPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run'
const stagedPath = '/api/v1/projects/{projectId}/environments/{envId}/staged'

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
  const query = useQuery({
    queryKey: stagedKey(project.id, environment.id),
    queryFn: async ({ signal }): Promise<Versioned<Staged>> =>
      versioned(
        await api.GET(stagedPath, { params: { path: { projectId: project.id, envId: environment.id } }, signal }),
      ),
    // With the list of an earlier visit, what the person has staged since would be marked as new.
    gcTime: 0,
  })
  return (
    <Page
      title={mayPublish ? `Publish to ${environment.name}` : `Changes for ${environment.name}`}
      description={<Reach environment={environment} />}
    >
      <Loaded query={query} lines={6}>
        {({ content, etag }) => <StagedList environment={environment} staged={content} etag={etag} />}
      </Loaded>
    </Page>
  )
}

const stagedKey = (projectId: string, envId: string) => ['get', stagedPath, { params: { path: { projectId, envId } } }]

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
  const { organization, project, params } = usePlace()
  const client = useQueryClient()
  const { flags: wanted } = useSearch({ from: '/inside/$org/$project/environments/$environment/publish' })
  const { data: index } = useProjectIndex()
  const mayPublish = useMay('projects:write')
  const mayEdit = useMay('flags:write')
  // What was there when the page was opened. Changes that came later are marked until they have been looked at.
  const seen = useRef(seenIn(staged))
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () =>
      new Set(wanted ? staged.flags.filter(({ key }) => !wanted.split(',').includes(key)).map((f) => f.flagId) : []),
  )
  const { user } = useSession()
  const kept = useKept({
    place: { person: user.id, object: `publish:${environment.id}`, etag: '' },
    initial: { comment: '' },
  })
  const { comment } = kept.values
  const [published, setPublished] = useState<Published>()
  // Which moves the person has agreed to. Other weights are a new question.
  const [agreed, setAgreed] = useState<string>()
  const [isAsked, setIsAsked] = useState(false)
  // The version of the list for which the person has read that it changed.
  const [told, setTold] = useState<string>()
  const question = useRef<HTMLInputElement>(null)

  const path = { projectId: project.id, envId: environment.id }
  const chosen = staged.flags.filter(({ flagId }) => !left.has(flagId))
  const isWhole = chosen.length === staged.flags.length
  const changes = countOf(chosen) + (isWhole ? countOf(staged.audiences) : 0)
  const readAgain = () =>
    Promise.all([
      refreshFlag(client),
      refresh(
        client,
        stagedPath,
        '/api/v1/projects/{projectId}/environments',
        '/api/v1/projects/{projectId}/environments/{envId}/revisions',
        '/api/v1/projects/{projectId}/audiences',
        '/api/v1/projects/{projectId}/audiences/{audienceId}',
      ),
    ])

  const discard = useMutation({
    mutationFn: ({ flagId, paths }: { flagId: string; paths: string[] }) =>
      discardChanges(client, { ...path, flagId }, paths),
    onSuccess: async (putBack) => {
      await readAgain()
      announce('Taken back. Visitors keep what they have.', { undo: () => putBack().finally(readAgain) })
    },
  })
  const body = { flagIds: isWhole ? null : chosen.map(({ flagId }) => flagId), comment: comment.trim() || null }
  const paused = pausedIn(index, environment.id)
  const toRun = chosen.filter(({ key }) => paused.has(key))
  const run = useMutation({
    mutationFn: async (flags: readonly { key: string; name: string }[]) => {
      const { failed } = await inTurns(flags, ({ key }) =>
        api.POST(runPath, { params: { path: { ...path, flagId: key }, header: onlyOnce() } }),
      )
      await readAgain()
      if (failed[0]) throw failed[0].error
      announce(
        `${allOf(
          flags.map(({ name }) => name),
          3,
        )} ${flags.length === 1 ? 'runs' : 'run'} in ${environment.name}.`,
      )
    },
  })
  const publish = useMutation({
    mutationFn: async (_andRun: readonly { key: string; name: string }[]) => {
      const { data } = await api.POST('/api/v1/projects/{projectId}/environments/{envId}/publish', {
        params: { path, header: { ...onlyOnce(), ...onlyIf(etag) } },
        body,
      })
      return data!.data
    },
    onSuccess: async ({ revision, previousRevision }, andRun) => {
      await readAgain()
      const isQuiet = revision === previousRevision
      setPublished({ revision, isQuiet })
      kept.set({ comment: '' })
      kept.forget()
      announce(
        `Published to ${environment.name}${isQuiet ? '. Visitors get the same as before.' : `: revision ${revision}.`}`,
      )
      if (andRun.length > 0) run.mutate(andRun)
    },
    onError: async () => {
      await readAgain()
      setTold(client.getQueryData<Versioned<Staged>>(stagedKey(project.id, environment.id))?.etag)
    },
  })
  const moves = movesOf(chosen, staged.warnings)
  const isAgreed = moves.warnings.length === 0 || agreed === moves.subject
  const fresh = freshPaths(staged, seen.current)
  const freshInIt = freshPaths({ flags: chosen, audiences: isWhole ? staged.audiences : [] }, seen.current)
  const isOvertaken = (freshInIt.size > 0 && told === etag) || wasOvertaken(publish.error)
  const ask = (andRun: typeof toRun) => {
    setIsAsked(!isAgreed)
    if (freshInIt.size > 0 && told !== etag) setTold(etag)
    else if (isAgreed) publish.mutate(andRun)
    else question.current?.focus()
  }

  const names = changeNames(staged, index)
  if (staged.flags.length + staged.audiences.length === 0)
    return (
      <>
        <FailureNotice error={run.error} title="Published, but not run" />
        <EmptyState
          icon={<IconCircleCheck size={36} />}
          title={publishedWords(published)}
          action={
            <ButtonLink to="/$org/$project/flags" params={params} variant="default">
              Go to flags
            </ButtonLink>
          }
        >
          {published?.isQuiet
            ? `Visitors of ${environment.name} get the same as before, for example because the flag is paused.`
            : `Everything that is edited is published to ${environment.name}.`}
        </EmptyState>
      </>
    )
  const choose = (flagId: string, isChosen: boolean) => setLeft(including(left, flagId, !isChosen))
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <Arrived count={fresh.size} isOvertaken={isOvertaken} />
        <FailureNotice error={discard.error} title="Not taken back" />
        <FailureNotice error={run.error} title="Published, but not run" />
        {staged.flags.map((flag) => (
          <Paper component="section" withBorder p="md" radius="md" key={flag.flagId} aria-label={flag.name}>
            <div className={classes.head}>
              <Checkbox
                checked={!left.has(flag.flagId)}
                onChange={(event) => choose(flag.flagId, event.currentTarget.checked)}
                label={mayPublish ? `Publish ${flag.name}` : `Preview ${flag.name}`}
              />
              <TextLink
                to="/$org/$project/flags/$flag"
                params={{ ...params, flag: flag.key }}
                search={{ env: environment.key }}
              >
                Open
              </TextLink>
            </div>
            {paused.has(flag.key) && (
              <Text size="sm" className={classes.paused ?? ''}>
                <IconPlayerPause size={16} aria-hidden />
                Paused in {environment.name}: nobody gets it until you run it.
              </Text>
            )}
            <ChangeList
              label={`Changes of ${flag.name}`}
              changes={flag.changes}
              names={names}
              fresh={
                new Set(flag.changes.map((change) => change.path).filter((each) => fresh.has(`${flag.flagId} ${each}`)))
              }
              {...(mayEdit && {
                onUndo: (change) => discard.mutate({ flagId: flag.flagId, paths: [change.path] }),
                undoNote: (change) => (isOfVariations(change.path) ? 'in all environments' : undefined),
              })}
            />
          </Paper>
        ))}
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
      </Stack>
      <Stack gap="md">
        {moves.warnings.length > 0 && (
          <Notice tone="warning" title="Check before you publish">
            {moves.warnings.map((warning) => (
              <div key={warning.ruleId}>{warningSentence(warning, names)}</div>
            ))}
            {mayPublish && (
              <Checkbox
                ref={question}
                mt="xs"
                label="Move them"
                checked={isAgreed}
                error={isAsked && !isAgreed && 'Tick this to publish, or undo the new weights.'}
                onChange={(event) => setAgreed(event.currentTarget.checked ? moves.subject : undefined)}
              />
            )}
          </Notice>
        )}
        <Section title="Who would change">
          <Preview
            environment={environment}
            flagIds={isWhole ? null : chosen.map(({ flagId }) => flagId)}
            version={etag}
            names={names}
          />
        </Section>
        <Section title={`Publish to ${environment.name}`}>
          {mayPublish ? (
            <Stack gap="sm">
              <FailureNotice error={isOvertaken ? undefined : publish.error} title="Not published" />
              <Textarea
                label="Comment"
                description="Shown in the history."
                value={comment}
                onChange={(event) => kept.set({ comment: event.currentTarget.value })}
                autosize
                minRows={2}
                maxLength={500}
              />
              <MainAction>
                <Button
                  className={classes.publish ?? ''}
                  loading={publish.isPending}
                  onClick={() => changes > 0 && ask([])}
                  disabled={changes === 0}
                >
                  Publish {counted(changes, 'change')} to {environment.name}
                </Button>
                {mayEdit && toRun.length > 0 && (
                  <Button
                    className={classes.publish ?? ''}
                    variant="default"
                    loading={publish.isPending}
                    onClick={() => ask(toRun)}
                  >
                    Publish and run{toRun.length > 1 && ` ${counted(toRun.length, 'flag')}`}
                  </Button>
                )}
                <CancelLink flag={wanted} environment={environment.key} />
                {changes === 0 && (
                  <Text size="sm" c="dimmed">
                    Choose a flag first.
                  </Text>
                )}
              </MainAction>
              <CurlCall
                summary="Publish with curl"
                label="Publish"
                project={project.key}
                environment={environment.key}
                organization={organization.shortId}
                action="publish"
                body={body}
              />
            </Stack>
          ) : (
            <Stack gap="sm">
              <OnlyFor>You can review changes, but not publish. Owners and admins can publish from this link.</OnlyFor>
              <CopyButton text={location.href} label="Copy link" />
            </Stack>
          )}
        </Section>
      </Stack>
    </div>
  )
}

interface Published {
  revision: number
  /** Visitors get the same as before. */
  isQuiet: boolean
}

const publishedWords = (published: Published | undefined): string => {
  if (!published) return 'Nothing to publish'
  return published.isQuiet ? 'Everything is published' : `Revision ${published.revision} is live`
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

/** Back to the flag that the review was opened for, or to the list. Everything stays staged. */
function CancelLink({ flag, environment }: { flag: string | undefined; environment: string }) {
  const { params } = usePlace()
  const isOne = flag !== undefined && !flag.includes(',')
  return isOne ? (
    <ButtonLink
      to="/$org/$project/flags/$flag"
      params={{ ...params, flag }}
      search={{ env: environment }}
      variant="default"
    >
      Cancel
    </ButtonLink>
  ) : (
    <ButtonLink to="/$org/$project/flags" params={params} variant="default">
      Cancel
    </ButtonLink>
  )
}
