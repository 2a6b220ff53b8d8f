import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { HandOnLink } from './hand-on-link.tsx'
import type { Member } from './member-dialog.tsx'

/** If the service sends no mail, an administrator creates a password reset link and passes it on. */
export function ResetLinkDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const making = useMutation({
    mutationFn: async () => {
      const params = { path: { userId: member.userId } }
      return (await api.POST('/api/dashboard/members/{userId}/password-reset-link', { params })).data!.data
    },
  })
  return (
    <Dialog onClose={onClose} title={`Password reset link for ${member.name}`}>
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
            With this link, {member.name} can choose a new password. Make sure that the request really comes from them.
            The old password works until then. A new password ends all sessions of the account. The audit log records
            that you created the link.
          </Text>
          <FailureNotice error={making.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button loading={making.isPending} onClick={() => making.mutate()}>
              Create the link
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
