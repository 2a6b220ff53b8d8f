import { Button, List, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { CommandLine } from '../../../ui/code/command-line.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { useDone } from '../../../versioned.ts'
import { isSent, type Job, jobsPath } from './job.ts'
import { acceptedInWords, guardInWords, type SyncResult } from './sync-result.ts'

const applyPath = `${jobsPath}/{jobId}/apply` as const

/** A sync that was stopped before anything of it went live: the numbers, and what a person can do. */
export function HeldNotice({ job, sync }: { job: Job; sync: SyncResult }) {
  const { params } = usePlace()
  const mayEdit = useMay('catalog:write')
  const [isAsking, setIsAsking] = useState(false)
  const applied = useJobThatApplies(job)
  const guards = sync.guards ?? []
  return (
    <Notice
      tone="warning"
      title={applied ? 'Was held, and then applied' : 'Held for you: nothing of it went live'}
      actions={
        applied ? (
          <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: applied.id }}>
            The job that applied it
          </TextLink>
        ) : (
          mayEdit && guards.length > 0 && !isSent(job) && <Button onClick={() => setIsAsking(true)}>Apply…</Button>
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
            ? 'Is it meant so? Then send the same file again, with this job to apply. If the file is broken, mend it first.'
            : 'Is it meant so? Then apply it. If the file is broken, mend it, and the next sync goes live by itself.'}
          {isSent(job) && mayEdit && (
            <CommandLine command={`svc source upload ${job.source.id} products.csv --apply ${job.id}`} />
          )}
        </Text>
      )}
      {isAsking && <ApplyDialog job={job} sync={sync} onClose={() => setIsAsking(false)} />}
    </Notice>
  )
}

function ApplyDialog({ job, sync, onClose }: { job: Job; sync: SyncResult; onClose: () => void }) {
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const apply = async () => {
    const path = { projectId: project.id, jobId: job.id }
    const { id } = (await api.POST(applyPath, { params: { path } })).data!.data
    await navigate({ to: '/$org/$project/commerce/jobs/$job', params: { ...params, job: id } })
    await done('The sync runs again.', jobsPath)
  }
  return (
    <ConfirmDialog title={`Apply the sync of ${job.source.name}?`} verb="Apply" act={apply} onClose={onClose}>
      The file is fetched and read once more. This time it can {allOf(acceptedInWords(sync.guards ?? []))}. If the file
      would do more than that by now, it is held again. Visitors get the result as soon as the job is done.
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
