import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { projectNounRoutes } from '../projects/index.ts'
import { audiences } from './actions.ts'
import { maxShownUses } from './audience.ts'
import type { Audience } from './queries.ts'
import { audienceSchema, createAudienceBody, updateAudienceBody } from './schema.ts'

export function audienceRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  projectNounRoutes(route, { db, cursors }, audiences, {
    writtenBy: 'audiences:write',
    data: audienceSchema,
    present,
    create: {
      text: 'Rules refer to an audience by `audienceIds` or by a condition `{ "audience": id }`.',
      body: createAudienceBody,
    },
    update: {
      text: 'New conditions go live with the next publish of each environment that uses the audience.',
      body: updateAudienceBody,
      stages: true,
    },
    texts: { delete: 'An audience can be deleted once no drafted or live rule refers to it.' },
  })

  async function present(rows: Audience[]) {
    const ids = rows.map(({ id }) => id)
    const uses = rows[0] ? await rulesNaming(db, rows[0].projectId, ids, maxShownUses) : []
    return rows.map(({ version: _version, createdAt, updatedAt, ...audience }) => ({
      ...audience,
      usedBy: uses.filter(({ named }) => named === audience.id).map(({ use }) => use),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
