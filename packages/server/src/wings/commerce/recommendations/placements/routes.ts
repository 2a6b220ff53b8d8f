import type { z } from 'zod'
import type { Cursors } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { projectNounRoutes } from '../../../flags/projects/index.ts'
import { type NamedModels, placementActions } from './actions.ts'
import type { Placement } from './queries.ts'
import { createPlacementBody, placementSchema, updatePlacementBody } from './schema.ts'

interface PlacementContext {
  db: Db
  cursors: Cursors
  models: NamedModels
}

export function placementRoutes(
  route: Route,
  { db, cursors, models }: PlacementContext,
): { one: OneOf<Placement>; url: string } {
  return projectNounRoutes(route, { db, cursors }, placementActions(models), {
    writtenBy: 'recommendations:write',
    data: placementSchema,
    present,
    create: {
      text: 'A placement is a place in your shop that shows recommendations. Each variant says how the list is made; only `name` and `variants` are required. A strategy that no model has yet gets one.',
      body: createPlacementBody,
    },
    update: { text: '`variants` are replaced as a whole.', body: updatePlacementBody },
  })
}

const present = (rows: Placement[]) =>
  rows.map(({ version: _version, createdAt, updatedAt, variants, ...placement }) => ({
    ...placement,
    variants: variants as z.input<typeof placementSchema>['variants'],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
