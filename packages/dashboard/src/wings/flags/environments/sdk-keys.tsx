import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { useDone } from '../../../versioned.ts'
import { environmentPath, useIfUnchanged } from './environment-version.ts'
import { hintOf, usesInWords } from './key-words.ts'

const path = `${environmentPath}/sdk-keys` as const
/** What shows the SDK key of the environment. */
const showing = ['/api/v1/projects/{projectId}/environments', environmentPath, path]
const readMs = 10_000

type SdkKey = Data<typeof path, 'get'>[number]

/** The keys with which SDKs load an environment, who uses them, and how to renew them. */
export function SdkKeys({ environment, mayEdit }: { environment: Environment; mayEdit: boolean }) {
  const { project } = usePlace()
  const [isCreating, setIsCreating] = useState(false)
  const [revoking, setRevoking] = useState<SdkKey | null>(null)
  const query = server.useQuery(
    'get',
    path,
    { params: { path: { projectId: project.id, envId: environment.id } } },
    { refetchInterval: readMs },
  )
  const count = query.data?.data.length
  return (
    <Section
      title="SDK keys"
      description={
        <>
          {count === undefined || count === 1
            ? 'To renew the key, create a second one, move your programs and pages to it, and then revoke the first one.'
            : 'Both keys work. Move your programs and pages to the newest one, and revoke the other once it is unused.'}{' '}
          More in the{' '}
          <Anchor href="/docs/sdk-keys" inherit underline="always">
            guide to renewing a key
          </Anchor>
          .
        </>
      }
      actions={
        mayEdit &&
        count === 1 && (
          <Button variant="default" onClick={() => setIsCreating(true)}>
            Create a second key…
          </Button>
        )
      }
    >
      <Loaded query={query} like="table">
        {({ data }) => (
          <DataTable
            caption={`SDK keys of ${environment.name}`}
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsOf(mayEdit && data.length > 1 ? setRevoking : undefined)}
          />
        )}
      </Loaded>
      {isCreating && <CreateKey environment={environment} onClose={() => setIsCreating(false)} />}
      {revoking && <RevokeKey environment={environment} sdkKey={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  )
}

const columnsOf = (revoke: ((sdkKey: SdkKey) => void) | undefined): Column<SdkKey>[] => [
  {
    title: 'Key',
    cell: ({ key, newest }) => (
      <Group gap="xs" wrap="nowrap" display="inline-flex">
        <div>
          <Code>{hintOf(key)}</Code>
          {newest && (
            <Text size="xs" c="dimmed">
              Newest
            </Text>
          )}
        </div>
        <CopyButton text={key} label="Copy" what={`the SDK key ${hintOf(key)}`} size="xs" />
      </Group>
    ),
  },
  {
    title: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <Time time={createdAt} />
        {createdBy && (
          <Text size="xs" c="dimmed">
            by {createdBy.name}
          </Text>
        )}
      </div>
    ),
  },
  {
    title: 'Last used',
    cell: ({ lastUsedAt, uses }) => (
      <div>
        <Time time={lastUsedAt} />
        {uses.length > 0 && (
          <Text size="xs" c="dimmed">
            {usesInWords(uses)}
          </Text>
        )}
      </div>
    ),
  },
  {
    title: 'Clients of the last day',
    cell: ({ clients }) => (clients.length === 0 ? 'None' : <Clients clients={clients} />),
  },
  ...(revoke ? [revocation(revoke)] : []),
]

const revocation = (revoke: (sdkKey: SdkKey) => void): Column<SdkKey> => ({
  title: 'Actions',
  isActions: true,
  cell: (sdkKey) => (
    <Button
      size="xs"
      variant="default"
      onClick={() => revoke(sdkKey)}
      aria-label={`Revoke the SDK key ${hintOf(sdkKey.key)}…`}
    >
      Revoke…
    </Button>
  ),
})

const mostListed = 5

function Clients({ clients }: Pick<SdkKey, 'clients'>) {
  const more = clients.length - mostListed
  return (
    <List size="sm" listStyleType="none">
      {clients.slice(0, mostListed).map(({ type, version, instances, lastSeenAt }) => (
        <List.Item key={`${type} ${version}`}>
          {counted(instances, 'client')} of {type}, SDK {version}, <Time time={lastSeenAt} />
        </List.Item>
      ))}
      {more > 0 && <List.Item>{counted(more, 'other SDK')}</List.Item>}
    </List>
  )
}

interface KeyDialogProps {
  environment: Environment
  onClose: () => void
}

function CreateKey({ environment: { id, name }, onClose }: KeyDialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const ifUnchanged = useIfUnchanged(id)
  const act = async () => {
    await api.POST(path, { params: { path: { projectId: project.id, envId: id }, header: await ifUnchanged() } })
    await done(`Second SDK key of ${name} created.`, ...showing)
  }
  return (
    <ConfirmDialog title={`Create a second SDK key for ${name}?`} verb="Create key" act={act} onClose={onClose}>
      Both keys work until you revoke one. From now on, the dashboard and the examples of the guides show the new key.
    </ConfirmDialog>
  )
}

function RevokeKey({ environment: { id, name }, sdkKey, onClose }: KeyDialogProps & { sdkKey: SdkKey }) {
  const { project } = usePlace()
  const done = useDone()
  const hint = hintOf(sdkKey.key)
  const ifUnchanged = useIfUnchanged(id)
  const act = async () => {
    await api.DELETE(`${path}/{sdkKeyId}`, {
      params: {
        path: { projectId: project.id, envId: id, sdkKeyId: sdkKey.id },
        header: await ifUnchanged(),
      },
    })
    await done(`SDK key ${hint} of ${name} revoked.`, ...showing)
  }
  return (
    <ConfirmDialog title={`Revoke the SDK key ${hint}?`} verb="Revoke key" isDangerous act={act} onClose={onClose}>
      <Stack gap="xs">
        <div>
          Programs and pages that use it keep what they have, get no more changes, and their events are not counted.
          This cannot be undone.
        </div>
        <StillUsed sdkKey={sdkKey} />
      </Stack>
    </ConfirmDialog>
  )
}

/** Who uses a key, before it is revoked. */
function StillUsed({ sdkKey: { clients, lastUsedAt, uses } }: { sdkKey: SdkKey }) {
  if (lastUsedAt === null) return <div>It was never used.</div>
  const last = (
    <div>
      It was last used <Time time={lastUsedAt} /> ({usesInWords(uses)}).
    </div>
  )
  if (clients.length === 0)
    return (
      <>
        <div>No client reported in the last day that it uses this key.</div>
        {last}
      </>
    )
  return (
    <>
      <Text size="sm" fw={600}>
        These clients used it in the last day:
      </Text>
      <Clients clients={clients} />
      {last}
    </>
  )
}
