import { Group } from '@mantine/core'
import { Status, StatusBadge } from '../src/ui/status/status-badge.tsx'
import { StatusDot } from '../src/ui/status/status-dot.tsx'
import { Specimen } from './gallery.tsx'

export default function StatusPage() {
  return (
    <>
      <Specimen title="Flags">
        <Group gap="xs">
          {(['DRAFT', 'RUNNING', 'PAUSED', 'ARCHIVED', 'STALE'] as const).map((value) => (
            <Status key={value} of="flag" value={value} />
          ))}
        </Group>
      </Specimen>
      <Specimen title="Rules">
        <Group gap="xs">
          {(['DRAFT', 'RUNNING', 'PAUSED', 'WAITING', 'COMPLETED'] as const).map((value) => (
            <Status key={value} of="rule" value={value} />
          ))}
        </Group>
      </Specimen>
      <Specimen title="Changes">
        <Group gap="xs">
          {(['NEW', 'EDITED', 'MOVED', 'DELETED'] as const).map((value) => (
            <Status key={value} of="change" value={value} />
          ))}
          <StatusBadge tone="unpublished">2 unpublished</StatusBadge>
        </Group>
      </Specimen>
      <Specimen title="Deliveries">
        <Group gap="xs">
          {(['PENDING', 'RETRYING', 'DELIVERED', 'FAILED', 'PERMANENTLY_FAILED'] as const).map((value) => (
            <Status key={value} of="delivery" value={value} />
          ))}
        </Group>
      </Specimen>
      <Specimen title="Dots">
        <Group gap="md">
          <StatusDot tone="good">Connected</StatusDot>
          <StatusDot tone="warning">Silent for 8 min</StatusDot>
          <StatusDot tone="bad">Failed</StatusDot>
          <StatusDot tone="unpublished">2 unpublished</StatusDot>
          <StatusDot tone="note">Never connected</StatusDot>
        </Group>
      </Specimen>
    </>
  )
}
