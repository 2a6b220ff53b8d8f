import { Button, Text, TextInput } from '@mantine/core'
import { IconArrowsSplit } from '@tabler/icons-react'
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
import { Section } from '../../../ui/layout/section.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { percentText } from '../../../ui/words/percent.ts'
import { onlyIf, useDone, useLatest, type Versioned, versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { type Group, groupsPath, useGroups } from '../../flags/references/kept-apart.ts'
import { named } from '../../flags/references/named.ts'
import { useNames } from '../../flags/references/names.ts'
import { ReferenceLink } from '../../flags/references/reference-link.tsx'
import { placesOf } from './bar.ts'
import classes from './groups.module.css'
import { KeptApartTabs } from './tabs.tsx'

const onePath = '/api/v1/projects/{projectId}/exclusion-groups/{groupId}'

/** Every exclusion group with its slots in each environment. */
export function GroupsPage() {
  const query = useGroups()
  const mayEdit = useMay('experiments:write')
  return (
    <ListPage
      noun="exclusion group"
      description="A visitor is in at most one A/B test of a group, so its tests do not disturb each other."
      Icon={IconArrowsSplit}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at exclusion groups. Editors and admins can change them."
      empty="Create one for tests of the same page. Each test that joins gets a slot of the visitors."
      filter={{ in: 'name', matching: named }}
      like="cards"
      above={<KeptApartTabs />}
      panel={(name, close) =>
        name === 'create' ? (
          <Dialog onClose={close} title="Create an exclusion group">
            <GroupForm onClose={close} />
          </Dialog>
        ) : (
          <GroupDialog key={name} found={query.data?.find(({ shortId }) => String(shortId) === name)} onClose={close} />
        )
      }
    >
      {(groups, open) =>
        groups.map((group) => (
          <GroupSection key={group.id} group={group} mayEdit={mayEdit} onEdit={() => open(String(group.shortId))} />
        ))
      }
    </ListPage>
  )
}

function GroupSection({ group, mayEdit, onEdit }: { group: Group; mayEdit: boolean; onEdit: () => void }) {
  const { project, environments } = usePlace()
  const [isDeleting, setIsDeleting] = useState(false)
  const done = useDone()
  const names = useNames(group.slots.map(({ ruleId }) => ruleId))
  const used = environments.filter(({ id }) => group.slots.some(({ envId }) => envId === id))
  const remove = async () => {
    await api.DELETE(onePath, { params: { path: { projectId: project.id, groupId: group.id } } })
    await done(`${group.name} deleted.`, groupsPath)
  }
  return (
    <Section
      title={group.name}
      description={`Each test gets ${percentText(group.slotSize)} % of the visitors: room for ${counted(Math.floor(10_000 / group.slotSize), 'test')} in each environment.`}
      actions={
        mayEdit && (
          <>
            <Button variant="default" size="xs" aria-label={`Edit ${group.name}`} onClick={onEdit}>
              Edit
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={`Delete ${group.name}…`}
              onClick={() => setIsDeleting(true)}
            >
              Delete…
            </Button>
          </>
        )
      }
    >
      {used.length === 0 && (
        <Text size="sm" c="dimmed">
          No test has a slot. Choose the group in an A/B test of a flag.
        </Text>
      )}
      {used.map(({ id: envId, name }) => (
        <div key={envId}>
          <Text size="sm" fw={600} mb={4}>
            {name}
          </Text>
          <ul className={classes.bar} aria-label={`Slots in ${name}: ${inWords(placesOf(group, envId))}`}>
            {placesOf(group, envId).map((slot, at) => (
              // Up to 100 free places are one picture: screen readers hear their number with the name of the list.
              // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number
              <li key={at} className={`${classes.place} ${slot ? classes.taken : ''}`} aria-hidden={!slot || undefined}>
                {slot ? (
                  <ReferenceLink
                    reference={{ type: 'rule', id: slot.ruleId }}
                    named={names.get(slot.ruleId)}
                    withoutEnvironment
                  />
                ) : (
                  'Free'
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {isDeleting && (
        <DeleteDialog
          noun="exclusion group"
          name={group.name}
          usedBy={group.slots.map(({ ruleId }) => ({ type: 'rule', id: ruleId }))}
          remove={remove}
          onClose={() => setIsDeleting(false)}
        >
          The group is gone for good. It can be deleted only while no drafted or live rule has a slot.
        </DeleteDialog>
      )}
    </Section>
  )
}

/** "3 taken, 97 free" */
function inWords(places: readonly unknown[]): string {
  const taken = places.filter(Boolean).length
  return `${taken} taken, ${places.length - taken} free`
}

function GroupDialog({ found, onClose }: { found: Group | undefined; onClose: () => void }) {
  const group = useLastKnown(found)
  if (!group) return null
  return (
    <Dialog onClose={onClose} title={`Edit ${group.name}`}>
      <Readable kind="exclusion_group" id={group.id} isDeleted={!found}>
        <EditGroup id={group.id} onClose={onClose} />
      </Readable>
    </Dialog>
  )
}

function EditGroup({ id, onClose }: { id: string; onClose: () => void }) {
  const { project } = usePlace()
  const query = useLatest(onePath, id, () => readGroup(project.id, id))
  return <Loaded query={query}>{(group) => <GroupForm key={group.etag} group={group} onClose={onClose} />}</Loaded>
}

type Values = { name: string; slotSize: number }

const fresh: Versioned<Values> = { content: { name: '', slotSize: 2500 }, etag: '' }
const valuesOf = ({ content: { name, slotSize }, etag }: Versioned<Group>): Versioned<Values> => ({
  content: { name, slotSize },
  etag,
})
const readGroup = async (projectId: string, groupId: string): Promise<Versioned<Group>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, groupId } } }))

function GroupForm({ group, onClose }: { group?: Versioned<Group>; onClose: () => void }) {
  const { project } = usePlace()
  const done = useDone()
  const groupId = group?.content.id ?? ''
  const path = { projectId: project.id, groupId }
  const changed = useChangedBy('exclusion_group', groupId)
  const { form, dialog } = useEditForm<Values, unknown>({
    object: group ? `exclusion_group:${groupId}` : `new-exclusion_group:${project.id}`,
    base: group ? valuesOf(group) : fresh,
    rules: { name: required('Enter a name.') },
    read: async () => valuesOf(await readGroup(project.id, groupId)),
    write: ({ name, slotSize }, etag) =>
      group
        ? api.PATCH(onePath, {
            params: { path, header: onlyIf(etag) },
            body: { name, ...(slotSize !== group.content.slotSize && { slotSize }) },
          })
        : api.POST(groupsPath, { params: { path, header: onlyOnce() }, body: { name, slotSize } }),
    done: async (_answer, { name }) => {
      await done(`${name} ${group ? 'saved' : 'created'}.`, groupsPath)
      onClose()
    },
    changed,
    labels: { name: 'The name', slotSize: 'The slot of each test' },
    shown: (field, value) => (field === 'slotSize' ? `${percentText(Number(value))} %` : undefined),
  })
  return (
    <>
      <ApiForm form={form} verb={group ? 'Save exclusion group' : 'Create exclusion group'}>
        <TextInput {...form.field('name')} label="Name" autoComplete="off" {...first} />
        <PercentField
          name="slotSize"
          label="Slot of each test"
          value={form.values.slotSize}
          onChange={(slotSize) => form.set('slotSize', slotSize)}
          error={form.error('slotSize')}
          description="With 25 %, four tests fit. It is fixed while tests have slots."
        />
      </ApiForm>
      {dialog}
    </>
  )
}
