import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyField } from './copy-field.tsx'
import { Dialog } from './dialog.tsx'

interface SecretDialogProps {
  title: string
  label: string
  secret: string
  onClose: () => void
  /** What else there is to say. */
  children?: ReactNode
}

/** Shows what is shown once. It goes by its button alone: no slip of the mouse takes the secret away. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} isFirm>
      <Stack gap="md">
        <Alert variant="outline" color="orange" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm">Copy it now: it is not shown again.</Text>
        </Alert>
        <CopyField label={label} value={secret} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
