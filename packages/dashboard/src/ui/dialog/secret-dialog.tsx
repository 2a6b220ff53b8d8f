import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyField } from '../code/copy-field.tsx'
import { Dialog } from './dialog.tsx'

interface SecretDialogProps {
  title: string
  label: string
  secret: string
  onClose: () => void
  /** More advice, below the secret. */
  children?: ReactNode
}

/** Shows a secret once. It closes only with its button, so that a stray click cannot lose the secret. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} isFirm>
      <Stack gap="md">
        <Alert variant="outline" color="orange" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm">Copy it now. It is not shown again.</Text>
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
