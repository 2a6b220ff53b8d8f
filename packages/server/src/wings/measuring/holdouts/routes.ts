import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findProject } from '../../flags/projects/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { createHoldout, deleteHoldout, holdouts, updateHoldout } from './actions.ts'
import { maxShownUses } from './holdout.ts'
import { type Holdout, holdoutQueries } from './queries.ts'
import { createHoldoutBody, holdoutSchema, updateHoldoutBody } from './schema.ts'

export function holdoutRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  nounRoutes(route, {
    name: 'Holdout',
    one: 'a holdout',
    many: 'holdouts',
    scopes: { read: 'experiments:read', write: 'experiments:write' },
    data: holdoutSchema,
    cursors,
    db,
    findProject,
    queries: holdoutQueries,
    present,
    etag: holdouts.etag,
    create: {
      text: 'A share of the visitors that stays out of every A/B test with its `holdoutId`.',
      body: createHoldoutBody,
      act: ({ found: project, by, body }) => createHoldout(db, by, project, body),
    },
    update: {
      text: 'The share is fixed once a rule has used the holdout: otherwise 409 `invalid_state` with `references`.',
      body: updateHoldoutBody,
      act: ({ caller, found, by, body, ifMatch }) =>
        updateHoldout(db, by, ifMatch, { orgId: caller.organization.id, holdoutId: found.id }, body),
    },
    texts: { delete: 'Refused if a rule uses it, or a published revision did. Archive it instead.' },
    remove: ({ caller, found: { id, projectId }, by, ifMatch }) =>
      deleteHoldout(db, by, ifMatch, { orgId: caller.organization.id, projectId, holdoutId: id }),
  })

  async function present(rows: Holdout[]) {
    const ids = rows.map(({ id }) => id)
    const uses = rows[0] ? await rulesNaming(db, rows[0].projectId, ids, maxShownUses) : []
    return rows.map(({ version: _version, createdAt, updatedAt, ...holdout }) => ({
      ...holdout,
      usedBy: uses
        .filter(({ named }) => named === holdout.id)
        .map(({ type, id, flagId, envId }) => ({ type, id, flagId, envId })),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
