import { Button, Group } from '@mantine/core'
import type { Data } from '@svc/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { HeldTable } from '../../../shell/held-table.tsx'
import { useMay, useOrganization, useSessionState } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Subheading } from '../../../ui/layout/subheading.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { roleName } from '../roles/built-in.ts'
import { hasLink, type SentInvitation, SentLink } from './invite-dialog.tsx'
import { ProjectNames } from './project-names.tsx'
import { refusesHandling } from './ranks.ts'

type Invitation = Data<'/api/v1/members/invitations', 'get'>[number]

const path = '/api/v1/members/invitations'

/** Invitations that are not accepted yet. */
export function InvitationsSection() {
  const { mail } = useSessionState()
  const mayWrite = useMay('members:write')
  const query = server.useQuery('get', path)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const [sent, setSent] = useState<(SentInvitation & { link: string }) | null>(null)
  const resending = useResend(setSent)
  const mine = useOrganization()?.role?.name
  const may = (invitation: Invitation) => mayWrite && !refusesHandling(mine, invitation.role.name)
  const columns = columnsOf(mail ? 'Send again' : 'New link', may, resending, setRevoking)
  return (
    <Loaded query={query} lines={1}>
      {({ data }) =>
        data.length > 0 && (
          <section aria-labelledby="invitations">
            <Subheading id="invitations">Open invitations</Subheading>
            <FailureNotice error={resending.error} />
            <HeldTable
              caption="Open invitations"
              noun="invitation"
              query={query}
              pages={[data]}
              keyOf={idOf}
              columns={columns}
            />
            {revoking && <RevokeInvitation invitation={revoking} onClose={() => setRevoking(null)} />}
            {sent && (
              <Dialog onClose={() => setSent(null)} title={`New link for ${sent.email}`}>
                <SentLink sent={sent} onDone={() => setSent(null)} />
              </Dialog>
            )}
          </section>
        )
      }
    </Loaded>
  )
}

function useResend(show: (sent: SentInvitation & { link: string }) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: Invitation) => {
      const params = { path: { invitationId: id } }
      return (await api.POST('/api/v1/members/invitations/{invitationId}/resend', { params })).data!.data
    },
    onSuccess: async (answer) => {
      await refresh(client, path)
      if (hasLink(answer)) show(answer)
      else announce(`Mail sent to ${answer.email}. The earlier link no longer works.`)
    },
  })
}

const columnsOf = (
  resend: string,
  may: (invitation: Invitation) => boolean,
  resending: ReturnType<typeof useResend>,
  revoke: (invitation: Invitation) => void,
): Column<Invitation>[] => [
  { title: 'Address', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => roleName(role) },
  { title: 'Projects', cell: ({ projectIds }) => <ProjectNames projectIds={projectIds} /> },
  {
    title: 'Invited',
    cell: ({ createdAt, invitedBy }) => (
      <span>
        <Time time={createdAt} /> by {invitedBy}
      </span>
    ),
  },
  {
    title: 'Expires',
    cell: ({ expired, expiresAt }) =>
      expired ? <StatusBadge tone="bad">Expired</StatusBadge> : <Time time={expiresAt} />,
  },
  {
    title: 'Actions',
    isActions: true,
    cell: (invitation) =>
      may(invitation) && (
        <Group gap="xs" wrap="nowrap" display="inline-flex">
          <Button
            size="xs"
            variant="default"
            loading={resending.isPending && resending.variables?.id === invitation.id}
            onClick={() => resending.mutate(invitation)}
            aria-label={`${resend} for ${invitation.email}`}
          >
            {resend}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => revoke(invitation)}
            aria-label={`Revoke the invitation for ${invitation.email}`}
          >
            Revoke
          </Button>
        </Group>
      ),
  },
]

function RevokeInvitation({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    await api.DELETE('/api/v1/members/invitations/{invitationId}', {
      params: { path: { invitationId: invitation.id } },
    })
    await done('Invitation revoked.', path, '/api/v1/roles')
  }
  return (
    <ConfirmDialog title="Revoke this invitation?" verb="Revoke invitation" isDangerous act={act} onClose={onClose}>
      The link for {invitation.email} stops working at once. You can invite them again.
    </ConfirmDialog>
  )
}
