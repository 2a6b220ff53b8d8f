import type { Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { newRow, nounActions, recordedAs } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { inProject, keyFor } from '../../flags/projects/index.ts'
import { slotsOf } from '../../model/exclusion-groups/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import { defaultSalt } from '../../model/versions/index.ts'
import { maxGroupsPerProject, refusesDeletion, refusesResizing } from './group.ts'
import { type ExclusionGroup, groupQueries, insertGroup, saveGroup } from './queries.ts'

export const groups = nounActions<ExclusionGroup, { name: string; slotSize: number }>({
  noun: 'exclusion_group',
  place: 'project',
  most: maxGroupsPerProject,
  nameConstraint: 'exclusion_groups_name_key',
  content: ({ name, slotSize }) => ({ name, slotSize }),
  record: recordedAs('exclusion_group', ({ id, shortId, key, name }) => ({
    exclusionGroup: { id, shortId, key, name },
  })),
})

export function createGroup(
  db: Db,
  by: Author,
  project: { orgId: string; id: string },
  { key, ...wanted }: { name: string; key?: string | undefined; slotSize: number },
): Promise<ExclusionGroup | Refusal> {
  const work = inProject(db, by, project, async (on) => {
    const { tx } = on
    const projectId = project.id
    const taken = await groupQueries.keys(tx, projectId)
    const refusal =
      groups.refusesMoreThan(taken.size) ?? (key !== undefined && taken.has(key) ? groups.keyTaken : undefined)
    if (refusal) return refusal
    const begun = newRow(by, projectId)
    const row = {
      ...wanted,
      ...begun,
      shortId: await takeShortIds(tx, projectId, 'EXCLUSION_GROUP'),
      key: key ?? keyFor(wanted.name, 'group', taken),
      salt: defaultSalt(begun.id),
    }
    return groups.create(on, row, () => insertGroup(tx, row))
  })
  return groups.orTaken(work)
}

export function updateGroup(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, groupId }: { orgId: string; groupId: string },
  edit: { name?: string | undefined; slotSize?: number | undefined },
): Promise<ExclusionGroup | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const group = await groupQueries.lock(tx, groupId)
    return groups.edit({ tx, by, orgId }, group, {
      ifMatch,
      edit,
      refuses: async ({ slotSize }) =>
        slotSize === group!.slotSize
          ? undefined
          : refusesResizing(await slotsOf(tx, { projectId: group!.projectId, groupIds: [groupId] })),
      save: (edited) => saveGroup(tx, edited),
    })
  })
  return groups.orTaken(work)
}

export function deleteGroup(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, groupId }: { orgId: string; projectId: string; groupId: string },
): Promise<ExclusionGroup | Refusal> {
  return inProject(db, by, { orgId, id: projectId }, async (on) => {
    const { tx } = on
    return groups.remove(on, await groupQueries.lockLeaving(tx, groupId), {
      ifMatch,
      refuses: async () => refusesDeletion(await slotsOf(tx, { projectId, groupIds: [groupId] })),
      remove: () => groupQueries.remove(tx, groupId),
    })
  })
}
