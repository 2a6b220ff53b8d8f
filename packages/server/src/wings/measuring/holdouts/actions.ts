import type { Tx } from '../../../platform/db/index.ts'
import { projectNoun } from '../../flags/projects/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { defaultSalt } from '../../model/versions/index.ts'
import { maxHoldoutsPerProject, maxShownUses, refusesUsed } from './holdout.ts'
import { type Holdout, holdoutQueries, insertHoldout, saveHoldout, wasServed } from './queries.ts'

interface HoldoutContent {
  name: string
  share: number
  archived: boolean
}

interface NewHoldout {
  name: string
  key?: string | undefined
  share: number
}

export const holdouts = projectNoun<'holdout', Holdout, HoldoutContent, NewHoldout>({
  noun: 'holdout',
  most: maxHoldoutsPerProject,
  queries: holdoutQueries,
  content: ({ name, share, archived }) => ({ name, share, archived }),
  begin: (id) => ({ salt: defaultSalt(id), archived: false }),
  insert: insertHoldout,
  save: saveHoldout,
  refuses: {
    edit: async (tx, holdout, { share }) =>
      share === holdout.share ? undefined : refusesIfUsed(tx, 'resize', holdout),
    delete: (tx, holdout) => refusesIfUsed(tx, 'delete', holdout),
  },
})

async function refusesIfUsed(tx: Tx, verb: 'resize' | 'delete', { id, projectId }: Holdout) {
  return refusesUsed(verb, await rulesNaming(tx, projectId, [id], maxShownUses), await wasServed(tx, projectId, id))
}
