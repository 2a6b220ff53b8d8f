import type { Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { newRow, nounActions, recordedAs } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { inProject, keyFor } from '../../flags/projects/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import { defaultSalt } from '../../model/versions/index.ts'
import { maxHoldoutsPerProject, maxShownUses, refusesUsed } from './holdout.ts'
import { type Holdout, holdoutQueries, insertHoldout, saveHoldout, wasServed } from './queries.ts'

interface HoldoutContent {
  name: string
  share: number
  archived: boolean
}

export const holdouts = nounActions<Holdout, HoldoutContent>({
  noun: 'holdout',
  place: 'project',
  most: maxHoldoutsPerProject,
  nameConstraint: 'holdouts_name_key',
  content: ({ name, share, archived }) => ({ name, share, archived }),
  record: recordedAs('holdout', ({ id, shortId, key, name }) => ({ holdout: { id, shortId, key, name } })),
})

export function createHoldout(
  db: Db,
  by: Author,
  project: { orgId: string; id: string },
  { key, ...wanted }: { name: string; key?: string | undefined; share: number },
): Promise<Holdout | Refusal> {
  const work = inProject(db, by, project, async (on) => {
    const { tx } = on
    const projectId = project.id
    const taken = await holdoutQueries.keys(tx, projectId)
    const refusal =
      holdouts.refusesMoreThan(taken.size) ?? (key !== undefined && taken.has(key) ? holdouts.keyTaken : undefined)
    if (refusal) return refusal
    const begun = newRow(by, projectId)
    const row = {
      ...wanted,
      ...begun,
      shortId: await takeShortIds(tx, projectId, 'HOLDOUT'),
      key: key ?? keyFor(wanted.name, 'holdout', taken),
      salt: defaultSalt(begun.id),
      archived: false,
    }
    return holdouts.create(on, row, () => insertHoldout(tx, row))
  })
  return holdouts.orTaken(work)
}

export function updateHoldout(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, holdoutId }: { orgId: string; holdoutId: string },
  edit: { [Field in keyof HoldoutContent]?: HoldoutContent[Field] | undefined },
): Promise<Holdout | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const holdout = await holdoutQueries.lock(tx, holdoutId)
    return holdouts.edit({ tx, by, orgId }, holdout, {
      ifMatch,
      edit,
      refuses: async ({ share }) => (share === holdout!.share ? undefined : refusesIfUsed(tx, 'resize', holdout!)),
      save: (edited) => saveHoldout(tx, edited),
    })
  })
  return holdouts.orTaken(work)
}

export function deleteHoldout(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, holdoutId }: { orgId: string; projectId: string; holdoutId: string },
): Promise<Holdout | Refusal> {
  return inProject(db, by, { orgId, id: projectId }, async (on) => {
    const { tx } = on
    return holdouts.remove(on, await holdoutQueries.lockLeaving(tx, holdoutId), {
      ifMatch,
      refuses: (holdout) => refusesIfUsed(tx, 'delete', holdout),
      remove: () => holdoutQueries.remove(tx, holdoutId),
    })
  })
}

async function refusesIfUsed(tx: Tx, verb: 'resize' | 'delete', { id, projectId }: Holdout) {
  return refusesUsed(verb, await rulesNaming(tx, projectId, [id], maxShownUses), await wasServed(tx, projectId, id))
}
