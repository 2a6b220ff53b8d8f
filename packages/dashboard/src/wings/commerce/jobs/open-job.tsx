import { Text, VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Progress } from '../../../ui/status/progress.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { isOpen, type Job } from './job.ts'
import { partOf, progressInWords, saidOf, stateInWords } from './progress.ts'

/** On the page of what a job is about: what the job does now, how far it is, and the way to the button that cancels it. */
export function OpenJob({ job }: { job: Job }) {
  const { params } = usePlace()
  return (
    <Notice title={stateInWords(job)}>
      {progressInWords(job) || job.reason || 'It begins in a moment.'} <NextAttempt job={job} />
      <HowFar job={job} />
      <Text size="sm" mt={4} component="div">
        <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: job.id }} underline="always">
          See the job
        </TextLink>
      </Text>
    </Notice>
  )
}

/** The bar of a step of which the length is known. The words beside it say the same. */
export function HowFar({ job }: { job: Job }) {
  const part = partOf(job)
  return part ? <Progress {...part} /> : null
}

/** When a job tries again that has met a temporary fault. */
export function NextAttempt({ job: { status, reason, dueAt } }: { job: Job }) {
  if (status !== 'QUEUED' || reason === null) return null
  return (
    <>
      Next attempt: <Time time={dueAt} />.
    </>
  )
}

/** Reads out each step of a job that goes on, and its end. It stays in the page, because a new region is not always heard. */
export function SaidOfJob({ job }: { job: Job | undefined }) {
  const wasOpen = useRef(false)
  if (job && isOpen(job)) wasOpen.current = true
  return <VisuallyHidden role="status">{job && wasOpen.current ? saidOf(job) : ''}</VisuallyHidden>
}
