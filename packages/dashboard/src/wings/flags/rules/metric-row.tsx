import { CloseButton, Group, NativeSelect, Text } from '@mantine/core'
import type { MetricRole } from './rule-form.ts'
import classes from './rules.module.css'

const roleNames: Record<MetricRole, string> = { primary: 'Primary', secondary: 'Secondary', guardrails: 'Guardrail' }

interface MetricRowProps {
  name: string
  role: MetricRole
  onRole: (role: MetricRole) => void
  onRemove: () => void
}

/** One metric of a test with its role. */
export function MetricRow({ name, role, onRole, onRemove }: MetricRowProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" className={classes.metric}>
        {name}
      </Text>
      <NativeSelect
        aria-label={`Role of ${name}`}
        value={role}
        onChange={(event) => onRole(event.currentTarget.value as MetricRole)}
        data={Object.entries(roleNames).map(([value, label]) => ({ value, label }))}
      />
      <CloseButton aria-label={`Remove ${name}`} onClick={onRemove} />
    </Group>
  )
}
