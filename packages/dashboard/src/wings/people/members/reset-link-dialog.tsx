import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { HandOnLink } from './hand-on-link.tsx'
import type { Member } from './member-dialog.tsx'

/** Where the service sends no mail, an administrator hands on the link for a new password. */
export function ResetLinkDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const making = useMutation({
    mutationFn: async () => {
      const params = { path: { userId: member.userId } }
      return (await api.POST('/api/dashboard/members/{userId}/password-reset-link', { params })).data!.data
    },
  })
  return (
    <Dialog onClose={onClose} title={`New password for ${member.name}`}>
      {making.data ? (
        <HandOnLink
          label={`Link for ${member.email}`}
          link={making.data.link!}
          expiresAt={making.data.expiresAt}
          to={member.name}
          onDone={onClose}
        />
      ) : (
        <Stack gap="md">
          <Text size="sm">
            You make a link by which {member.name} chooses a new password. Be sure that it is they who ask. The old
            password works until then; afterwards every session of the account ends. It stands in the audit log that you
            made the link.
          </Text>
          <FailureNotice error={making.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button loading={making.isPending} onClick={() => making.mutate()}>
              Make the link
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
