import { Button, List } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, server } from '../../../api.ts'
import { indexPath } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { useDone } from '../../../versioned.ts'
import { listPath, useMetrics } from '../../measuring/metrics/metric.ts'
import { metricsOfOrders, summaryPath } from './order.ts'

/** Offers the metrics by which shops judge tests, until the project has all of them. */
export function OrderMetrics() {
  const { project } = usePlace()
  const mayAdd = useMay('metrics:write')
  const metrics = useMetrics()
  const summary = server.useQuery('get', summaryPath, { params: { path: { projectId: project.id } } })
  const done = useDone()
  const currency = summary.data?.data.currency ?? null
  const keys = new Set(metrics.data?.map(({ key }) => key))
  const missing = metrics.data && currency ? metricsOfOrders(currency).filter(({ key }) => !keys.has(key!)) : []
  const adding = useMutation({
    async mutationFn() {
      for (const body of missing) await api.POST(listPath, { params: { path: { projectId: project.id } }, body })
    },
    onSuccess: () => done('The metrics are added.', listPath, indexPath),
    // Some can be there already.
    onError: () => void metrics.refetch(),
  })
  if (!mayAdd || missing.length === 0) return null
  return (
    <Section
      title="Judge tests by these orders"
      description="Metrics that shops use. You can change them until a test has them, and archive those that you do not need."
      actions={
        <Button loading={adding.isPending} onClick={() => adding.mutate()}>
          Add {counted(missing.length, 'metric')}
        </Button>
      }
    >
      <FailureNotice error={adding.error} title="Not all are added" />
      <List size="sm">
        {missing.map(({ key, name }) => (
          <List.Item key={key}>{name}</List.Item>
        ))}
      </List>
    </Section>
  )
}
