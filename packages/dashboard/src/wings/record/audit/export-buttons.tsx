import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { saveAnswer } from '../../../ui/code/save-file.ts'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { type AuditSearch, auditQuery } from './filter.ts'

const formats = [
  { format: 'csv', label: 'Export CSV' },
  { format: 'ndjson', label: 'Export NDJSON' },
] as const

type Format = (typeof formats)[number]['format']

/** Downloads the filtered entries. This is a call, because a link could not name the organization. */
export function ExportButtons({ search }: { search: AuditSearch }) {
  const exporting = useMutation({
    mutationFn: async (format: Format) => {
      const params = { query: { ...auditQuery(search), format } }
      saveAnswer(await api.GET('/api/v1/audit/export', { params, parseAs: 'blob' }), `audit.${format}`)
    },
  })
  return (
    <>
      <Group gap="xs">
        {formats.map(({ format, label }) => (
          <Button
            key={format}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={exporting.isPending && exporting.variables === format}
            onClick={() => exporting.mutate(format)}
          >
            {label}
          </Button>
        ))}
      </Group>
      <FailureNotice error={exporting.error} title="Export failed" />
    </>
  )
}
