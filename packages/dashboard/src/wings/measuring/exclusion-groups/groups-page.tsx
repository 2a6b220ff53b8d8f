import { Button, Text } from '@mantine/core'
import { IconArrowsSplit } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { ListWithPanel } from '../../../shell/list-with-panel.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { percent, percentOf } from '../../../ui/words/percent.ts'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { type Group, groupsPath, useGroups } from '../../flags/references/kept-apart.ts'
import { named } from '../../flags/references/named.ts'
import { useNames } from '../../flags/references/names.ts'
import { ReferenceLink } from '../../flags/references/reference-link.tsx'
import { type NameAndShare, ShareForm } from '../kept-apart/share-form.tsx'
import { KeptApartTabs } from '../kept-apart/tabs.tsx'
import { placesOf } from './bar.ts'
import classes from './groups.module.css'

const onePath = '/api/v1/projects/{projectId}/exclusion-groups/{groupId}'

/** Every exclusion group with its slots in each environment. */
export function GroupsPage() {
  const query = useGroups()
  const mayEdit = useMay('experiments:write')
  return (
    <ListWithPanel
      noun="exclusion group"
      description="A visitor is in at most one test of a group, so its tests do not affect each other."
      Icon={IconArrowsSplit}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at exclusion groups. Editors and admins can change them."
      empty="Create one for tests of the same page. Each test that joins gets a slot of the visitors."
      filter={{ in: 'name', matching: named }}
      like="cards"
      above={<KeptApartTabs />}
      path={onePath}
      read={readGroup}
      form={(group, close) => <GroupForm group={group} onClose={close} />}
    >
      {(groups, open) =>
        groups.map((group) => (
          <GroupSection key={group.id} group={group} mayEdit={mayEdit} onEdit={() => open(String(group.shortId))} />
        ))
      }
    </ListWithPanel>
  )
}

function GroupSection({ group, mayEdit, onEdit }: { group: Group; mayEdit: boolean; onEdit: () => void }) {
  const { project, environments } = usePlace()
  const { test } = useSubject()
  const [isDeleting, setIsDeleting] = useState(false)
  const done = useDone()
  const used = environments.filter(({ id }) => group.slots.some(({ envId }) => envId === id))
  const remove = async () => {
    await api.DELETE(onePath, { params: { path: { projectId: project.id, groupId: group.id } } })
    await done(`${group.name} deleted.`, groupsPath)
  }
  return (
    <Section
      title={group.name}
      description={`Each test gets ${percentOf(group.slotSize)} of the visitors: room for ${counted(Math.floor(10_000 / group.slotSize), 'test')} in each environment.`}
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
          No test has a slot. Choose the group in {test}.
        </Text>
      )}
      {used.map((environment) => (
        <Slots key={environment.id} group={group} environment={environment} />
      ))}
      {isDeleting && (
        <DeleteDialog
          noun="exclusion group"
          name={group.name}
          usedBy={group.slots.map(({ ruleId }) => ({ type: 'rule', id: ruleId }))}
          remove={remove}
          onClose={() => setIsDeleting(false)}
        >
          The group is gone for good. It can be deleted only while no test has a slot, drafted or live.
        </DeleteDialog>
      )}
    </Section>
  )
}

/** The tests of the group in an environment, and the room for more. */
function Slots({ group, environment: { id: envId, name } }: { group: Group; environment: Environment }) {
  const names = useNames(group.slots.map(({ ruleId }) => ruleId))
  return (
    <div>
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
  )
}

/** "3 taken, 97 free" */
function inWords(places: readonly unknown[]): string {
  const taken = places.filter(Boolean).length
  return `${taken} taken, ${places.length - taken} free`
}

const valuesOf = ({ content: { name, slotSize }, etag }: Versioned<Group>): Versioned<NameAndShare> => ({
  content: { name, share: slotSize },
  etag,
})
const readGroup = async (projectId: string, groupId: string): Promise<Versioned<Group>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, groupId } } }))

function GroupForm({ group, onClose }: { group: Versioned<Group> | undefined; onClose: () => void }) {
  const { project } = usePlace()
  const path = { projectId: project.id, groupId: group?.content.id ?? '' }
  return (
    <ShareForm
      noun="exclusion group"
      id={group?.content.id}
      base={group ? valuesOf(group) : { content: { name: '', share: 2500 }, etag: '' }}
      share={{
        label: 'Slot of each test',
        description: `With ${percent(25)}, four tests fit. It is fixed while tests have slots.`,
        inWords: 'The slot of each test',
        field: 'slotSize',
      }}
      paths={[groupsPath]}
      read={async () => valuesOf(await readGroup(path.projectId, path.groupId))}
      update={({ name, share }, etag) =>
        api.PATCH(onePath, {
          params: { path, header: onlyIf(etag) },
          body: { name, ...(share !== undefined && { slotSize: share }) },
        })
      }
      create={({ name, share }) =>
        api.POST(groupsPath, { params: { path, header: onlyOnce() }, body: { name, slotSize: share } })
      }
      onClose={onClose}
    />
  )
}
