import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findProject } from '../../flags/projects/index.ts'
import { slotsOf } from '../../model/exclusion-groups/index.ts'
import { createGroup, deleteGroup, groups, updateGroup } from './actions.ts'
import { type ExclusionGroup, groupQueries } from './queries.ts'
import { createGroupBody, groupSchema, updateGroupBody } from './schema.ts'

export function exclusionGroupRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  nounRoutes(route, {
    name: 'ExclusionGroup',
    one: 'an exclusion group',
    id: 'groupId',
    many: 'exclusion-groups',
    scopes: { read: 'experiments:read', write: 'experiments:write' },
    data: groupSchema,
    cursors,
    db,
    findProject,
    queries: groupQueries,
    present,
    etag: groups.etag,
    create: {
      text: 'A visitor is in at most one rule of a group. A/B tests join by `exclusionGroupId`, and each gets a slot of the visitors.',
      body: createGroupBody,
      act: ({ found: project, by, body }) => createGroup(db, by, project, body),
    },
    update: {
      text: 'The slot size is fixed while rules have slots: otherwise 409 `invalid_state` with `references`.',
      body: updateGroupBody,
      act: ({ caller, found, by, body, ifMatch }) =>
        updateGroup(db, by, ifMatch, { orgId: caller.organization.id, groupId: found.id }, body),
    },
    texts: { delete: 'Refused while a drafted or live rule belongs to it.' },
    remove: ({ caller, found: { id, projectId }, by, ifMatch }) =>
      deleteGroup(db, by, ifMatch, { orgId: caller.organization.id, projectId, groupId: id }),
  })

  async function present(rows: ExclusionGroup[]) {
    const groupIds = rows.map(({ id }) => id)
    const slots = rows[0] ? await slotsOf(db, { projectId: rows[0].projectId, groupIds }) : []
    return rows.map(({ version: _version, salt: _salt, createdAt, updatedAt, ...group }) => ({
      ...group,
      slots: slots
        .filter(({ groupId }) => groupId === group.id)
        .map(({ ruleId, flagId, envId, from, to }) => ({ ruleId, flagId, envId, from, to })),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
