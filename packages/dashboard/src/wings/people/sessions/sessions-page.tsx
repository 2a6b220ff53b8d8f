import { Button, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { HeldTable } from '../../../shell/held-table.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { describeUserAgent } from './user-agent.ts'

type ListedSession = Data<'/api/dashboard/sessions', 'get'>[number]

/** The browsers in which a person is signed in. Each session can be ended. */
export function SessionsPage() {
  const query = server.useQuery('get', '/api/dashboard/sessions')
  const [ending, setEnding] = useState<ListedSession | 'others' | null>(null)
  const hasOthers = (query.data?.data.length ?? 0) > 1
  return (
    <Page
      title="Sessions"
      description="Where you are signed in. If you do not recognize a session, end it and change your password."
      actions={
        hasOthers && (
          <Button variant="default" onClick={() => setEnding('others')}>
            End all others
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <HeldTable
            caption="Your sessions"
            noun="session"
            query={query}
            pages={[data]}
            keyOf={idOf}
            columns={columns(setEnding)}
          />
        )}
      </Loaded>
      {ending && <EndSessions ending={ending} onClose={() => setEnding(null)} />}
    </Page>
  )
}

const columns = (end: (session: ListedSession) => void): Column<ListedSession>[] => [
  {
    title: 'Browser',
    cell: ({ userAgent, current }) => (
      <Group gap="xs">
        <span title={userAgent ?? undefined}>{describeUserAgent(userAgent)}</span>
        {current && <StatusBadge tone="good">This browser</StatusBadge>}
      </Group>
    ),
  },
  { title: 'IP address', cell: ({ ip }) => <Text size="sm">{ip}</Text> },
  { title: 'Signed in', cell: ({ createdAt }) => <Time time={createdAt} /> },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Time time={lastSeenAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Time time={expiresAt} /> },
  {
    title: 'Actions',
    isActions: true,
    cell: (session) =>
      !session.current && (
        <Button
          size="xs"
          variant="default"
          onClick={() => end(session)}
          aria-label={`End the session in ${describeUserAgent(session.userAgent)}`}
        >
          End
        </Button>
      ),
  },
]

function EndSessions({ ending, onClose }: { ending: ListedSession | 'others'; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    if (ending === 'others') await api.POST('/api/dashboard/sessions/end-others')
    else await api.DELETE('/api/dashboard/sessions/{sessionId}', { params: { path: { sessionId: ending.id } } })
    await done(ending === 'others' ? 'All other sessions ended.' : 'Session ended.', '/api/dashboard/sessions')
  }
  return (
    <ConfirmDialog
      title={ending === 'others' ? 'End all other sessions?' : 'End this session?'}
      verb="End"
      isDangerous
      act={act}
      onClose={onClose}
    >
      {ending === 'others'
        ? 'Every other browser is signed out at once.'
        : `${describeUserAgent(ending.userAgent)} is signed out at once.`}
    </ConfirmDialog>
  )
}
