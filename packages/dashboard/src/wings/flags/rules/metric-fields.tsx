import { NativeSelect, Text } from '@mantine/core'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { MetricRow } from './metric-row.tsx'
import type { MetricRole, RuleValues } from './rule-form.ts'

interface MetricFieldsProps {
  chosen: RuleValues['metrics']
  onChange: (metrics: RuleValues['metrics']) => void
  error: string | undefined
}

/** What the test compares: metrics of the project, each in one role. */
export function MetricFields({ chosen, onChange, error }: MetricFieldsProps) {
  const { params } = usePlace()
  const { data: index } = useProjectIndex()
  const metrics = index?.metrics ?? []
  const nameOf = (key: string) => metrics.find((metric) => metric.key === key)?.name ?? key
  const free = metrics.filter(({ key, archived }) => !archived && !chosen.some((each) => each.key === key))
  const add = (key: string) => {
    const role: MetricRole = chosen.some((each) => each.role === 'primary') ? 'secondary' : 'primary'
    if (key !== '') onChange([...chosen, { key, role }])
  }
  return (
    <Choices
      legend="Metrics"
      description="The primary metrics decide the test. Guardrails must not get worse."
      error={error}
    >
      {chosen.map(({ key, role }) => (
        <MetricRow
          key={key}
          name={nameOf(key)}
          role={role}
          onRole={(next) => onChange(chosen.map((each) => (each.key === key ? { key, role: next } : each)))}
          onRemove={() => onChange(chosen.filter((each) => each.key !== key))}
        />
      ))}
      {index && metrics.length === 0 ? (
        <Text size="sm">
          This project has no metrics yet.{' '}
          <TextLink to="/$org/$project/metrics" params={params} search={{ panel: 'create' }} underline="always">
            Create one
          </TextLink>
        </Text>
      ) : (
        free.length > 0 && (
          <NativeSelect
            aria-label="Add a metric"
            value=""
            onChange={(event) => add(event.currentTarget.value)}
            data={[
              { value: '', label: 'Add a metric…' },
              ...free.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
            ]}
          />
        )
      )}
    </Choices>
  )
}
