import type { Condition } from '@svc/core'
import { type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { newRow, nounActions, recordedAs } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { lockReferenced } from '../../model/audiences/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import { conditionReferences, editOf, unknownReferences } from '../../model/versions/index.ts'
import { inProject, keyFor } from '../projects/index.ts'
import { maxAudiencesPerProject, maxShownUses, refusesDeletion } from './audience.ts'
import { type Audience, audienceQueries, insertAudience, saveAudience } from './queries.ts'

interface WantedAudience {
  name: string
  description: string | null
  conditions: Condition
}

export const audiences = nounActions<Audience, WantedAudience & { key: string }>({
  noun: 'audience',
  place: 'project',
  most: maxAudiencesPerProject,
  nameConstraint: 'audiences_name_key',
  keyConstraint: 'audiences_key_key',
  content: ({ key, name, description, conditions }) => ({ key, name, description, conditions }),
  record: recordedAs('audience', ({ id, name }) => ({ audience: { id, name } })),
})

export function createAudience(
  db: Db,
  by: Author,
  project: { orgId: string; id: string },
  { key, ...wanted }: WantedAudience & { key?: string | undefined },
): Promise<Audience | Refusal> {
  const work = inProject(db, by, project, async (on) => {
    const { tx } = on
    const projectId = project.id
    const taken = await audienceQueries.keys(tx, projectId)
    const refusal =
      audiences.refusesMoreThan(taken.size) ??
      (await refusesUnknown(tx, projectId, wanted.conditions)) ??
      (key !== undefined && taken.has(key) ? audiences.keyTaken : undefined)
    if (refusal) return refusal
    const shortId = await takeShortIds(tx, projectId, 'AUDIENCE')
    const row = { ...wanted, ...newRow(by, projectId), shortId, key: key ?? keyFor(wanted.name, 'audience', taken) }
    return audiences.create(on, row, () => insertAudience(tx, row, editOf(by)))
  })
  return audiences.orTaken(work)
}

/** Edited conditions go live with the next publish of each environment that uses the audience. */
export function updateAudience(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, audienceId }: { orgId: string; audienceId: string },
  edit: { [Field in keyof WantedAudience]?: WantedAudience[Field] | undefined },
): Promise<Audience | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const audience = await audienceQueries.lock(tx, audienceId)
    // Validate the body against the project before checking the precondition.
    const unknown = audience && edit.conditions && (await refusesUnknown(tx, audience.projectId, edit.conditions))
    if (unknown) return unknown
    return audiences.edit({ tx, by, orgId }, audience, {
      ifMatch,
      edit,
      save: (edited) => saveAudience(tx, edited, editOf(by)),
    })
  })
  return audiences.orTaken(work)
}

export function deleteAudience(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, audienceId }: { orgId: string; projectId: string; audienceId: string },
): Promise<Audience | Refusal> {
  return inProject(db, by, { orgId, id: projectId }, async (on) => {
    const { tx } = on
    return audiences.remove(on, await audienceQueries.lockLeaving(tx, audienceId), {
      ifMatch,
      refuses: async () => refusesDeletion(await rulesNaming(tx, projectId, [audienceId], maxShownUses)),
      remove: () => audienceQueries.remove(tx, audienceId),
    })
  })
}

async function refusesUnknown(tx: Tx, projectId: string, conditions: Condition): Promise<Refusal | undefined> {
  const references = conditionReferences(conditions, ['conditions'])
  return refuseIssues(unknownReferences(references, await lockReferenced(tx, projectId, references)))
}
