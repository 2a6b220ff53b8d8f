import { Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { moment } from '../../../ui/time/dates.ts'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { refresh } from '../../../versioned.ts'
import { HeldNotice } from '../jobs/held-notice.tsx'
import { isOpen, type Job, jobsPath, readMs, resultInWords, triggerInWords } from '../jobs/job.ts'
import { OpenJob, SaidOfJob } from '../jobs/open-job.tsx'
import { progressInWords } from '../jobs/progress.ts'
import { ordersIn, syncIn } from '../jobs/sync-result.ts'
import { catalogPath, categoriesPath, productPath, productsPath } from '../products/product.ts'
import { nextRun } from '../schedules/next-run.ts'
import type { Source } from './source.ts'

const shownRuns = 10
const noRun: Record<Source['type'], string> = {
  PRODUCTS: 'No run yet. The first one brings all items of the file.',
  SUPPLEMENT: 'No run yet. The first one sets the fields of all items in the file.',
  ORDERS: 'No run yet. The first one brings all orders of the file.',
}

/** The last runs of a source. While one is open, they are read every 2 s. */
export function useRuns(sourceId: string) {
  const { project } = usePlace()
  const client = useQueryClient()
  const query = server.useQuery(
    'get',
    jobsPath,
    { params: { path: { projectId: project.id }, query: { sourceId, limit: shownRuns } } },
    { refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? readMs : false) },
  )
  const isRunning = query.data?.data.some(isOpen) ?? false
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refresh(client, catalogPath, productsPath, productPath, categoriesPath)
    wasRunning.current = isRunning
  }, [isRunning, client])
  return { query, isRunning }
}

/** How the source is doing: what runs now, the last run, the next one, and those before. */
export function SourceRuns({ source, runs: { query } }: { source: Source; runs: ReturnType<typeof useRuns> }) {
  return (
    <Section title="Runs" description={<NextRun source={source} />}>
      <SaidOfJob job={query.data?.data[0]} />
      <Loaded query={query} like="table" lines={2}>
        {({ data }) => {
          const [last] = data
          if (!last) return <Text size="sm">{noRun[source.type]}</Text>
          return (
            <>
              <LastRun job={last} />
              <RunTable jobs={data} />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function NextRun({ source: { schedule, url } }: { source: Source }) {
  const now = useNow()
  const next = schedule ? nextRun(schedule, now) : undefined
  if (next)
    return (
      <>
        The next one begins <Time time={next.toISOString()} />, {moment(next)}.
      </>
    )
  return url === null ? 'Each file is read when it is sent.' : 'It has no schedule, so a run begins when someone asks.'
}

/** What a person must know of the last run, before the table. */
function LastRun({ job }: { job: Job }) {
  const read = syncIn(job) ?? ordersIn(job)
  if (isOpen(job)) return <OpenJob job={job} />
  if (job.status === 'HELD' && read) return <HeldNotice job={job} guards={read.guards ?? []} />
  if (job.status === 'FAILED')
    return (
      <Notice tone="bad" title="The last run failed">
        {job.reason}
      </Notice>
    )
  return null
}

function RunTable({ jobs }: { jobs: Job[] }) {
  const { params } = usePlace()
  const columns: Column<Job>[] = [
    {
      title: 'Run',
      cell: ({ id, trigger, createdAt }) => (
        <Group gap={4}>
          <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: id }}>
            <Time time={createdAt} />
          </TextLink>
          <Text component="span" size="xs" c="dimmed" fw={400}>
            {triggerInWords(trigger)}
          </Text>
        </Group>
      ),
    },
    { title: 'State', cell: ({ status }) => <Status of="job" value={status} /> },
    { title: 'Result', cell: (job) => progressInWords(job) || job.reason || resultInWords(job) || '' },
    { title: 'Rows skipped', cell: ({ itemsSkipped }) => itemsSkipped.toLocaleString('en') },
  ]
  return <DataTable caption="Runs" rows={jobs} keyOf={({ id }) => id} columns={columns} />
}
