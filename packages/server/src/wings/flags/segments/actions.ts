import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author, ProjectChange } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { rulesNaming } from '../../model/versions/index.ts'
import {
  lockEnvironments,
  outdateSegmentParts,
  type PublicationEvent,
  type Publishing,
} from '../../serving/datafile/index.ts'
import { lockProject } from '../projects/index.ts'
import {
  audiencesNaming,
  countSegments,
  deleteSegmentRow,
  insertSegment,
  lockLeavingSegment,
  lockSegment,
  type Segment,
  saveMembers,
  saveSegment,
} from './queries.ts'
import { maxSegmentsPerProject, maxShownUses, parseMembers, refusesDeletion } from './segment.ts'

export const segmentEtag = ({ version }: Pick<Segment, 'version'>): string => versionEtag('s', version)

interface WhichProject {
  orgId: string
  projectId: string
}

type WhichSegment = WhichProject & { segmentId: string }

export async function createSegment(
  db: Db,
  by: Author,
  { orgId, projectId }: WhichProject,
  wanted: { name: string; description: string | null },
): Promise<Segment | Refusal> {
  const work = inTransaction(db, async (tx) => {
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    if ((await countSegments(tx, projectId)) >= maxSegmentsPerProject)
      return invalid({ path: [], message: `A project may have up to ${maxSegmentsPerProject} segments.` })
    const segment = { ...wanted, id: newId(), projectId, count: 0, version: 1, createdAt: by.now, updatedAt: by.now }
    await insertSegment(tx, segment, by.now)
    await record(tx, by, orgId, segment, { action: 'segment.create', after: wanted })
    return segment
  })
  return work.catch(elseNameTaken)
}

export async function updateSegment(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, segmentId }: WhichSegment,
  edit: { name?: string | undefined; description?: string | null | undefined },
): Promise<Segment | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const segment = await lockSegment(tx, segmentId)
    if (!segment) return notFound('Segment')
    const failed = ifMatch(segmentEtag(segment))
    if (failed) return failed
    const { name = segment.name, description = segment.description } = edit
    if (name === segment.name && description === segment.description) return segment
    const before = { name: segment.name, description: segment.description }
    const after = { name, description }
    await saveSegment(tx, segmentId, after, by.now)
    const edited = { ...segment, ...after, version: segment.version + 1, updatedAt: by.now }
    await record(tx, by, orgId, edited, { action: 'segment.update', before, after })
    return edited
  })
  return work.catch(elseNameTaken)
}

/**
 * Takes the place of all members. Visitors see it when the call returns: lists come from other systems by night, and
 * nobody would be there to publish them. What is kept of the change are numbers, never ids.
 */
export async function replaceMembers(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, segmentId }: WhichSegment,
  ids: readonly string[],
): Promise<Segment | Refusal> {
  const members = parseMembers(ids)
  if (isRefusal(members)) return members
  return change(async (tx, republish) => {
    const environments = await lockEnvironments(tx, projectId)
    const segment = await lockSegment(tx, segmentId)
    if (!segment) return notFound('Segment')
    const failed = ifMatch(segmentEtag(segment))
    if (failed) return failed
    if (!(await saveMembers(tx, segmentId, members, by.now))) return segment
    const count = members.length
    const edited = { ...segment, count, version: segment.version + 1, updatedAt: by.now }
    const envIds = new Set(await outdateSegmentParts(tx, segmentId))
    const serving = environments.filter(({ id }) => envIds.has(id))
    const { events } = await republish(tx, serving, [], by)
    const numbers = { before: { count: segment.count }, after: { count } }
    await record(tx, by, orgId, edited, { action: 'segment.replace_members', ...numbers }, events)
    return edited
  })
}

export async function deleteSegment(
  db: Db,
  by: Author,
  { orgId, projectId, segmentId }: WhichSegment,
): Promise<null | Refusal> {
  return inTransaction(db, async (tx) => {
    // Under the project's lock no environment is being made from drafts that have just ceased to name the segment.
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    const segment = await lockLeavingSegment(tx, segmentId)
    if (!segment) return notFound('Segment')
    const rules = await rulesNaming(tx, projectId, [segmentId], maxShownUses)
    const refusal = refusesDeletion(rules, await audiencesNaming(tx, segment, maxShownUses))
    if (refusal) return refusal
    await deleteSegmentRow(tx, segmentId)
    await record(tx, by, orgId, segment, { action: 'segment.delete', before: segment })
    return null
  })
}

const nameTaken = refuse('already_exists', 'Another segment of this project has this name.', {
  issues: [{ path: ['name'], message: 'Another segment of this project has this name.' }],
})

function elseNameTaken(error: unknown): Refusal {
  if (constraintOf(error) === 'segments_name_key') return nameTaken
  throw error
}

function record(
  tx: Tx,
  by: Author,
  orgId: string,
  { id, projectId, name, count }: Pick<Segment, 'id' | 'projectId' | 'name' | 'count'>,
  change: Pick<ProjectChange<ActionOn<'segment'>>, 'action' | 'before' | 'after'>,
  more: readonly PublicationEvent[] = [],
): Promise<void> {
  const [event] = actions[change.action].events
  return by.record(tx, {
    ...change,
    orgId,
    projectId,
    object: { type: 'segment', id, name },
    events: [{ name: event, payload: { segment: { id, name, count } } }, ...more],
  })
}
