import { Button, Group, Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, byCursor, server } from '../../../api.ts'
import { HeldTable, type HeldTableProps } from '../../../shell/held-table.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { useMay, useOrganization, useSession, useSessionState } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { roleName } from '../roles/built-in.ts'
import { InvitationsSection } from './invitations-section.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { type MemberAction, MemberActions } from './member-actions.tsx'
import { type Member, MemberDialog } from './member-dialog.tsx'
import { ProjectNames } from './project-names.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'

interface Doing {
  what: MemberAction
  member: Member
}

/** The members of the organization with their roles, and open invitations. */
export function MembersPage() {
  const mayWrite = useMay('members:write')
  const [doing, setDoing] = useState<Doing | null>(null)
  const roles = server.useQuery('get', '/api/v1/roles')
  const query = server.useInfiniteQuery('get', '/api/v1/members', { params: { query: { limit: 50 } } }, byCursor)
  const { member: chosen, panel } = useSearch({ from: '/inside/$org/settings/members' })
  const navigate = useNavigate({ from: '/$org/settings/members' })
  const setPanel = (panel?: 'invite') =>
    void navigate({
      search: ({ panel: _, ...search }) => ({ ...search, ...(panel && { panel }) }),
      replace: !panel,
    })
  const isFound = query.data?.pages.some(({ data }) => data.some(({ userId }) => userId === chosen)) ?? false
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (chosen !== undefined && !isFound && hasNextPage && !isFetching) void fetchNextPage()
  }, [chosen, isFound, hasNextPage, isFetching, fetchNextPage])
  const close = () => setDoing(null)
  return (
    <Page
      title="Members"
      description="The people in this organization. A change applies from the member’s next request."
      actions={
        mayWrite &&
        roles.data && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setPanel('invite')}>
            Invite
          </Button>
        )
      }
    >
      {!mayWrite && <OnlyFor>Owners and administrators can invite, change and remove members.</OnlyFor>}
      <Loaded query={query}>
        {({ pages }) => (
          <MemberTable query={query} pages={pages.map(({ data }) => data)} chosen={chosen} act={setDoing} />
        )}
      </Loaded>
      <InvitationsSection />
      {mayWrite && roles.data && panel === 'invite' && (
        <InviteDialog roles={roles.data.data} onClose={() => setPanel()} />
      )}
      {doing?.what === 'change' && (
        <MemberDialog member={doing.member} roles={roles.data?.data ?? []} onClose={close} />
      )}
      {doing?.what === 'reset' && <ResetLinkDialog member={doing.member} onClose={close} />}
      {doing?.what === 'remove' && <RemoveMember member={doing.member} onClose={close} />}
    </Page>
  )
}

interface MemberTableProps extends Pick<HeldTableProps<Member>, 'query' | 'pages'> {
  /** The id of the person whom the address names. */
  chosen: string | undefined
  act: (doing: Doing) => void
}

function MemberTable({ query, pages, chosen, act }: MemberTableProps) {
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
    <HeldTable
      caption="Members"
      noun="member"
      query={query}
      pages={pages}
      keyOf={idOf}
      chosen={chosen}
      columns={[nameColumn(user.id), ...columns, ...(mayWrite ? [actions] : [])]}
    />
  )
}

const idOf = ({ userId }: Member): string => userId

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
  { title: 'Role', cell: ({ role }) => roleName(role) },
  { title: 'Projects', cell: ({ projectIds }) => <ProjectNames projectIds={projectIds} /> },
  {
    title: 'Second factor',
    cell: ({ secondFactor }) =>
      secondFactor ? <StatusBadge tone="good">On</StatusBadge> : <StatusBadge tone="warning">Off</StatusBadge>,
  },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Time time={lastSeenAt} /> },
  { title: 'Member since', cell: ({ createdAt }) => <Time time={createdAt} /> },
]

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    await api.DELETE('/api/v1/members/{userId}', { params: { path: { userId: member.userId } } })
    await done(`${member.name} is no longer a member.`, '/api/v1/members', '/api/v1/roles')
  }
  return (
    <ConfirmDialog title={`Remove ${member.name}?`} verb="Remove member" isDangerous act={act} onClose={onClose}>
      {member.lastSeenAt === null ? (
        'They have not signed in yet. '
      ) : (
        <>
          They were last here <Time time={member.lastSeenAt} />.{' '}
        </>
      )}
      They lose access to this organization at once, with their sessions and their personal tokens. Their account and
      their entries in the audit log remain. Service tokens that they created keep working.
    </ConfirmDialog>
  )
}
