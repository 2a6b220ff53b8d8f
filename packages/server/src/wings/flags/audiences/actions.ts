import { isDeepStrictEqual } from 'node:util'
import type { Condition } from '@svc/core'
import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { invalid, notFound, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author, ProjectChange } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { conditionReferences, lockReferenced, rulesNaming, unknownReferences } from '../../model/versions/index.ts'
import { lockProject } from '../projects/index.ts'
import { maxAudiencesPerProject, maxShownUses, refusesDeletion } from './audience.ts'
import {
  type Audience,
  countAudiences,
  deleteAudienceRow,
  insertAudience,
  lockAudience,
  lockLeavingAudience,
  saveAudience,
} from './queries.ts'

export const audienceEtag = ({ version }: Pick<Audience, 'version'>): string => versionEtag('a', version)

interface WhichProject {
  orgId: string
  projectId: string
}

interface WantedAudience {
  name: string
  description: string | null
  conditions: Condition
}

export async function createAudience(
  db: Db,
  by: Author,
  { orgId, projectId }: WhichProject,
  wanted: WantedAudience,
): Promise<Audience | Refusal> {
  const work = inTransaction(db, async (tx) => {
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    if ((await countAudiences(tx, projectId)) >= maxAudiencesPerProject)
      return invalid({ path: [], message: `A project may have up to ${maxAudiencesPerProject} audiences.` })
    const unknown = await refusesUnknown(tx, projectId, wanted.conditions)
    if (unknown) return unknown
    const row = { ...wanted, id: newId(), projectId }
    await insertAudience(tx, row, by.now)
    await record(tx, by, orgId, row, { action: 'audience.create', after: wanted })
    return { ...row, version: 1, createdAt: by.now, updatedAt: by.now }
  })
  return work.catch(elseNameTaken)
}

/** An edit of the conditions waits, in every environment that uses the audience, for the next publish there. */
export async function updateAudience(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, audienceId }: { orgId: string; audienceId: string },
  edit: { [Field in keyof WantedAudience]?: WantedAudience[Field] | undefined },
): Promise<Audience | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const audience = await lockAudience(tx, audienceId)
    if (!audience) return notFound('Audience')
    const unknown = edit.conditions && (await refusesUnknown(tx, audience.projectId, edit.conditions))
    if (unknown) return unknown
    const failed = ifMatch(audienceEtag(audience))
    if (failed) return failed
    const { name = audience.name, description = audience.description, conditions = audience.conditions } = edit
    const before = { name: audience.name, description: audience.description, conditions: audience.conditions }
    const after = { name, description, conditions }
    if (isDeepStrictEqual(before, after)) return audience
    await saveAudience(tx, audienceId, after, by.now)
    const edited = { ...audience, ...after, version: audience.version + 1, updatedAt: by.now }
    await record(tx, by, orgId, edited, { action: 'audience.update', before, after })
    return edited
  })
  return work.catch(elseNameTaken)
}

export async function deleteAudience(
  db: Db,
  by: Author,
  { orgId, projectId, audienceId }: WhichProject & { audienceId: string },
): Promise<null | Refusal> {
  return inTransaction(db, async (tx) => {
    // Under the project's lock no environment is being made from drafts that have just ceased to name the audience.
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    const audience = await lockLeavingAudience(tx, audienceId)
    if (!audience) return notFound('Audience')
    const refusal = refusesDeletion(await rulesNaming(tx, projectId, [audienceId], maxShownUses))
    if (refusal) return refusal
    await deleteAudienceRow(tx, audienceId)
    await record(tx, by, orgId, audience, { action: 'audience.delete', before: audience })
    return null
  })
}

async function refusesUnknown(tx: Tx, projectId: string, conditions: Condition): Promise<Refusal | undefined> {
  const references = conditionReferences(conditions, ['conditions'])
  return refuseIssues(unknownReferences(references, await lockReferenced(tx, projectId, references)))
}

const nameTaken = refuse('already_exists', 'Another audience of this project has this name.', {
  issues: [{ path: ['name'], message: 'Another audience of this project has this name.' }],
})

function elseNameTaken(error: unknown): Refusal {
  if (constraintOf(error) === 'audiences_name_key') return nameTaken
  throw error
}

function record(
  tx: Tx,
  by: Author,
  orgId: string,
  { id, projectId, name }: Pick<Audience, 'id' | 'projectId' | 'name'>,
  change: Pick<ProjectChange<ActionOn<'audience'>>, 'action' | 'before' | 'after'>,
): Promise<void> {
  const [event] = actions[change.action].events
  return by.record(tx, {
    ...change,
    orgId,
    projectId,
    object: { type: 'audience', id, name },
    events: [{ name: event, payload: { audience: { id, name } } }],
  })
}
