import type { z } from 'zod'
import { invalid, isRefusal, notFound, type Refusal } from '../../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { type Author, recordedLast } from '../../../../platform/outbox.ts'
import { asOne } from '../../../../platform/transaction.ts'
import { withoutUndefined } from '../../../../without-undefined.ts'
import { inProject, projectNoun } from '../../../flags/projects/index.ts'
import type { ModelName, Strategy } from '../models/live.ts'
import { isStrategy, maxPlacementsPerProject, namedIn, type PlacementContent, refusesPlacement } from './placement.ts'
import { insertPlacement, type Placement, placementQueries, savePlacement } from './queries.ts'
import type { createPlacementBody, updatePlacementBody } from './schema.ts'

/** What placements ask of models. */
export interface NamedModels {
  /** The newest model of a strategy. If there is none, it is made. Null: the strategy needs none. */
  ofStrategy(
    tx: Tx,
    by: Author,
    project: { orgId: string; id: string },
    strategy: Strategy,
  ): Promise<ModelName | null | Refusal>
  /** The keys of the models of a project. */
  keys(tx: Tx, projectId: string): Promise<ReadonlySet<string>>
}

type NewPlacement = PlacementContent & { key?: string | undefined }

const contentOf = ({ name, limit, history, includePreorder, variants }: PlacementContent): PlacementContent => ({
  ...{ name, limit, history, includePreorder, variants },
})

const plain = projectNoun<'placement', Placement, PlacementContent, NewPlacement>({
  noun: 'placement',
  most: maxPlacementsPerProject,
  queries: placementQueries,
  content: contentOf,
  begin: () => ({ experimentId: null }),
  insert: insertPlacement,
  save: savePlacement,
  refuses: { content: async (_tx, _projectId, content) => refusesPlacement(content) },
})

/** The actions of placements. A strategy that no model has yet gets one in the transaction of the placement. */
export function placementActions(models: NamedModels) {
  type Actions = typeof plain

  const create = (
    db: Db,
    author: Author,
    project: { orgId: string; id: string },
    wanted: z.output<typeof createPlacementBody>,
  ): Promise<Placement | Refusal> =>
    together(db, author, async (by) => {
      const refusal = refusesPlacement(wanted) ?? (await withModels(db, by, project, wanted.variants))
      return refusal ?? plain.create(db, by, project, wanted)
    })

  const update = (
    db: Db,
    author: Author,
    ifMatch: Parameters<Actions['update']>[2],
    which: Parameters<Actions['update']>[3],
    edit: z.output<typeof updatePlacementBody>,
  ): Promise<Placement | Refusal> =>
    together(db, author, async (by) => {
      const { variants } = edit
      if (variants === undefined) return plain.update(db, by, ifMatch, which, edit as Partial<PlacementContent>)
      const refusal = await withModels(db, by, { orgId: which.orgId, id: which.projectId }, variants, async (tx) => {
        // Before the rows of models, and before the audit log: that is the order of locks.
        const before = await placementQueries.lock(tx, which.id)
        return before ? refusesPlacement({ ...before, ...withoutUndefined(edit) }) : notFound('Placement')
      })
      return refusal ?? plain.update(db, by, ifMatch, which, edit as Partial<PlacementContent>)
    })

  /** A placement is saved with the models that it lacks, or not at all. */
  const together = <Result>(db: Db, author: Author, work: (by: Author) => Promise<Result | Refusal>) =>
    asOne(db, (tx) => recordedLast(tx, author, work))

  /** Locks the project, and sees to the models that the variants name. */
  async function withModels(
    db: Db,
    by: Author,
    project: { orgId: string; id: string },
    variants: PlacementContent['variants'],
    first?: (tx: Tx) => Promise<Refusal | undefined>,
  ): Promise<Refusal | undefined> {
    const done = await inProject(db, by, project, async ({ tx }) => {
      const refusal = await first?.(tx)
      if (refusal) return refusal
      const keys = await models.keys(tx, project.id)
      for (const { name, path } of namedIn(variants)) {
        if (!isStrategy(name)) {
          if (keys.has(name)) continue
          return invalid({ path, message: `Must be a strategy, or the key of a model; ${name} is neither.` })
        }
        const model = await models.ofStrategy(tx, by, project, name)
        if (isRefusal(model)) return model.details?.issues ? invalid({ path, message: model.message }) : model
      }
      return null
    })
    return done ?? undefined
  }

  return { ...plain, create, update }
}
