import { Button, List, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconListCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
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
import { useDone } from '../../../versioned.ts'
import { HeldNotice } from './held-notice.tsx'
import {
  canRetry,
  isOpen,
  type Job,
  jobName,
  jobsPath,
  type Naming,
  namingOf,
  progressInWords,
  readMs,
  resultInWords,
  triggerInWords,
} from './job.ts'
import { JobErrors } from './job-errors.tsx'
import { syncIn } from './sync-result.ts'
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
  const words = progressInWords(job)
  const result = resultInWords(job)
  const naming = namingOf(job)
  const sync = syncIn(job)
  const isHeld = job.status === 'HELD'
  return (
    <Page
      title={jobName(job)}
      description={
        <>
          <Status of="job" value={job.status} /> {words}
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
      {isHeld && sync && <HeldNotice job={job} sync={sync} />}
      {job.reason && !(isHeld && sync) && (
        <Notice tone={job.status === 'FAILED' ? 'bad' : 'warning'}>{job.reason}</Notice>
      )}
      {result && !isHeld && <Text>{result}</Text>}
      {sync && <SyncSection sync={sync} isHeld={isHeld} />}
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

function Times({ job }: { job: Job }) {
  return (
    <Section title="Times">
      <Text size="sm">
        Made <Time time={job.createdAt} />, {triggerInWords(job.trigger)}
        {job.attempt > 1 && `, attempt ${job.attempt}`}
      </Text>
      <Related job={job} />
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

/** The job that this one applies or repeats, and the source that it is about. */
function Related({ job: { kind, source, appliesJobId, retriesJobId } }: { job: Job }) {
  const { params } = usePlace()
  const before = appliesJobId ?? retriesJobId
  return (
    <>
      {kind === 'feed_sync' && (
        <Text size="sm">
          Of the source{' '}
          <TextLink
            to="/$org/$project/commerce/sources/$catalog_source"
            params={{ ...params, catalog_source: source.id }}
          >
            {source.name}
          </TextLink>
        </Text>
      )}
      {before !== null && (
        <Text size="sm">
          {appliesJobId ? 'Applies ' : 'Repeats '}
          <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: before }}>
            {appliesJobId ? 'a job that was held' : 'a job that did not succeed'}
          </TextLink>
        </Text>
      )}
    </>
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
