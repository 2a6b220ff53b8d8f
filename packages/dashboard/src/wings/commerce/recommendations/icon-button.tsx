import { ActionIcon } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { Hint } from '../../../ui/hint/hint.tsx'

interface IconButtonProps {
  /** Its name, and its tooltip. */
  label: string
  Icon: TablerIcon
  disabled?: boolean
  onClick: () => void
}

/** A small button in a row. */
export const IconButton = ({ label, Icon, disabled = false, onClick }: IconButtonProps) => (
  <Hint label={label}>
    <ActionIcon variant="transparent" color="gray" size="lg" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  </Hint>
)
