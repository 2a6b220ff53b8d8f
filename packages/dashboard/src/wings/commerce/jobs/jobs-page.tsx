import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
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
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { CommerceTabs } from '../tabs.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { isOpen, type Job, jobName, jobsPath, progressInWords, readMs, resultInWords } from './job.ts'

/** The background jobs of a project, the newest first. Those that have not ended are read again and again. */
export function JobsPage() {
  const { project, params } = usePlace()
  const isAdministrator = useOrganization()?.administrator === true
  const navigate = useNavigate()
  const { panel } = useSearch({ strict: false })
  const show = (opened?: string) =>
    void navigate({ to: '.', search: (opened ? { panel: opened } : {}) as never, replace: true })
  const query = server.useInfiniteQuery(
    'get',
    jobsPath,
    { params: { path: { projectId: project.id }, query: { limit: 50 } } },
    {
      initialPageParam: null,
      getNextPageParam: ({ page }) => page.nextCursor,
      refetchInterval: ({ state }) => (state.data?.pages[0]?.data.some(isOpen) ? readMs : false),
    },
  )
  const button = isAdministrator && <Button onClick={() => show('erase')}>Erase visitors</Button>
  const columns: Column<Job>[] = [
    {
      title: 'Job',
      cell: (job) => (
        <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: job.id }}>
          {jobName(job)}
        </TextLink>
      ),
    },
    { title: 'State', cell: ({ status }) => <Status of="job" value={status} /> },
    { title: 'Progress', cell: (job) => progressInWords(job) || job.reason || resultInWords(job) || '' },
    { title: 'Requested', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
  return (
    <Page
      title="Jobs"
      description="Work in the background: its progress, and what went wrong."
      actions={(query.data?.pages[0]?.data.length ?? 0) > 0 && button}
    >
      {!isAdministrator && <OnlyFor>You can look at jobs. Owners and administrators can erase visitors.</OnlyFor>}
      <CommerceTabs />
      <Loaded query={query} like="table">
        {({ pages }) =>
          pages[0]?.data.length === 0 ? (
            <EmptyState icon={<IconListCheck size={36} />} title="No jobs yet" action={button}>
              {isAdministrator
                ? 'A visitor can ask you to delete what you know about them. An erasure deletes their events, and results stay the same.'
                : 'Jobs that your administrators request appear here, except for erasures of visitors.'}
              {isAdministrator && <CommandLine command="svc visitor erase VISITOR --wait" />}
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Jobs"
                rows={pages.flatMap(({ data }) => data)}
                keyOf={({ id }) => id}
                columns={columns}
              />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
      {panel === 'erase' && isAdministrator && <EraseDialog onClose={() => show()} />}
    </Page>
  )
}
