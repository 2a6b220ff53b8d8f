import { projectNoun } from '../../flags/projects/index.ts'
import { slotsOf } from '../../model/exclusion-groups/index.ts'
import { defaultSalt } from '../../model/versions/index.ts'
import { maxGroupsPerProject, refusesDeletion, refusesResizing } from './group.ts'
import { type ExclusionGroup, groupQueries, insertGroup, saveGroup } from './queries.ts'

interface GroupContent {
  name: string
  slotSize: number
}

type NewGroup = GroupContent & { key?: string | undefined }

export const groups = projectNoun<'exclusion_group', ExclusionGroup, GroupContent, NewGroup>({
  noun: 'exclusion_group',
  most: maxGroupsPerProject,
  word: 'group',
  queries: groupQueries,
  content: ({ name, slotSize }) => ({ name, slotSize }),
  begin: (id) => ({ salt: defaultSalt(id) }),
  insert: insertGroup,
  save: saveGroup,
  refuses: {
    edit: async (tx, { id, projectId, slotSize }, after) =>
      after.slotSize === slotSize ? undefined : refusesResizing(await slotsOf(tx, { projectId, groupIds: [id] })),
    delete: async (tx, { id, projectId }) => refusesDeletion(await slotsOf(tx, { projectId, groupIds: [id] })),
  },
})
