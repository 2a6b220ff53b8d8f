import { Button, Code, Group, Stack, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { IconCornerDownRight, IconPlus, IconServer } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, byCursor, server } from '../../../api.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { PagedList } from '../../../shell/paged-list.tsx'
import { useOrgParams } from '../../../shell/place.ts'
import { useOrganization } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { OnlyAdministrators } from '../../../ui/notice/only-administrators.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { moment } from '../../../ui/time/dates.ts'
import { LastUse, StillUsed } from '../../../ui/time/last-use.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { whoMakesTokens } from './administrators.ts'
import type { ExplainedScope } from './explained-scope.ts'
import { canInWords } from './scope-levels.ts'
import classes from './token-states.module.css'
import { isOver, type ServiceToken, TokenExpiry, TokenStatus } from './token-states.tsx'

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
  const params = useOrgParams()
  const query = server.useInfiniteQuery('get', path, { params: { query: { limit: 50 } } }, byCursor)
  const scopes = server.useQuery('get', '/api/dashboard/scopes')
  const tokens = query.data?.pages.flatMap(({ data }) => data)
  const initial = tokens?.find((token) => token.initial && token.replacedBy === null && !isOver(token))
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const create = (
    <ButtonLink to="/$org/settings/tokens/new" params={params} leftSection={<IconPlus size={16} aria-hidden />}>
      Create token
    </ButtonLink>
  )
  const close = () => setAsking(null)
  const ask = (what: 'rotate' | 'revoke', token: ServiceToken) => setAsking({ what, token })
  return (
    <Page
      title="Service tokens"
      description="For programs that call the API on behalf of the organization. They keep working when people leave."
      actions={isEmpty === false && create}
    >
      <PagedList
        query={query}
        noun="token"
        Icon={IconServer}
        empty={{
          title: 'No service tokens yet',
          words:
            'A service token lets a program, such as a build job, call the API with the scopes that you select. You can rotate it without an outage.',
          action: create,
        }}
      >
        {(rows) => (
          <>
            {initial && <InitialToken token={initial} onRevoke={() => ask('revoke', initial)} />}
            <DataTable caption="Service tokens" rows={rows} keyOf={idOf} columns={columns(scopes.data?.data, ask)} />
          </>
        )}
      </PagedList>
      {asking?.what === 'rotate' && <RotateToken token={asking.token} done={setRotated} onClose={close} />}
      {asking?.what === 'revoke' && <RevokeToken token={asking.token} onClose={close} />}
      {rotated && <RotatedDialog rotated={rotated} onClose={() => setRotated(null)} />}
    </Page>
  )
}

/** The token of the first start can do everything. */
function InitialToken({ token: { name, expiresAt }, onRevoke }: { token: ServiceToken; onRevoke: () => void }) {
  return (
    <Notice
      tone="warning"
      title={`Revoke “${name}” when you no longer need it`}
      actions={
        <Button size="xs" variant="default" onClick={onRevoke}>
          Revoke {name}…
        </Button>
      }
    >
      The first start of the service made this token. It can do everything, it{' '}
      {expiresAt ? (
        <>
          expires <Time time={expiresAt} />
        </>
      ) : (
        'never expires'
      )}
      , and its secret is in a file on the server. Create a token of its own for each program first.
    </Notice>
  )
}

const columns = (
  scopes: readonly ExplainedScope[] | undefined,
  ask: (what: 'rotate' | 'revoke', token: ServiceToken) => void,
): Column<ServiceToken>[] => [
  { title: 'Name', cell: (token) => <TokenName token={token} scopes={scopes} /> },
  { title: 'Status', cell: ({ status }) => <TokenStatus status={status} /> },
  { title: 'Expires', cell: (token) => <TokenExpiry {...token} /> },
  { title: 'Last used', cell: (token) => <LastUse {...token} /> },
  {
    title: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <Time time={createdAt} />
        <Text size="xs" c="dimmed">
          by {createdBy ?? 'the provisioning file'}
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

function TokenName({ token, scopes }: { token: ServiceToken; scopes: readonly ExplainedScope[] | undefined }) {
  const { name, description, ineffectiveScopes, replacedBy } = token
  if (replacedBy)
    return (
      <div className={classes.previous}>
        <IconCornerDownRight size={16} aria-hidden />
        {name}
      </div>
    )
  const words = scopes && canInWords(token.scopes, scopes)
  return (
    <div>
      {name}
      {description && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      {words && (
        <Disclosure summary={words}>
          <Group gap={6}>
            {token.scopes.map((scope) => (
              <Code key={scope}>{ineffectiveScopes.includes(scope) ? `${scope} (no effect)` : scope}</Code>
            ))}
          </Group>
        </Disclosure>
      )}
    </div>
  )
}

interface RotateTokenProps {
  token: ServiceToken
  done: (rotated: Rotated) => void
  onClose: () => void
}

function RotateToken({ token, done, onClose }: RotateTokenProps) {
  const client = useQueryClient()
  const act = async () => {
    const { data } = await api.POST(`${path}/{tokenId}/rotate`, { params: { path: { tokenId: token.id } } })
    await refresh(client, path)
    done(data!.data)
  }
  return (
    <ConfirmDialog title={`Rotate ${token.name}?`} verb="Rotate token" act={act} onClose={onClose}>
      <Stack gap="xs">
        <div>
          The token gets a new secret, which is shown once. The old secret keeps working for a grace period, so that you
          have time to update your programs: 24 hours, unless the operator has changed it, and never longer than the
          token.
        </div>
        <div>
          <StillUsed use={token} never="No program has used the current secret yet." />{' '}
          {token.lastUsedAt && 'Each program that uses it needs the new secret. '}
          The list shows the old secret as “{token.name} (previous secret)” with its last use. You can revoke it there.
        </div>
      </Stack>
    </ConfirmDialog>
  )
}

function RotatedDialog({ rotated: { token, secret, previous }, onClose }: { rotated: Rotated; onClose: () => void }) {
  return (
    <SecretDialog title={`${token.name} has a new secret`} label="Secret" secret={secret!} onClose={onClose}>
      <Text size="sm">
        The old secret works until {previous.expiresAt && moment(new Date(previous.expiresAt))}, unless you revoke it
        earlier. <StillUsed use={previous} never="No program has used it yet." />
      </Text>
    </SecretDialog>
  )
}

function RevokeToken({ token, onClose }: { token: ServiceToken; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    await api.DELETE(`${path}/{tokenId}`, { params: { path: { tokenId: token.id } } })
    await done(`${token.name} revoked.`, path)
  }
  return (
    <ConfirmDialog title={`Revoke ${token.name}?`} verb="Revoke token" isDangerous act={act} onClose={onClose}>
      The secret stops working at once. This cannot be undone. <StillUsed use={token} never="It was never used." />
      {token.status !== 'PREVIOUS_SECRET' &&
        ' If the token has a previous secret, that one keeps working. Revoke it separately.'}
    </ConfirmDialog>
  )
}
