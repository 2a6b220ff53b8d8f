import type { z } from 'zod'
import type { Caller } from '../../../../http/credentials.ts'
import type { Cursors } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { projectNounRoutes } from '../../../flags/projects/index.ts'
import { type NamedModels, placementActions } from './actions.ts'
import type { Placement } from './queries.ts'
import { createPlacementBody, placementSchema, updatePlacementBody } from './schema.ts'

type Shown = z.input<typeof placementSchema>

interface PlacementContext {
  db: Db
  cursors: Cursors
  models: NamedModels
  /** What a placement brings, for who can read it. */
  measurementOf: (caller: Caller, placement: Placement) => Promise<Shown['measurement']>
}

/** What other routes of placements build on. */
export interface PlacementRoutes {
  one: OneOf<Placement>
  url: string
  data: typeof placementSchema
  present: (rows: Placement[], caller: Caller) => Promise<Shown[]>
}

export function placementRoutes(
  route: Route,
  { db, cursors, models, measurementOf }: PlacementContext,
): PlacementRoutes {
  const present = (rows: Placement[], caller: Caller): Promise<Shown[]> =>
    Promise.all(
      rows.map(async (row) => {
        const { version: _version, experimentId: _experimentId, createdAt, updatedAt, variants, ...placement } = row
        return {
          ...placement,
          variants: variants as Shown['variants'],
          measurement: await measurementOf(caller, row),
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        }
      }),
    )
  const routes = projectNounRoutes(route, { db, cursors }, placementActions(models), {
    writtenBy: 'recommendations:write',
    data: placementSchema,
    present,
    create: {
      text: 'A placement is a place in your shop that shows recommendations. Each variant says how the list is made; only `name` and `variants` are required. A strategy that no model has yet gets one.',
      body: createPlacementBody,
    },
    update: { text: '`variants` are replaced as a whole.', body: updatePlacementBody },
  })
  return { ...routes, data: placementSchema, present }
}
