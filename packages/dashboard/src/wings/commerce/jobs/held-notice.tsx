import { Button, List, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { useDone } from '../../../versioned.ts'
import { isSent, type Job, jobsPath } from './job.ts'
import { acceptedInWords, type Guard, guardInWords } from './sync-result.ts'

const applyPath = `${jobsPath}/{jobId}/apply` as const
const SendAgain = lazy(async () => ({ default: (await import('../sources/send-again.tsx')).SendAgain }))

/** What became of a held file, by the status of the job that applies it. */
const appliedWords: Readonly<Record<Job['status'], string>> = {
  QUEUED: 'Was held, and is being applied',
  RUNNING: 'Was held, and is being applied',
  SUCCEEDED: 'Was held, and then applied',
  FAILED: 'Was held, and the job that applies it failed',
  CANCELLED: 'Was held, and the job that applies it was cancelled',
  HELD: 'Was held, and was held again when it was applied',
}

interface HeldNoticeProps {
  job: Job
  guards: readonly Guard[]
  /** Whether the file of a job that was sent can be sent again here, and not only on the page of the job. */
  takesFile?: boolean
}

/** A file that was stopped before anything of it went live: the numbers, and what a person can do. */
export function HeldNotice({ job, guards, takesFile = false }: HeldNoticeProps) {
  const { params } = usePlace()
  const mayEdit = useMay('catalog:write')
  const [isAsking, setIsAsking] = useState(false)
  const applied = useJobThatApplies(job)
  const canApply = !applied && mayEdit && guards.length > 0
  return (
    <Notice
      tone="warning"
      title={applied ? appliedWords[applied.status] : 'Held for you: nothing of it went live'}
      actions={
        applied ? (
          <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: applied.id }}>
            The job that applies it
          </TextLink>
        ) : (
          canApply && !isSent(job) && <Button onClick={() => setIsAsking(true)}>Apply…</Button>
        )
      }
    >
      <List size="sm">
        {guards.map((guard) => (
          <List.Item key={guard.check}>{guardInWords(guard)}</List.Item>
        ))}
      </List>
      {!applied && (
        <Text size="sm" mt="xs" component="div">
          {isSent(job)
            ? 'Is this intended? Then send the same file again to apply it. If the file is broken, fix it first.'
            : 'Is this intended? Then apply it. If the file is broken, fix it, and the next sync goes live by itself.'}
          {isSent(job) && canApply && !takesFile && (
            <>
              {' '}
              <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: job.id }} underline="always">
                Look at the job, and apply it
              </TextLink>
            </>
          )}
        </Text>
      )}
      {takesFile && canApply && isSent(job) && (
        <Suspense fallback={null}>
          <SendAgain job={job} guards={guards} />
        </Suspense>
      )}
      {isAsking && <ApplyDialog job={job} guards={guards} onClose={() => setIsAsking(false)} />}
    </Notice>
  )
}

function ApplyDialog({ job, guards, onClose }: { job: Job; guards: readonly Guard[]; onClose: () => void }) {
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const apply = async () => {
    const path = { projectId: project.id, jobId: job.id }
    const { id } = (await api.POST(applyPath, { params: { path } })).data!.data
    await navigate({ to: '/$org/$project/commerce/jobs/$job', params: { ...params, job: id } })
    await done('The job runs again.', jobsPath)
  }
  return (
    <ConfirmDialog title={`Apply the file of ${job.source.name}?`} verb="Apply" act={apply} onClose={onClose}>
      The file is fetched and read once more. This time it can {allOf(acceptedInWords(guards))}. If the file would do
      more than that by now, it is held again. Visitors get the result as soon as the job is done.
    </ConfirmDialog>
  )
}

/** A held job can be applied once. */
function useJobThatApplies({ id, source }: Job): Job | undefined {
  const { project } = usePlace()
  const query = { sourceId: source.id, limit: 50 }
  const { data } = server.useQuery('get', jobsPath, { params: { path: { projectId: project.id }, query } })
  return data?.data.find(({ appliesJobId }) => appliesJobId === id)
}
