import { Button, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { useSessionState } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { providerFailure } from './provider-failure.ts'

type Identity = Data<'/api/dashboard/me/identities', 'get'>[number]

/** Accounts of other services that sign in here. `failure`: why linking one failed. */
export function IdentitiesSection({ failure }: { failure: string | undefined }) {
  const query = server.useQuery('get', '/api/dashboard/me/identities')
  const { providers } = useSessionState()
  const [removing, setRemoving] = useState<Identity | null>(null)
  const linked = new Set(query.data?.data.map(({ provider }) => provider))
  const others = providers.filter(({ name }) => !linked.has(name))
  return (
    <Section title="Sign-in with other services">
      {failure !== undefined && (
        <FailureNotice error={failure} title="Not linked" messages={[providerFailure(failure)]} />
      )}
      <Loaded query={query}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable caption="Linked accounts" rows={data} keyOf={({ id }) => id} columns={columns(setRemoving)} />
          ) : (
            <Text size="sm">No accounts linked yet.</Text>
          )
        }
      </Loaded>
      {others.length > 0 && (
        <Group gap="xs">
          <ProviderButtons providers={others} verb="Link" returnTo="/account/security" />
        </Group>
      )}
      {removing && <UnlinkIdentity identity={removing} onClose={() => setRemoving(null)} />}
    </Section>
  )
}

function UnlinkIdentity({ identity: { id, provider, email }, onClose }: { identity: Identity; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    await api.DELETE('/api/dashboard/me/identities/{identityId}', { params: { path: { identityId: id } } })
    await done(`You can no longer sign in with ${provider}.`, '/api/dashboard/me/identities')
  }
  return (
    <ConfirmDialog title={`Unlink ${provider}?`} verb="Unlink" isDangerous act={act} onClose={onClose}>
      You can no longer sign in with the account {email}.
    </ConfirmDialog>
  )
}

const columns = (remove: (identity: Identity) => void): Column<Identity>[] => [
  { title: 'Service', cell: ({ provider }) => provider },
  { title: 'Account', cell: ({ email }) => email },
  { title: 'Linked', cell: ({ createdAt }) => <Time time={createdAt} /> },
  {
    title: 'Actions',
    isActions: true,
    cell: (identity) => (
      <Button size="xs" variant="default" onClick={() => remove(identity)} aria-label={`Unlink ${identity.provider}`}>
        Unlink
      </Button>
    ),
  },
]
