import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { projectNounRoutes } from '../../flags/projects/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { holdouts } from './actions.ts'
import { maxShownUses } from './holdout.ts'
import type { Holdout } from './queries.ts'
import { createHoldoutBody, holdoutSchema, updateHoldoutBody } from './schema.ts'

export function holdoutRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  projectNounRoutes(route, { db, cursors }, holdouts, {
    writtenBy: 'experiments:write',
    data: holdoutSchema,
    present,
    create: {
      text: 'A holdout is a share of the visitors that stays out of every A/B test with its `holdoutId`.',
      body: createHoldoutBody,
    },
    update: {
      text: 'The share is fixed once a rule has used the holdout: changing it answers 409 `invalid_state` with `references`.',
      body: updateHoldoutBody,
    },
    texts: {
      delete: 'A holdout that a rule uses, or that a published revision used, cannot be deleted. Archive it instead.',
    },
  })

  async function present(rows: Holdout[]) {
    const ids = rows.map(({ id }) => id)
    const uses = rows[0] ? await rulesNaming(db, rows[0].projectId, ids, maxShownUses) : []
    return rows.map(({ version: _version, createdAt, updatedAt, ...holdout }) => ({
      ...holdout,
      usedBy: uses.filter(({ named }) => named === holdout.id).map(({ use }) => use),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }))
  }
}
