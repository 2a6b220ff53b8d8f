import type { Condition } from '@svc/core'
import { actions } from '../../../catalogue/actions.ts'
import { notFound, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { nounActions } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { lockReferenced } from '../../model/audiences/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import { conditionReferences, editOf, unknownReferences } from '../../model/versions/index.ts'
import { lockProject } from '../projects/index.ts'
import { maxAudiencesPerProject, maxShownUses, refusesDeletion } from './audience.ts'
import { type Audience, audienceQueries, insertAudience, saveAudience } from './queries.ts'

interface WantedAudience {
  name: string
  description: string | null
  conditions: Condition
}

export const audiences = nounActions<Audience, WantedAudience>({
  name: 'audience',
  place: 'project',
  most: maxAudiencesPerProject,
  letter: 'a',
  nameConstraint: 'audiences_name_key',
  content: ({ name, description, conditions }) => ({ name, description, conditions }),
  record: ({ tx, by, orgId }, { id, projectId, name }, verb, states) => {
    const action = `audience.${verb}` as const
    const [event] = actions[action].events
    return by.record(tx, {
      ...states,
      action,
      orgId,
      projectId,
      object: { type: 'audience', id, name },
      events: [{ name: event, payload: { audience: { id, name } } }],
    })
  },
})

export function createAudience(
  db: Db,
  by: Author,
  { orgId, id: projectId }: { orgId: string; id: string },
  wanted: WantedAudience,
): Promise<Audience | Refusal> {
  const work = inTransaction(db, async (tx) => {
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    const refusal =
      audiences.refusesMoreThan(await audienceQueries.count(tx, projectId)) ??
      (await refusesUnknown(tx, projectId, wanted.conditions))
    if (refusal) return refusal
    const shortId = await takeShortIds(tx, projectId, 'AUDIENCE')
    const row = { ...wanted, id: newId(), shortId, projectId, version: 1, createdAt: by.now, updatedAt: by.now }
    return audiences.create({ tx, by, orgId }, row, () => insertAudience(tx, row, editOf(by)))
  })
  return audiences.orNameTaken(work)
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
  return audiences.orNameTaken(work)
}

export function deleteAudience(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, audienceId }: { orgId: string; projectId: string; audienceId: string },
): Promise<Audience | Refusal> {
  return inTransaction(db, async (tx) => {
    // The project's lock prevents a new environment from copying drafts that named the audience until a moment ago.
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    return audiences.remove({ tx, by, orgId }, await audienceQueries.lockLeaving(tx, audienceId), {
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
