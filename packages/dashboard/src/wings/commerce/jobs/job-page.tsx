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
} from './job.ts'

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
  return (
    <Page
      title={jobName(job.kind)}
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
      {job.reason && <Notice tone={job.status === 'FAILED' ? 'bad' : 'warning'}>{job.reason}</Notice>}
      {result && <Text>{result}</Text>}
      {naming && <StillNamed naming={naming} />}
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
        Requested <Time time={job.createdAt} />
      </Text>
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
