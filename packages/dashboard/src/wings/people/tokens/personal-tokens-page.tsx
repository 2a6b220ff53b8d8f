import { Button } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, byCursor, server } from '../../../api.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { PagedList } from '../../../shell/paged-list.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { type CreatedToken, CreatePersonalToken } from './create-personal-token.tsx'
import { Expiry } from './expiry.tsx'

type Token = Data<'/api/dashboard/personal-tokens', 'get'>[number]

/** The personal tokens of a person. Each has whatever rights the person has now. */
export function PersonalTokensPage() {
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const query = server.useInfiniteQuery(
    'get',
    '/api/dashboard/personal-tokens',
    { params: { query: { limit: 20 } } },
    byCursor,
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create token
    </Button>
  )
  return (
    <Page
      title="Personal tokens"
      description="For calling the API as yourself. A token can do whatever your role currently allows, in every organization you belong to."
      actions={isEmpty === false && create}
    >
      <PagedList
        query={query}
        noun="token"
        Icon={IconKey}
        empty={{
          title: 'No personal tokens',
          words:
            'A personal token lets you call the API from a terminal or a script, with your own rights. For programs that others depend on, use a service token.',
          action: create,
        }}
      >
        {(rows) => <DataTable caption="Your tokens" rows={rows} keyOf={idOf} columns={columns(setRevoking)} />}
      </PagedList>
      {isCreating && (
        <CreatePersonalToken
          onClose={() => setIsCreating(false)}
          onCreated={(token) => {
            setIsCreating(false)
            setCreated(token)
          }}
        />
      )}
      {created && (
        <SecretDialog
          title={`${created.name} created`}
          label="Token"
          secret={created.secret}
          onClose={() => setCreated(null)}
        />
      )}
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(null)} />}
    </Page>
  )
}

const columns = (revoke: (token: Token) => void): Column<Token>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
  {
    title: 'Expires',
    cell: ({ expiresAt, expired, revokedAt }) =>
      revokedAt ? <StatusBadge tone="bad">Revoked</StatusBadge> : <Expiry expiresAt={expiresAt} isExpired={expired} />,
  },
  {
    title: 'Last used',
    cell: ({ lastUsedAt, lastUsedIp }) => (
      <>
        <Time time={lastUsedAt} />
        {lastUsedIp && ` from ${lastUsedIp}`}
      </>
    ),
  },
  {
    title: 'Actions',
    isActions: true,
    cell: (token) =>
      token.revokedAt === null &&
      !token.expired && (
        <Button size="xs" variant="default" onClick={() => revoke(token)} aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      ),
  },
]

function RevokeToken({ token, onClose }: { token: Token; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    await api.DELETE('/api/dashboard/personal-tokens/{tokenId}', { params: { path: { tokenId: token.id } } })
    await done(`${token.name} revoked.`, '/api/dashboard/personal-tokens')
  }
  return (
    <ConfirmDialog title={`Revoke ${token.name}?`} verb="Revoke token" isDangerous act={act} onClose={onClose}>
      The token stops working at once. This cannot be undone.
    </ConfirmDialog>
  )
}
