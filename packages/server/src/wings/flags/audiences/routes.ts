import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { findProject } from '../projects/index.ts'
import { audiences, createAudience, deleteAudience, updateAudience } from './actions.ts'
import { maxShownUses } from './audience.ts'
import { type Audience, audienceQueries } from './queries.ts'
import { audienceSchema, createAudienceBody, updateAudienceBody } from './schema.ts'

export function audienceRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  nounRoutes(route, {
    name: 'Audience',
    one: 'an audience',
    many: 'audiences',
    scopes: { read: 'audiences:read', write: 'audiences:write' },
    data: audienceSchema,
    cursors,
    db,
    findProject,
    queries: audienceQueries,
    present,
    etag: audiences.etag,
    create: {
      text: 'Rules refer to it by `audienceIds` or by a condition `{ "audience": id }`.',
      body: createAudienceBody,
      act: ({ found: project, by, body }) => createAudience(db, by, project, body),
    },
    update: {
      text: 'New conditions go live with the next publish of each environment that uses the audience.',
      body: updateAudienceBody,
      stages: true,
      act: ({ caller, found, by, body, ifMatch }) =>
        updateAudience(db, by, ifMatch, { orgId: caller.organization.id, audienceId: found.id }, body),
    },
    texts: { delete: 'Refused while a drafted or live rule refers to it.' },
    remove: ({ caller, found: { id, projectId }, by, ifMatch }) =>
      deleteAudience(db, by, ifMatch, { orgId: caller.organization.id, projectId, audienceId: id }),
  })

  async function present(rows: Audience[]) {
    const ids = rows.map(({ id }) => id)
    const uses = rows[0] ? await rulesNaming(db, rows[0].projectId, ids, maxShownUses) : []
    return rows.map(({ version: _version, createdAt, updatedAt, ...audience }) => ({
      ...audience,
      usedBy: uses
        .filter(({ named }) => named === audience.id)
        .map(({ type, id, flagId, envId }) => ({ type, id, flagId, envId })),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
