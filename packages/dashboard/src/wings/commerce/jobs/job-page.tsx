import { Button, List, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconListCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { About } from './about.tsx'
import { changedBy } from './changed-by.ts'
import { HeldNotice } from './held-notice.tsx'
import {
  canRetry,
  isOpen,
  type Job,
  jobName,
  jobsPath,
  type Naming,
  namingOf,
  readMs,
  resultInWords,
  stateOf,
  triggerInWords,
} from './job.ts'
import { JobErrors } from './job-errors.tsx'
import { HowFar, NextAttempt, SaidOfJob } from './open-job.tsx'
import { progressInWords } from './progress.ts'
import { ordersIn, syncIn } from './sync-result.ts'
import { SyncSection } from './sync-section.tsx'

const onePath = `${jobsPath}/{jobId}` as const

/** One job: its state, what it does now, and what it has done. */
export function JobPage() {
  const { project, params } = usePlace()
  const { job: jobId } = useParams({ from: '/inside/$org/$project/commerce/jobs/$job' })
  const query = server.useQuery(
    'get',
    onePath,
    { params: { path: { projectId: project.id, jobId } } },
    { retry: false, refetchInterval: ({ state }) => (state.data && isOpen(state.data.data) ? readMs : false) },
  )
  if (query.data) return <Shown job={query.data.data} />
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <NotFound
        noun="job"
        wanted={jobId}
        place={project.name}
        icon={<IconListCheck size={36} />}
        all={
          <TextLink to="/$org/$project/commerce/jobs" params={params}>
            All jobs
          </TextLink>
        }
      />
    )
  return (
    <Page title="Job">
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

function Shown({ job }: { job: Job }) {
  const { project, params } = usePlace()
  const mayEdit = useMay('catalog:write')
  const navigate = useNavigate()
  const done = useDone()
  const [isAsking, setIsAsking] = useState(false)
  const path = { projectId: project.id, jobId: job.id }
  const cancel = async () => {
    await api.POST(`${onePath}/cancel`, { params: { path } })
    await done('The job is being cancelled.', jobsPath, onePath)
  }
  const retry = useMutation({
    mutationFn: async () => (await api.POST(`${onePath}/retry`, { params: { path } })).data!.data,
    onSuccess: async ({ id }) => {
      await navigate({ to: '/$org/$project/commerce/jobs/$job', params: { ...params, job: id } })
      await done('The job runs again.', jobsPath)
    },
  })
  useChangesOf(job)
  const words = progressInWords(job)
  const result = resultInWords(job)
  const naming = namingOf(job)
  const read = syncIn(job) ?? ordersIn(job)
  const isHeld = job.status === 'HELD'
  return (
    <Page
      title={jobName(job)}
      description={
        <>
          <Status of="job" value={stateOf(job)} /> {words}
        </>
      }
      actions={
        mayEdit &&
        (isOpen(job) && !job.isCancelling ? (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            Cancel job
          </Button>
        ) : (
          canRetry(job) && (
            <Button loading={retry.isPending} onClick={() => retry.mutate()}>
              Run again
            </Button>
          )
        ))
      }
    >
      <FailureNotice error={retry.error} title="Not started" />
      <SaidOfJob job={job} />
      <HowFar job={job} />
      {isHeld && read && <HeldNotice job={job} guards={read.guards ?? []} takesFile />}
      {job.reason && !(isHeld && read) && (
        <Notice tone={job.status === 'FAILED' ? 'bad' : 'warning'}>
          {job.reason} <NextAttempt job={job} />
        </Notice>
      )}
      {result && !isHeld && <Text>{result}</Text>}
      {read && <SyncSection result={read} isHeld={isHeld} />}
      {naming && <StillNamed naming={naming} />}
      {!isOpen(job) && job.kind !== 'visitor_erasure' && <JobErrors jobId={job.id} />}
      <Times job={job} />
      {isAsking && (
        <ConfirmDialog title="Cancel this job?" verb="Cancel job" act={cancel} onClose={() => setIsAsking(false)}>
          It ends after its current step. What it has done by then is kept. You can run it again.
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** At its end, what it has changed is read again: the pages of what it is about show it then. */
function useChangesOf({ status, kind }: Job): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOpen({ status })) void refresh(client, ...changedBy({ kind }))
  }, [client, status, kind])
}

function Times({ job }: { job: Job }) {
  return (
    <Section title="Times">
      <Text size="sm">
        Made <Time time={job.createdAt} />, {triggerInWords(job.trigger)}
        {job.attempt > 1 && `, attempt ${job.attempt}`}
      </Text>
      <About job={job} />
      <Before job={job} />
      {job.startedAt && (
        <Text size="sm">
          Started <Time time={job.startedAt} />
        </Text>
      )}
      {job.endedAt && (
        <Text size="sm">
          Ended <Time time={job.endedAt} />
        </Text>
      )}
    </Section>
  )
}

/** The job that this one applies or repeats. */
function Before({ job: { appliesJobId, retriesJobId } }: { job: Job }) {
  const { params } = usePlace()
  const before = appliesJobId ?? retriesJobId
  if (before === null) return null
  return (
    <Text size="sm">
      {appliesJobId ? 'Applies ' : 'Repeats '}
      <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: before }}>
        {appliesJobId ? 'a job that was held' : 'a job that did not succeed'}
      </TextLink>
    </Text>
  )
}

/** People must change what they configured themselves. */
function StillNamed({ naming: { segments, allowlists } }: { naming: Naming }) {
  const { params, environments } = usePlace()
  return (
    <Section
      title="Still named here"
      description="People configured these, so the erasure kept them. Remove the visitors there if necessary."
    >
      <List size="sm">
        {segments.map(({ id, name }) => (
          <List.Item key={id}>
            <TextLink to="/$org/$project/segments/$segment" params={{ ...params, segment: id }}>
              The segment {name}
            </TextLink>
          </List.Item>
        ))}
        {allowlists.map(({ flagId, flagKey, experiment, envId, envName }) => {
          if (experiment)
            return (
              <List.Item key={experiment.id}>
                <TextLink
                  to="/$org/$project/experiments/$experiment"
                  params={{ ...params, experiment: String(experiment.shortId) }}
                >
                  The allowlist of {experiment.name} in {envName}
                </TextLink>
              </List.Item>
            )
          const environment = environments.find(({ id }) => id === envId)
          return (
            <List.Item key={`${flagId} ${envId}`}>
              <TextLink
                to="/$org/$project/flags/$flag"
                params={{ ...params, flag: flagKey ?? '' }}
                search={environment ? { env: environment.key } : {}}
              >
                An allowlist of {flagKey} in {envName}
              </TextLink>
            </List.Item>
          )
        })}
      </List>
    </Section>
  )
}
