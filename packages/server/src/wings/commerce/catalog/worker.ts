import type { Sweep } from '../../../platform/retention/index.ts'
import { sweepRevisions, sweepVersions } from '../../model/catalog/index.ts'

const hourMs = 3_600_000
export const keptForMs = 7 * 24 * hourMs
export const keptAtLeast = 10

const every = { everyMs: hourMs, keepForMs: keptForMs }

/** Old revisions, and the versions of items that only they show. */
export const catalogSweeps: readonly Sweep[] = [
  ...(['catalog_items', 'catalog_values'] as const).map((name) => ({
    ...every,
    name,
    sweep: (db: Parameters<Sweep['sweep']>[0], before: Date, limit: number) =>
      sweepVersions(db, name, { before, atLeast: keptAtLeast }, limit),
  })),
  {
    ...every,
    name: 'catalog_revisions',
    sweep: (db, before, limit) => sweepRevisions(db, { before, atLeast: keptAtLeast }, limit),
  },
]
