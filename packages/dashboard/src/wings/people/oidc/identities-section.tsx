import { Button, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { useSessionState } from '../sessions/session.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { providerFailure } from './provider-failure.ts'

type Identity = Data<'/api/dashboard/me/identities', 'get'>[number]

/** Accounts elsewhere that sign in here too. `failure`: with what one came back from linking one. */
export function IdentitiesSection({ failure }: { failure: string | undefined }) {
  const query = server.useQuery('get', '/api/dashboard/me/identities')
  const { providers } = useSessionState()
  const client = useQueryClient()
  const [removing, setRemoving] = useState<Identity | null>(null)
  const linked = new Set(query.data?.data.map(({ provider }) => provider))
  const others = providers.filter(({ name }) => !linked.has(name))
  const remove = async () => {
    if (!removing) return
    await api.DELETE('/api/dashboard/me/identities/{identityId}', { params: { path: { identityId: removing.id } } })
    await client.invalidateQueries({ queryKey: ['get', '/api/dashboard/me/identities'] })
    announce(`${removing.provider} no longer signs you in.`)
  }
  return (
    <Section title="Signing in through other services">
      {failure !== undefined && (
        <FailureNotice error={failure} title="Not linked" messages={[providerFailure(failure)]} />
      )}
      <Loaded query={query}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable caption="Linked accounts" rows={data} keyOf={({ id }) => id} columns={columns(setRemoving)} />
          ) : (
            <Text size="sm">None is linked yet.</Text>
          )
        }
      </Loaded>
      {others.length > 0 && (
        <Group gap="xs">
          <ProviderButtons providers={others} verb="Link" returnTo="/account" />
        </Group>
      )}
      <ConfirmDialog
        opened={removing !== null}
        title={`Unlink ${removing?.provider ?? ''}?`}
        verb="Unlink"
        isDangerous
        act={remove}
        onClose={() => setRemoving(null)}
      >
        The account {removing?.email} will not sign you in any more.
      </ConfirmDialog>
    </Section>
  )
}

const columns = (remove: (identity: Identity) => void): Column<Identity>[] => [
  { title: 'Service', cell: ({ provider }) => provider },
  { title: 'Account', cell: ({ email }) => email },
  { title: 'Linked', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
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
