import { Anchor, Button, Code, Group, Radio, Stack, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { LastUse, StillUsed } from '../../../ui/time/last-use.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { onlyIf, useDone, useLatest, type Versioned } from '../../../versioned.ts'
import { environmentPath, useIfUnchanged, useReadEnvironment } from './environment-version.ts'
import { lossOf, type Requirement, requirements } from './ingest-requirement.ts'

const path = `${environmentPath}/ingest-keys` as const
/** What shows the keys, or what needs one. */
const showing = ['/api/v1/projects/{projectId}/environments', environmentPath, path]
const readMs = 10_000
const mostKeys = 2

type IngestKey = Data<typeof path, 'get'>[number]

interface IngestKeysProps {
  environment: Environment
  mayEdit: boolean
}

/** The secret keys with which servers send events, and which events count only with one. */
export function IngestKeys({ environment, mayEdit }: IngestKeysProps) {
  const { project } = usePlace()
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<IngestKey | null>(null)
  const query = server.useQuery(
    'get',
    path,
    { params: { path: { projectId: project.id, envId: environment.id } } },
    { refetchInterval: readMs },
  )
  const count = query.data?.data.length
  return (
    <Section
      title="Ingest keys"
      description={<WhatFor />}
      actions={
        mayEdit &&
        count !== undefined &&
        count < mostKeys && (
          <Button variant="default" onClick={() => setIsCreating(true)}>
            {count === 0 ? 'Create an ingest key…' : 'Create a second ingest key…'}
          </Button>
        )
      }
    >
      <Loaded query={query} like="table">
        {({ data }) => (
          <Stack gap="md">
            {data.length === 0 ? (
              <Text size="sm" c="dimmed">
                {environment.name} has no ingest key. Events count without one.
              </Text>
            ) : (
              <>
                <DataTable
                  caption={`Ingest keys of ${environment.name}`}
                  rows={data}
                  keyOf={({ id }) => id}
                  columns={columnsOf(mayEdit ? setRevoking : undefined)}
                />
                <RequiredFor environment={environment} mayEdit={mayEdit} />
              </>
            )}
          </Stack>
        )}
      </Loaded>
      {isCreating && (
        <CreateKey
          environment={environment}
          count={count ?? 0}
          done={setCreated}
          onClose={() => setIsCreating(false)}
        />
      )}
      {created !== null && <CreatedKey secret={created} onClose={() => setCreated(null)} />}
      {revoking && (
        <RevokeKey
          environment={environment}
          ingestKey={revoking}
          isOnly={count === 1}
          onClose={() => setRevoking(null)}
        />
      )}
    </Section>
  )
}

const WhatFor = () => (
  <>
    SDK keys are public, so anybody can send events with one. An ingest key is secret: your servers send it, and you can
    let events count only with it. More in the{' '}
    <Anchor href="/docs/ingest-keys" inherit underline="always">
      guide to ingest keys
    </Anchor>
    .
  </>
)

const hintOf = ({ lastCharacters }: IngestKey): string => `svc_ing_…${lastCharacters}`

const columnsOf = (revoke: ((key: IngestKey) => void) | undefined): Column<IngestKey>[] => [
  { title: 'Key', cell: (key) => <Code>{hintOf(key)}</Code> },
  {
    title: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <Time time={createdAt} />
        <Text size="xs" c="dimmed">
          by {createdBy.name}
        </Text>
      </div>
    ),
  },
  { title: 'Last used', cell: (key) => <LastUse {...key} /> },
  ...(revoke ? [revocation(revoke)] : []),
]

const revocation = (revoke: (key: IngestKey) => void): Column<IngestKey> => ({
  title: 'Actions',
  isActions: true,
  cell: (key) => (
    <Button
      size="xs"
      variant="default"
      onClick={() => revoke(key)}
      aria-label={`Revoke the ingest key ${hintOf(key)}…`}
    >
      Revoke…
    </Button>
  ),
})

/** Which events need a key, and when one was last rejected. */
function RequiredFor({ environment, mayEdit }: IngestKeysProps) {
  const [isChanging, setIsChanging] = useState(false)
  const { ingestKeyRequiredFor, ingestKeyMissedAt } = environment
  const { label, effect } = requirements[ingestKeyRequiredFor]
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div>
        <Text size="sm" fw={600}>
          Required for: {label}
        </Text>
        <Text size="sm" c="dimmed">
          {effect}
        </Text>
        {ingestKeyMissedAt && (
          <Text size="sm" c="dimmed">
            An event without a key was last rejected <Time time={ingestKeyMissedAt} />.
          </Text>
        )}
      </div>
      {mayEdit && (
        <Button variant="default" onClick={() => setIsChanging(true)}>
          Change what requires a key…
        </Button>
      )}
      {isChanging && <ChangeRequirement environment={environment} onClose={() => setIsChanging(false)} />}
    </Group>
  )
}

