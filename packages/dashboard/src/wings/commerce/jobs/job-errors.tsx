import { Button, Code, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, byCursor, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { saveFile } from '../../../ui/code/save-file.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { wholeList } from '../../flags/references/whole-list.ts'
import { errorsCsv, type JobError } from './errors-csv.ts'
import { jobsPath } from './job.ts'

const errorsPath = `${jobsPath}/{jobId}/errors` as const

const columns: Column<JobError & { at: number }>[] = [
  { title: 'Line', cell: ({ line }) => (line === null ? '–' : line.toLocaleString('en')) },
  {
    title: 'Item',
    cell: ({ itemId }) =>
      itemId === null ? (
        <Text span inherit c="dimmed">
          Unknown
        </Text>
      ) : (
        <Code>{itemId}</Code>
      ),
  },
  { title: 'What is wrong', cell: ({ message }) => message },
  { title: 'The row', cell: ({ isWarning }) => (isWarning ? 'Taken in part' : 'Skipped') },
]

/** What was wrong with a file, by line, with all of it as CSV. Nothing if nothing was. */
export function JobErrors({ jobId }: { jobId: string }) {
  const { project } = usePlace()
  const path = { projectId: project.id, jobId }
  const query = server.useInfiniteQuery('get', errorsPath, { params: { path, query: { limit: 50 } } }, byCursor)
  const download = useMutation({
    mutationFn: async () => {
      const errors = await wholeList<JobError>(async (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
        return (await api.GET(errorsPath, { params: { path, query } })).data!
      })
      saveFile(`errors-${jobId}.csv`, new Blob([errorsCsv(errors)], { type: 'text/csv' }))
    },
  })
  if (query.data?.pages[0]?.data.length === 0) return null
  return (
    <Section
      title="Errors by line"
      description="The first 1,000 are kept, for 30 days."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download CSV
        </Button>
      }
    >
      <FailureNotice error={download.error} title="Not downloaded" />
      <Loaded query={query} like="table">
        {({ pages }) => (
          <Stack gap="md">
            <DataTable
              caption="Errors by line"
              rows={pages.flatMap(({ data }) => data).map((error, at) => ({ ...error, at }))}
              keyOf={({ at }) => String(at)}
              columns={columns}
            />
            <MoreButton query={query} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
