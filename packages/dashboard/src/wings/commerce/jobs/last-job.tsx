import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { refresh } from '../../../versioned.ts'
import { isOpen, type Job, jobsPath, readMs } from './job.ts'
import { OpenJob, SaidOfJob } from './open-job.tsx'

/** The last job of a model or a dataset. While it is open, it is read every 2 s; at its end, what it changed is read. */
export function useLastJob(sourceId: string, ...changes: string[]) {
  const { project } = usePlace()
  const client = useQueryClient()
  const { data } = server.useQuery(
    'get',
    jobsPath,
    { params: { path: { projectId: project.id }, query: { sourceId, limit: 1 } } },
    { refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? readMs : false) },
  )
  const job = data?.data[0]
  const isRunning = job !== undefined && isOpen(job)
  const openJob = isRunning ? job.id : undefined
  const before = useRef(openJob)
  const paths = useRef(changes)
  useEffect(() => {
    if (before.current !== undefined && openJob !== before.current) void refresh(client, ...paths.current)
    before.current = openJob
  }, [openJob, client])
  return { job, isRunning }
}

/** What a person must know of the last job: how far it is, or why it went wrong. */
export function LastJob({ job }: { job: Job | undefined }) {
  return (
    <>
      <SaidOfJob job={job} />
      {job && (isOpen(job) ? <OpenJob job={job} /> : <EndedBadly job={job} />)}
    </>
  )
}

function EndedBadly({ job }: { job: Job }) {
  const { params } = usePlace()
  if (job.status !== 'FAILED' && job.status !== 'HELD') return null
  return (
    <Notice
      tone={job.status === 'HELD' ? 'warning' : 'bad'}
      title={job.status === 'HELD' ? 'Held for you: nothing of it went live' : 'The last run failed'}
    >
      {job.reason}{' '}
      <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: job.id }} underline="always">
        See the job
      </TextLink>
    </Notice>
  )
}