interface DialogProps {
  environment: Environment
  onClose: () => void
}

/** Reads the version that is edited when it opens, so that a save cannot overwrite a change that was made meanwhile. */
function ChangeRequirement({ environment: { id, name }, onClose }: DialogProps) {
  const read = useReadEnvironment(id)
  const query = useLatest(environmentPath, id, read)
  return (
    <Dialog onClose={onClose} title={`What requires an ingest key in ${name}?`}>
      <Loaded query={query}>{(version) => <RequirementForm version={version} read={read} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

const valuesOf = ({ content: { ingestKeyRequiredFor }, etag }: Versioned<Environment>) => ({
  content: { ingestKeyRequiredFor },
  etag,
})

interface RequirementFormProps {
  version: Versioned<Environment>
  read: () => Promise<Versioned<Environment>>
  onClose: () => void
}

function RequirementForm({ version, read, onClose }: RequirementFormProps) {
  const { id, name, ingestKeyRequiredFor: before } = version.content
  const { project } = usePlace()
  const done = useDone()
  const { form, dialog } = useEditForm({
    object: `ingest-requirement:${id}`,
    base: valuesOf(version),
    read: async () => valuesOf(await read()),
    write: (body, etag) =>
      api.PATCH(environmentPath, {
        params: { path: { projectId: project.id, envId: id }, header: onlyIf(etag) },
        body,
      }),
    done: async () => {
      await done(`What requires an ingest key in ${name} is saved.`, ...showing)
      onClose()
    },
    labels: { ingestKeyRequiredFor: 'What requires an ingest key' },
    shown: (_field, value) => requirements[value as Requirement].label,
  })
  const { ingestKeyRequiredFor: after } = form.values
  const loss = lossOf(before, after)
  return (
    <>
      <ApiForm form={form} verb="Save" isDangerous={loss !== undefined}>
        <Radio.Group
          label="Events that count only with a key"
          value={after}
          onChange={(value) => form.set('ingestKeyRequiredFor', value as Requirement)}
        >
          <Stack gap="sm" mt="xs">
            {Object.entries(requirements).map(([value, { label, effect }]) => (
              <Radio key={value} value={value} label={label} description={effect} />
            ))}
          </Stack>
        </Radio.Group>
        {loss !== undefined && (
          <Notice tone="warning" says="politely">
            {loss} Events that are stored already stay in results.
          </Notice>
        )}
      </ApiForm>
      {dialog}
    </>
  )
}

function CreateKey({
  environment: { id, name },
  count,
  done: show,
  onClose,
}: DialogProps & { count: number; done: (secret: string) => void }) {
  const { project } = usePlace()
  const done = useDone()
  const ifUnchanged = useIfUnchanged(id)
  const act = async () => {
    const params = { path: { projectId: project.id, envId: id }, header: await ifUnchanged() }
    const { data } = await api.POST(path, { params })
    await done(`Ingest key of ${name} created.`, ...showing)
    show(data!.data.secret!)
  }
  return (
    <ConfirmDialog title={`Create an ingest key for ${name}?`} verb="Create key" act={act} onClose={onClose}>
      {count === 0
        ? 'Events count without it until you require it. Give it to all servers that send events before you do.'
        : 'Both keys work until you revoke one.'}
    </ConfirmDialog>
  )
}

function CreatedKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog title="The new ingest key" label="Ingest key" secret={secret} onClose={onClose}>
      <Text size="sm">
        Give it to your servers, as the option <Code>ingestKey</Code> or <Code>ingest_key</Code> of the SDK. It must
        never be in a page, an app or a repository.
      </Text>
    </SecretDialog>
  )
}

function RevokeKey({
  environment: { id, name, ingestKeyRequiredFor },
  ingestKey,
  isOnly,
  onClose,
}: DialogProps & { ingestKey: IngestKey; isOnly: boolean }) {
  const { project } = usePlace()
  const done = useDone()
  const hint = hintOf(ingestKey)
  const ifUnchanged = useIfUnchanged(id)
  const act = async () => {
    await api.DELETE(`${path}/{ingestKeyId}`, {
      params: {
        path: { projectId: project.id, envId: id, ingestKeyId: ingestKey.id },
        header: await ifUnchanged(),
      },
    })
    await done(`Ingest key ${hint} of ${name} revoked.`, ...showing)
  }
  const refused =
    isOnly && ingestKeyRequiredFor !== 'NONE'
      ? `It is the only key of ${name}, and events need one. Create a second key and move your servers to it, or change what requires a key.`
      : undefined
  return (
    <ConfirmDialog
      title={`Revoke the ingest key ${hint}?`}
      verb="Revoke key"
      isDangerous
      refused={refused}
      act={act}
      onClose={onClose}
    >
      Servers that still have it cannot send events any more. This cannot be undone.{' '}
      <StillUsed use={ingestKey} never="It was never used." />
    </ConfirmDialog>
  )
}
