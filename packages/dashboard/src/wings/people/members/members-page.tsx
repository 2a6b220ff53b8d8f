import { Alert, Button, Group, Text } from '@mantine/core'
import { IconInfoCircle, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { refresh } from '../../../versioned.ts'
import { useMay, useOrganization, useSession, useSessionState } from '../sessions/session.ts'
import { InvitationsSection } from './invitations-section.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { type MemberAction, MemberActions } from './member-actions.tsx'
import { type Member, MemberDialog } from './member-dialog.tsx'
import { ProjectNames } from './project-names.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'

type Doing = { what: 'invite' } | { what: MemberAction; member: Member }

/** Who belongs to the organization, as what, and who was invited. */
export function MembersPage() {
  const mayWrite = useMay('members:write')
  const [doing, setDoing] = useState<Doing | null>(null)
  const roles = server.useQuery('get', '/api/v1/roles')
  const query = server.useInfiniteQuery(
    'get',
    '/api/v1/members',
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
  const close = () => setDoing(null)
  return (
    <Page
      title="Members"
      description="Who belongs to the organization. A change counts from the member’s next request on."
      actions={
        mayWrite && (
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden />}
            disabled={!roles.data}
            onClick={() => setDoing({ what: 'invite' })}
          >
            Invite
          </Button>
        )
      }
    >
      {!mayWrite && (
        <Alert variant="outline" icon={<IconInfoCircle aria-hidden />} title="Only to look at">
          <Text size="sm">Owners and administrators invite people, and change and remove members.</Text>
        </Alert>
      )}
      <Loaded query={query}>
        {({ pages }) => (
          <>
            <MemberTable members={pages.flatMap(({ data }) => data)} act={setDoing} />
            <MoreButton query={query} />
          </>
        )}
      </Loaded>
      <InvitationsSection />
      {doing?.what === 'invite' && <InviteDialog roles={roles.data?.data ?? []} onClose={close} />}
      {doing?.what === 'change' && (
        <MemberDialog member={doing.member} roles={roles.data?.data ?? []} onClose={close} />
      )}
      {doing?.what === 'reset' && <ResetLinkDialog member={doing.member} onClose={close} />}
      <RemoveMember member={doing?.what === 'remove' ? doing.member : null} onClose={close} />
    </Page>
  )
}

function MemberTable({ members, act }: { members: Member[]; act: (doing: Doing) => void }) {
  const mayWrite = useMay('members:write')
  const { user } = useSession()
  const { mail } = useSessionState()
  const mine = useOrganization()?.role?.name
  const actions: Column<Member> = {
    title: 'Actions',
    isActions: true,
    cell: (member) => (
      <MemberActions
        member={member}
        myRole={mine}
        isMe={member.userId === user.id}
        mail={mail}
        act={(what) => act({ what, member })}
      />
    ),
  }
  return (
    <DataTable
      caption="Members"
      rows={members}
      keyOf={({ userId }) => userId}
      columns={[nameColumn(user.id), ...columns, ...(mayWrite ? [actions] : [])]}
    />
  )
}

const nameColumn = (myId: string): Column<Member> => ({
  title: 'Name',
  cell: ({ userId, name, email }) => (
    <div>
      <Group gap="xs">
        {name}
        {userId === myId && <StatusBadge tone="note">You</StatusBadge>}
      </Group>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </div>
  ),
})

const columns: Column<Member>[] = [
  { title: 'Role', cell: ({ role }) => role.name },
  { title: 'Projects', cell: ({ projectIds }) => <ProjectNames projectIds={projectIds} /> },
  {
    title: 'Second factor',
    cell: ({ secondFactor }) =>
      secondFactor ? <StatusBadge tone="good">On</StatusBadge> : <StatusBadge tone="note">Off</StatusBadge>,
  },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <RelativeTime time={lastSeenAt} /> },
  { title: 'Member since', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
]

function RemoveMember({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const client = useQueryClient()
  const act = async () => {
    if (!member) return
    await api.DELETE('/api/v1/members/{userId}', { params: { path: { userId: member.userId } } })
    await refresh(client, '/api/v1/members', '/api/v1/roles')
    announce(`${member.name} is no member any more.`)
  }
  return (
    <ConfirmDialog
      opened={member !== null}
      title={`Remove ${member?.name}?`}
      verb="Remove"
      isDangerous
      act={act}
      onClose={onClose}
    >
      Their sessions and personal tokens open nothing in this organization from now on. The account stays, and what they
      did stays in the audit log. Service tokens that they made go on working.
    </ConfirmDialog>
  )
}
