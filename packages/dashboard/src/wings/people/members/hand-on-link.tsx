import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../../ui/copy-field.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

interface HandOnLinkProps {
  label: string
  link: string
  expiresAt: string
  /** Whose it is: the link opens for whoever has it. */
  to: string
  onDone: () => void
}

/** A link that works once, shown where the service sends no mail: somebody has to hand it on. */
export function HandOnLink({ label, link, expiresAt, to, onDone }: HandOnLinkProps) {
  return (
    <Stack gap="md">
      <Text size="sm">
        This service sends no mail. Give the link to {to} and to nobody else: it works once, for whoever opens it. It is
        not shown again, and ends <RelativeTime time={expiresAt} />.
      </Text>
      <CopyField label={label} value={link} />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
