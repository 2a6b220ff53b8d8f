import { Button, Code, Group, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconCornerDownRight, IconPlus, IconServer } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { OnlyAdministrators } from '../../../ui/only-administrators.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SecretDialog } from '../../../ui/secret-dialog.tsx'
import { refresh } from '../../../versioned.ts'
import { useOrganization } from '../sessions/session.ts'
import { whoMakesTokens } from './administrators.ts'
import classes from './token-states.module.css'
import { isOver, LastUse, type ServiceToken, TokenExpiry, TokenStatus } from './token-states.tsx'

type Rotated = Data<'/api/dashboard/service-tokens/{tokenId}/rotate', 'post'>

const path = '/api/dashboard/service-tokens'

/** The tokens of programs. */
export function ServiceTokensPage() {
  const isAdministrator = useOrganization()?.administrator
  return isAdministrator ? (
    <ServiceTokens />
  ) : (
    <OnlyAdministrators title="Service tokens">{whoMakesTokens}</OnlyAdministrators>
  )
}

function ServiceTokens() {
  const [asking, setAsking] = useState<{ what: 'rotate' | 'revoke'; token: ServiceToken } | null>(null)
  const [rotated, setRotated] = useState<Rotated | null>(null)
  const query = server.useInfiniteQuery(
    'get',
    path,
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: ({ page }) => page.nextCursor },
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const create = (
    <ButtonLink to="/settings/tokens/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Create a token
    </ButtonLink>
  )
  const ask = (what: 'rotate' | 'revoke', token: ServiceToken) => setAsking({ what, token })
  return (
    <Page
      title="Service tokens"
      description="For programs that call the API on behalf of the organization. They belong to nobody, and stay when people go."
      actions={!isEmpty && create}
    >
      <Loaded query={query}>
        {({ pages }) =>
          isEmpty ? (
            <EmptyState icon={<IconServer size={36} />} title="No service tokens yet" action={create}>
              A service token lets a program, such as a build or a synchronization, call the API with the scopes that
              you choose. It can be rotated without an outage.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Service tokens"
                rows={pages.flatMap(({ data }) => data)}
                keyOf={({ id }) => id}
                columns={columns(ask)}
              />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
      <RotateToken
        token={asking?.what === 'rotate' ? asking.token : null}
        done={setRotated}
        onClose={() => setAsking(null)}
      />
      <RevokeToken token={asking?.what === 'revoke' ? asking.token : null} onClose={() => setAsking(null)} />
      {rotated && <RotatedDialog rotated={rotated} onClose={() => setRotated(null)} />}
    </Page>
  )
}

const columns = (ask: (what: 'rotate' | 'revoke', token: ServiceToken) => void): Column<ServiceToken>[] => [
  { title: 'Name', cell: (token) => <TokenName token={token} /> },
  { title: 'Status', cell: ({ status }) => <TokenStatus status={status} /> },
  { title: 'Expires', cell: (token) => <TokenExpiry {...token} /> },
  { title: 'Last used', cell: (token) => <LastUse {...token} /> },
  {
    title: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <RelativeTime time={createdAt} />
        <Text size="xs" c="dimmed">
          {createdBy ? `by ${createdBy}` : 'by the provisioning file'}
        </Text>
      </div>
    ),
  },
  {
    title: 'Actions',
    isActions: true,
    cell: (token) =>
      !isOver(token) && (
        <Group gap="xs" wrap="nowrap" display="inline-flex">
          {token.status !== 'PREVIOUS_SECRET' && (
            <Button
              size="xs"
              variant="default"
              onClick={() => ask('rotate', token)}
              aria-label={`Rotate ${token.name}`}
            >
              Rotate
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => ask('revoke', token)} aria-label={`Revoke ${token.name}`}>
            Revoke
          </Button>
        </Group>
      ),
  },
]

function TokenName({ token: { name, description, scopes, ineffectiveScopes, replacedBy } }: { token: ServiceToken }) {
  if (replacedBy)
    return (
      <div className={classes.previous}>
        <IconCornerDownRight size={16} aria-hidden />
        {name}
      </div>
    )
  return (
    <div>
      {name}
      {description && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      <Disclosure summary={scopes.length === 1 ? '1 scope' : `${scopes.length} scopes`}>
        <Group gap={6}>
          {scopes.map((scope) => (
            <Code key={scope}>{ineffectiveScopes.includes(scope) ? `${scope} (no effect)` : scope}</Code>
          ))}
        </Group>
      </Disclosure>
    </div>
  )
}

interface RotateTokenProps {
  token: ServiceToken | null
  done: (rotated: Rotated) => void
  onClose: () => void
}

function RotateToken({ token, done, onClose }: RotateTokenProps) {
  const client = useQueryClient()
  const act = async () => {
    if (!token) return
    const { data } = await api.POST(`${path}/{tokenId}/rotate`, { params: { path: { tokenId: token.id } } })
    await refresh(client, path)
    done(data!.data)
  }
  return (
    <ConfirmDialog opened={token !== null} title={`Rotate ${token?.name}?`} verb="Rotate" act={act} onClose={onClose}>
      The token gets a new secret, shown once. The old secret goes on working for a grace period, so that your programs
      have time to change over: 24 hours unless the operator set another one, and never beyond the token’s own expiry.
      It is listed below the token as “{token?.name} (previous secret)” and can be revoked earlier.
    </ConfirmDialog>
  )
}

function RotatedDialog({ rotated: { token, secret, previous }, onClose }: { rotated: Rotated; onClose: () => void }) {
  return (
    <SecretDialog title={`${token.name} has a new secret`} label="Secret" secret={secret!} onClose={onClose}>
      <Text size="sm">
        The old secret ends <RelativeTime time={previous.expiresAt} />, unless you revoke it before.
      </Text>
    </SecretDialog>
  )
}

function RevokeToken({ token, onClose }: { token: ServiceToken | null; onClose: () => void }) {
  const client = useQueryClient()
  const act = async () => {
    if (!token) return
    await api.DELETE(`${path}/{tokenId}`, { params: { path: { tokenId: token.id } } })
    await refresh(client, path)
    announce(`${token.name} is revoked.`)
  }
  return (
    <ConfirmDialog
      opened={token !== null}
      title={`Revoke ${token?.name}?`}
      verb="Revoke"
      isDangerous
      act={act}
      onClose={onClose}
    >
      Programs that use this secret are refused from now on. This cannot be undone.
      {token?.status !== 'PREVIOUS_SECRET' &&
        ' A previous secret that still works is not touched: revoke it as well if it got into wrong hands.'}
    </ConfirmDialog>
  )
}
