import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { newRow, nounActions, type On } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author, ProjectChange } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import {
  lockEnvironments,
  outdateSegmentParts,
  type PublicationEvent,
  type Publishing,
} from '../../serving/datafile/index.ts'
import { inProject, keyFor } from '../projects/index.ts'
import {
  audiencesNaming,
  deleteSegmentRow,
  insertSegment,
  type MembersEdit,
  type Segment,
  saveMembers,
  saveSegment,
  segmentQueries,
} from './queries.ts'
import { maxSegmentsPerProject, maxShownUses, parseMembers, refusesDeletion, refusesMembers } from './segment.ts'

interface WantedSegment {
  name: string
  description: string | null
}

export const segments = nounActions<Segment, WantedSegment & { key: string }>({
  noun: 'segment',
  place: 'project',
  most: maxSegmentsPerProject,
  nameConstraint: 'segments_name_key',
  keyConstraint: 'segments_key_key',
  content: ({ key, name, description }) => ({ key, name, description }),
  record: (on, segment, verb, states) => record(on, segment, { action: `segment.${verb}`, ...states }),
})

interface WhichSegment {
  orgId: string
  projectId: string
  segmentId: string
}

export function createSegment(
  db: Db,
  by: Author,
  project: { orgId: string; id: string },
  { key, ...wanted }: WantedSegment & { key?: string | undefined },
): Promise<Segment | Refusal> {
  const work = inProject(db, by, project, async (on) => {
    const { tx } = on
    const projectId = project.id
    const taken = await segmentQueries.keys(tx, projectId)
    const refusal =
      segments.refusesMoreThan(taken.size) ?? (key !== undefined && taken.has(key) ? segments.keyTaken : undefined)
    if (refusal) return refusal
    const shortId = await takeShortIds(tx, projectId, 'SEGMENT')
    const segment = {
      ...wanted,
      ...newRow(by, projectId),
      shortId,
      key: key ?? keyFor(wanted.name, 'segment', taken),
      count: 0,
    }
    return segments.create(on, segment, () => insertSegment(tx, segment))
  })
  return segments.orTaken(work)
}

export function updateSegment(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, segmentId }: WhichSegment,
  edit: { [Field in keyof WantedSegment]?: WantedSegment[Field] | undefined },
): Promise<Segment | Refusal> {
  const work = inTransaction(db, async (tx) =>
    segments.edit({ tx, by, orgId }, await segmentQueries.lock(tx, segmentId), {
      ifMatch,
      edit,
      save: (edited) => saveSegment(tx, edited),
    }),
  )
  return segments.orTaken(work)
}

/**
 * Replaces all members, adds some or removes some. This takes effect before the call returns, without a publish,
 * because scheduled jobs of other systems upload the lists. The change is recorded as numbers, never as ids.
 */
export async function editMembers(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, segmentId }: WhichSegment,
  edit: MembersEdit,
  ids: readonly string[],
): Promise<Segment | Refusal> {
  const members = parseMembers(ids)
  if (isRefusal(members)) return members
  return change(async (tx, republish) => {
    const environments = await lockEnvironments(tx, projectId)
    const segment = await segmentQueries.lock(tx, segmentId)
    if (!segment) return notFound('Segment')
    const failed = ifMatch(segments.etag(segment))
    if (failed) return failed
    const count = await saveMembers(tx, segmentId, edit, members, by.now)
    if (count === undefined) return segment
    const refusal = refusesMembers(count)
    if (refusal) return refusal
    const edited = { ...segment, count, version: segment.version + 1, updatedAt: by.now }
    const envIds = new Set(await outdateSegmentParts(tx, segmentId))
    const serving = environments.filter(({ id }) => envIds.has(id))
    const { events } = await republish(tx, serving, [], by, { reason: 'SEGMENT_CHANGED' })
    const numbers = { before: { count: segment.count }, after: { count } }
    await record({ tx, by, orgId }, edited, { action: `segment.${edit}_members`, ...numbers }, events)
    return edited
  })
}

export function deleteSegment(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, segmentId }: WhichSegment,
): Promise<Segment | Refusal> {
  return inProject(db, by, { orgId, id: projectId }, async (on) => {
    const { tx } = on
    return segments.remove(on, await segmentQueries.lockLeaving(tx, segmentId), {
      ifMatch,
      refuses: async () =>
        refusesDeletion(
          await rulesNaming(tx, projectId, [segmentId], maxShownUses),
          (await audiencesNaming(tx, projectId, [segmentId], maxShownUses)).map(({ type, id }) => ({ type, id })),
        ),
      remove: () => deleteSegmentRow(tx, segmentId),
    })
  })
}

function record(
  { tx, by, orgId }: On,
  { id, projectId, name, count }: Segment,
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
