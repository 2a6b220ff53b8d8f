import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { projectNounRoutes } from '../../flags/projects/index.ts'
import { slotsOf } from '../../model/exclusion-groups/index.ts'
import { groups } from './actions.ts'
import type { ExclusionGroup } from './queries.ts'
import { createGroupBody, groupSchema, updateGroupBody } from './schema.ts'

export function exclusionGroupRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  projectNounRoutes(route, { db, cursors }, groups, {
    writtenBy: 'experiments:write',
    data: groupSchema,
    present,
    create: {
      text: 'A visitor is in at most one rule of a group. A/B tests join a group by `exclusionGroupId`, and each gets a slot of the visitors.',
      body: createGroupBody,
    },
    update: {
      text: 'The slot size is fixed while rules have slots: changing it answers 409 `invalid_state` with `references`.',
      body: updateGroupBody,
    },
    texts: { delete: 'A group can be deleted once no drafted or live rule belongs to it.' },
  })

  async function present(rows: ExclusionGroup[]) {
    const groupIds = rows.map(({ id }) => id)
    const slots = rows[0] ? await slotsOf(db, { projectId: rows[0].projectId, groupIds }) : []
    return rows.map(({ version: _version, salt: _salt, createdAt, updatedAt, ...group }) => ({
      ...group,
      slots: slots
        .filter(({ groupId }) => groupId === group.id)
        .map(({ ruleId, flagId, experimentId, envId, from, to }) => ({
          ...{ ruleId, flagId: experimentId === null ? flagId : null, experimentId, envId, from, to },
        })),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
