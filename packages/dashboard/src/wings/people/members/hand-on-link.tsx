import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../../ui/code/copy-field.tsx'
import { Time } from '../../../ui/time/time.tsx'

interface HandOnLinkProps {
  label: string
  link: string
  expiresAt: string
  /** The person to give it to. The link works for anyone who has it. */
  to: string
  onDone: () => void
}

/** A single-use link to pass on, because the service sends no mail. */
export function HandOnLink({ label, link, expiresAt, to, onDone }: HandOnLinkProps) {
  return (
    <Stack gap="md">
      <Text size="sm">
        This service sends no mail. Give the link only to {to}: it works once, for anyone who opens it. It is not shown
        again and expires <Time time={expiresAt} />.
      </Text>
      <CopyField label={label} value={link} />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
