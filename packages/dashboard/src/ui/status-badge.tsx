import { Badge } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

const tones = {
  good: { color: 'var(--svc-good)', Icon: IconCircleCheck },
  note: { color: 'var(--mantine-color-dimmed)', Icon: null },
  warning: { color: 'var(--svc-warning)', Icon: IconAlertTriangle },
  bad: { color: 'var(--mantine-color-error)', Icon: IconCircleX },
} satisfies Record<string, { color: string; Icon: TablerIcon | null }>

/** A state in a word. Good and bad ones have an icon too, so that color is never the only sign. */
export function StatusBadge({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  const { color, Icon } = tones[tone]
  return (
    <Badge
      leftSection={Icon && <Icon size={14} aria-hidden />}
      tt="none"
      fw={600}
      miw="max-content"
      styles={{ root: { color, borderColor: color } }}
    >
      {children}
    </Badge>
  )
}
