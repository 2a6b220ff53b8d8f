import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { server } from '../../../api.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useOrganization } from '../../../shell/session.ts'
import { CommandLine } from '../../../ui/code/command-line.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { statusOf } from '../../../ui/status/status-words.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import type { Filter } from '../../../ui/table/filters.ts'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Toolbar } from '../../../ui/table/toolbar.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { CommerceTabs } from '../tabs.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { isOpen, type Job, jobName, jobsPath, readMs, resultInWords, stateOf } from './job.ts'
import { type JobSearch, jobSearch, jobStatuses } from './job-search.ts'
import { progressInWords } from './progress.ts'

/** The background jobs of a project, the newest first. Those that have not ended are read again and again. */
export function JobsPage() {
  const isAdministrator = useOrganization()?.administrator === true
  const navigate = useNavigate()
  const { panel, status } = useSearch({ from: '/inside/$org/$project/commerce/jobs' })
  const go = (search: JobSearch) => void navigate({ to: '.', search: search as never, replace: true })
  const filtered = status === undefined ? {} : { status }
  const query = useJobs(status)
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const button = isAdministrator && (
    <Button variant="default" onClick={() => go({ ...filtered, panel: 'erase' })}>
      Erase visitors
    </Button>
  )
  return (
    <Page
      title="Jobs"
      description="Work in the background: its progress, and what went wrong."
      actions={query.data && (!isEmpty || status !== undefined) && button}
    >
      {!isAdministrator && <OnlyFor>You can look at jobs. Owners and administrators can erase visitors.</OnlyFor>}
      <CommerceTabs />
      {(!isEmpty || status !== undefined) && (
        <Toolbar
          filters={filters}
          chosen={status === undefined ? {} : { status: [status] }}
          onChoose={(chosen) => go(jobSearch({ status: chosen.status?.[0] }))}
        />
      )}
      <Loaded query={query} like="table">
        {({ pages }) =>
          isEmpty ? (
            <NoJobs status={status} onClear={() => go({})} button={button} />
          ) : (
            <>
              <JobTable jobs={pages.flatMap(({ data }) => data)} />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
      {panel === 'erase' && isAdministrator && <EraseDialog onClose={() => go(filtered)} />}
    </Page>
  )
}

const filters: Filter[] = [
  {
    ...{ key: 'status', label: 'State', isSingle: true },
    options: jobStatuses.map((value) => ({ value, label: statusOf('job', value).words })),
  },
]

function useJobs(status: Job['status'] | undefined) {
  const { project } = usePlace()
  return server.useInfiniteQuery(
    'get',
    jobsPath,
    { params: { path: { projectId: project.id }, query: { limit: 50, ...(status && { status }) } } },
    {
      initialPageParam: null,
      getNextPageParam: ({ page }) => page.nextCursor,
      refetchInterval: ({ state }) => (state.data?.pages[0]?.data.some(isOpen) ? readMs : false),
    },
  )
}

interface NoJobsProps {
  /** What the list is filtered by. */
  status: Job['status'] | undefined
  onClear: () => void
  button: ReactNode
}

function NoJobs({ status, onClear, button }: NoJobsProps) {
  const isAdministrator = useOrganization()?.administrator === true
  const icon = <IconListCheck size={36} />
  if (status !== undefined)
    return (
      <EmptyState
        icon={icon}
        title="No job matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No job has the state “{statusOf('job', status).words}”.
      </EmptyState>
    )
  return (
    <EmptyState icon={icon} title="No jobs yet" action={button}>
      {isAdministrator
        ? 'Syncs, files that are sent, versions of datasets and runs of models appear here. So do erasures: a visitor can ask you to delete what you know about them, and results stay the same.'
        : 'Syncs, files that are sent, versions of datasets and runs of models appear here. Erasures of visitors are shown only to administrators.'}
      {isAdministrator && <CommandLine command="svc visitor erase VISITOR --wait" />}
    </EmptyState>
  )
}

function JobTable({ jobs }: { jobs: Job[] }) {
  const { params } = usePlace()
  const columns: Column<Job>[] = [
    {
      title: 'Job',
      cell: (job) => (
        <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: job.id }}>
          {jobName(job)}
        </TextLink>
      ),
    },
    { title: 'State', cell: (job) => <Status of="job" value={stateOf(job)} /> },
    { title: 'Progress', cell: (job) => progressInWords(job) || job.reason || resultInWords(job) || '' },
    { title: 'Requested', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
  return <DataTable caption="Jobs" rows={jobs} keyOf={({ id }) => id} columns={columns} />
}
