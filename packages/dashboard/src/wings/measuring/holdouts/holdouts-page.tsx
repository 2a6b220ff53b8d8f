import { Button, Group } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { ListWithPanel } from '../../../shell/list-with-panel.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { percent, percentOf } from '../../../ui/words/percent.ts'
import { onlyIf, refresh, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { usesInWords } from '../../flags/audiences/audience.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { type Holdout, holdoutsPath, useHoldouts } from '../../flags/references/kept-apart.ts'
import { named } from '../../flags/references/named.ts'
import { useArchiving } from '../archiving.ts'
import { type NameAndShare, ShareForm } from '../kept-apart/share-form.tsx'
import { KeptApartTabs } from '../kept-apart/tabs.tsx'

const onePath = '/api/v1/projects/{projectId}/holdouts/{holdoutId}'

/** Every holdout with its share and the rules that use it. */
export function HoldoutsPage() {
  const { project } = usePlace()
  const query = useHoldouts()
  const mayEdit = useMay('experiments:write')
  const client = useQueryClient()
  const [deleted, setDeleted] = useState<Holdout>()
  const archive = useArchiving<Holdout>(async ({ id }, archived) => {
    await api.PATCH(onePath, { params: { path: { projectId: project.id, holdoutId: id } }, body: { archived } })
    await refresh(client, holdoutsPath)
  })
  const actions = (open: (panel: string) => void): Column<Holdout> => ({
    title: 'Actions',
    isActions: true,
    cell: (holdout) => (
      <Actions
        holdout={holdout}
        isBusy={archive.isPending && archive.variables.id === holdout.id}
        onEdit={() => open(String(holdout.shortId))}
        onArchive={() => archive.mutate(holdout)}
        onDelete={() => setDeleted(holdout)}
      />
    ),
  })
  return (
    <>
      <ListWithPanel
        noun="holdout"
        description="A small share of visitors who stay out of every test that uses the holdout."
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
        path={onePath}
        read={readHoldout}
        form={(holdout, close) => <HoldoutForm holdout={holdout} onClose={close} />}
      >
        {(rows, open) => (
          <DataTable
            caption="Holdouts"
            rows={rows}
            keyOf={({ id }) => id}
            columns={mayEdit ? [...columns, actions(open)] : columns}
          />
        )}
      </ListWithPanel>
      {deleted && <DeleteHoldout holdout={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  )
}

function DeleteHoldout({ holdout: { id, name, usedBy }, onClose }: { holdout: Holdout; onClose: () => void }) {
  const { project } = usePlace()
  const done = useDone()
  const remove = async () => {
    await api.DELETE(onePath, { params: { path: { projectId: project.id, holdoutId: id } } })
    await done(`${name} deleted.`, holdoutsPath)
  }
  return (
    <DeleteDialog noun="holdout" name={name} usedBy={usedBy} remove={remove} onClose={onClose}>
      The holdout is gone for good. It can be deleted only if no test uses it and no published revision did. Otherwise
      archive it.
    </DeleteDialog>
  )
}

const columns: Column<Holdout>[] = [
  {
    title: 'Holdout',
    cell: ({ name, archived }) => (
      <Group gap="xs">
        {name}
        {archived && <StatusBadge tone="note">Archived</StatusBadge>}
      </Group>
    ),
  },
  { title: 'Kept out', cell: ({ share }) => `${percentOf(share)} of visitors` },
  { title: 'Used by', cell: ({ usedBy }) => usesInWords(usedBy) },
]

interface ActionsProps {
  holdout: Holdout
  isBusy: boolean
  onEdit: () => void
  onArchive: () => void
  onDelete: () => void
}

function Actions({ holdout: { name, archived }, isBusy, onEdit, onArchive, onDelete }: ActionsProps) {
  const verb = archived ? 'Bring back' : 'Archive'
  return (
    <Group gap="xs" justify="flex-end">
      <Button variant="default" size="xs" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button variant="default" size="xs" aria-label={`${verb} ${name}`} loading={isBusy} onClick={onArchive}>
        {verb}
      </Button>
      <Button variant="default" size="xs" aria-label={`Delete ${name}…`} onClick={onDelete}>
        Delete…
      </Button>
    </Group>
  )
}

const valuesOf = ({ content: { name, share }, etag }: Versioned<Holdout>): Versioned<NameAndShare> => ({
  content: { name, share },
  etag,
})
const readHoldout = async (projectId: string, holdoutId: string): Promise<Versioned<Holdout>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, holdoutId } } }))

function HoldoutForm({ holdout, onClose }: { holdout: Versioned<Holdout> | undefined; onClose: () => void }) {
  const { project } = usePlace()
  const path = { projectId: project.id, holdoutId: holdout?.content.id ?? '' }
  return (
    <ShareForm
      noun="holdout"
      id={holdout?.content.id}
      base={holdout ? valuesOf(holdout) : { content: { name: '', share: 500 }, etag: '' }}
      share={{
        label: 'Visitors who stay out',
        description: `At most ${percent(20)}. It is fixed once a test has used the holdout.`,
        inWords: 'The share of visitors',
        field: 'share',
        rule: (share) => (share >= 1 && share <= 2000 ? undefined : `Choose up to ${percent(20)}.`),
      }}
      paths={[holdoutsPath]}
      read={async () => valuesOf(await readHoldout(path.projectId, path.holdoutId))}
      update={(body, etag) => api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body })}
      create={(body) => api.POST(holdoutsPath, { params: { path, header: onlyOnce() }, body })}
      onClose={onClose}
    />
  )
}
