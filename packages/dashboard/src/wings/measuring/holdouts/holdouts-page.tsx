import { Button, Group, TextInput } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { Readable, useLastKnown } from '../../../shell/deleted.tsx'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { ListPage } from '../../../shell/list-page.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { PercentField } from '../../../ui/form/percent-field.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { percentText } from '../../../ui/words/percent.ts'
import { onlyIf, refresh, useDone, useLatest, type Versioned, versioned } from '../../../versioned.ts'
import { usesInWords } from '../../flags/audiences/audience.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { type Holdout, holdoutsPath, useHoldouts } from '../../flags/references/kept-apart.ts'
import { named } from '../../flags/references/named.ts'
import { KeptApartTabs } from '../exclusion-groups/tabs.tsx'

const onePath = '/api/v1/projects/{projectId}/holdouts/{holdoutId}'

/** Every holdout with its share and the rules that use it. */
export function HoldoutsPage() {
  const { project } = usePlace()
  const query = useHoldouts()
  const mayEdit = useMay('experiments:write')
  const client = useQueryClient()
  const done = useDone()
  const [deleted, setDeleted] = useState<Holdout>()
  const pathOf = ({ id }: Holdout) => ({ projectId: project.id, holdoutId: id })
  const putAway = async (holdout: Holdout, archived: boolean) => {
    await api.PATCH(onePath, { params: { path: pathOf(holdout) }, body: { archived } })
    await refresh(client, holdoutsPath)
  }
  const archive = useMutation({
    mutationFn: (holdout: Holdout) => putAway(holdout, !holdout.archived),
    onSuccess: (_answer, holdout) =>
      announce(`${holdout.name} ${holdout.archived ? 'brought back' : 'archived'}.`, {
        undo: () => putAway(holdout, holdout.archived),
      }),
  })
  const remove = async (holdout: Holdout) => {
    await api.DELETE(onePath, { params: { path: pathOf(holdout) } })
    await done(`${holdout.name} deleted.`, holdoutsPath)
  }
  const columns = (open: (panel: string) => void): Column<Holdout>[] => [
    {
      title: 'Holdout',
      cell: ({ name, archived }) => (
        <Group gap="xs">
          {name}
          {archived && <StatusBadge tone="note">Archived</StatusBadge>}
        </Group>
      ),
    },
    { title: 'Kept out', cell: ({ share }) => `${percentText(share)} % of visitors` },
    { title: 'Used by', cell: ({ usedBy }) => usesInWords(usedBy) },
    ...(mayEdit
      ? [
          {
            title: 'Actions',
            isActions: true as const,
            cell: (holdout: Holdout) => (
              <Group gap="xs" justify="flex-end">
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Edit ${holdout.name}`}
                  onClick={() => open(String(holdout.shortId))}
                >
                  Edit
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`${holdout.archived ? 'Bring back' : 'Archive'} ${holdout.name}`}
                  loading={archive.isPending && archive.variables.id === holdout.id}
                  onClick={() => archive.mutate(holdout)}
                >
                  {holdout.archived ? 'Bring back' : 'Archive'}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Delete ${holdout.name}…`}
                  onClick={() => setDeleted(holdout)}
                >
                  Delete…
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <ListPage
        noun="holdout"
        description="A small share of visitors who stay out of every A/B test that uses the holdout."
        Icon={IconUserOff}
        query={query}
        mayEdit={mayEdit}
        onlyFor="You can look at holdouts. Editors and admins can change them."
        empty="A holdout shows what all tests together have changed: its visitors get none of them."
        filter={{ in: 'name', matching: named }}
        above={
          <>
            <KeptApartTabs />
            <FailureNotice error={archive.error} title="Not saved" />
          </>
        }
        panel={(name, close) =>
          name === 'create' ? (
            <Dialog onClose={close} title="Create a holdout">
              <HoldoutForm onClose={close} />
            </Dialog>
          ) : (
            <HoldoutDialog
              key={name}
              found={query.data?.find(({ shortId }) => String(shortId) === name)}
              onClose={close}
            />
          )
        }
      >
        {(rows, open) => <DataTable caption="Holdouts" rows={rows} keyOf={({ id }) => id} columns={columns(open)} />}
      </ListPage>
      {deleted && (
        <DeleteDialog
          noun="holdout"
          name={deleted.name}
          usedBy={deleted.usedBy}
          remove={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          The holdout is gone for good. It can be deleted only if no rule uses it and no published revision did.
          Otherwise archive it.
        </DeleteDialog>
      )}
    </>
  )
}

function HoldoutDialog({ found, onClose }: { found: Holdout | undefined; onClose: () => void }) {
  const holdout = useLastKnown(found)
  if (!holdout) return null
  return (
    <Dialog onClose={onClose} title={`Edit ${holdout.name}`}>
      <Readable kind="holdout" id={holdout.id} isDeleted={!found}>
        <EditHoldout id={holdout.id} onClose={onClose} />
      </Readable>
    </Dialog>
  )
}

function EditHoldout({ id, onClose }: { id: string; onClose: () => void }) {
  const { project } = usePlace()
  const query = useLatest(onePath, id, () => readHoldout(project.id, id))
  return (
    <Loaded query={query}>{(holdout) => <HoldoutForm key={holdout.etag} holdout={holdout} onClose={onClose} />}</Loaded>
  )
}

type Values = { name: string; share: number }

const fresh: Versioned<Values> = { content: { name: '', share: 500 }, etag: '' }
const valuesOf = ({ content: { name, share }, etag }: Versioned<Holdout>): Versioned<Values> => ({
  content: { name, share },
  etag,
})
const readHoldout = async (projectId: string, holdoutId: string): Promise<Versioned<Holdout>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, holdoutId } } }))

function HoldoutForm({ holdout, onClose }: { holdout?: Versioned<Holdout>; onClose: () => void }) {
  const { project } = usePlace()
  const done = useDone()
  const holdoutId = holdout?.content.id ?? ''
  const path = { projectId: project.id, holdoutId }
  const changed = useChangedBy('holdout', holdoutId)
  const { form, dialog } = useEditForm<Values, unknown>({
    object: holdout ? `holdout:${holdoutId}` : `new-holdout:${project.id}`,
    base: holdout ? valuesOf(holdout) : fresh,
    rules: {
      name: required('Enter a name.'),
      share: (share: number) => (share >= 1 && share <= 2000 ? undefined : 'Choose up to 20 %.'),
    },
    read: async () => valuesOf(await readHoldout(project.id, holdoutId)),
    write: ({ name, share }, etag) =>
      holdout
        ? api.PATCH(onePath, {
            params: { path, header: onlyIf(etag) },
            body: { name, ...(share !== holdout.content.share && { share }) },
          })
        : api.POST(holdoutsPath, { params: { path, header: onlyOnce() }, body: { name, share } }),
    done: async (_answer, { name }) => {
      await done(`${name} ${holdout ? 'saved' : 'created'}.`, holdoutsPath)
      onClose()
    },
    changed,
    labels: { name: 'The name', share: 'The share of visitors' },
    shown: (field, value) => (field === 'share' ? `${percentText(Number(value))} %` : undefined),
  })
  return (
    <>
      <ApiForm form={form} verb={holdout ? 'Save holdout' : 'Create holdout'}>
        <TextInput {...form.field('name')} label="Name" autoComplete="off" {...first} />
        <PercentField
          name="share"
          label="Visitors who stay out"
          value={form.values.share}
          onChange={(share) => form.set('share', share)}
          error={form.error('share')}
          description="At most 20 %. It is fixed once a test has used the holdout."
        />
      </ApiForm>
      {dialog}
    </>
  )
}
