import { Code, Group, Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { usesInWords } from '../../flags/audiences/audience.ts'
import { matching } from './matching.ts'
import { useMetrics } from './metric.ts'
import { MetricPanel } from './metric-panel.tsx'
import { directionInWords, type Metric, sentenceOf } from './metric-words.ts'

/** Every metric of the project: what it measures, in a sentence, and how many rules use it. Archived ones come last. */
export function MetricsPage() {
  const { params } = usePlace()
  const navigate = useNavigate()
  const query = useMetrics()
  const mayEdit = useMay('metrics:write')
  const open = ({ key }: Metric) =>
    navigate({ to: '/$org/$project/metrics/$metric', params: { ...params, metric: key } })
  const columns: Column<Metric>[] = [
    {
      title: 'Metric',
      cell: ({ name, key, archived }) => (
        <>
          <Group gap="xs">
            <TextLink to="/$org/$project/metrics/$metric" params={{ ...params, metric: key }} underline="hover">
              {name}
            </TextLink>
            {archived && <StatusBadge tone="note">Archived</StatusBadge>}
          </Group>
          <Text size="xs" c="dimmed">
            <Code>{key}</Code>
          </Text>
        </>
      ),
    },
    { title: 'What it measures', cell: sentenceOf },
    { title: 'Direction', cell: ({ direction }) => directionInWords(direction) },
    { title: 'Used by', cell: ({ usedBy }) => usesInWords(usedBy) },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <ListPage
      noun="metric"
      description="Numbers that tests compare between variations, made from the events that your programs and pages track."
      Icon={IconChartBar}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at metrics. Editors and admins can change them."
      empty="A metric says what a test should improve, for example the share of visitors who paid for an order within 7 days."
      filter={{ in: 'name, key or event', matching }}
      panel={(name, close) => name === 'create' && <MetricPanel onClose={close} done={open} />}
    >
      {(rows) => <DataTable caption="Metrics" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}
