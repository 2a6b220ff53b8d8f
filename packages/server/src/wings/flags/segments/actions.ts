import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import type { On } from '../../../nouns/index.ts'
import type { Author, ProjectChange } from '../../../platform/outbox.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import {
  lockEnvironments,
  outdateSegmentParts,
  type PublicationEvent,
  type Publishing,
} from '../../serving/datafile/index.ts'
import { projectNoun } from '../projects/index.ts'
import {
  audiencesNaming,
  deleteSegmentRow,
  insertSegment,
  type Segment,
  saveMembers,
  saveSegment,
  segmentQueries,
} from './queries.ts'
import {
  type MembersEdit,
  maxSegmentsPerProject,
  maxShownUses,
  parseMembers,
  refusesDeletion,
  refusesMembers,
} from './segment.ts'

interface SegmentContent {
  name: string
  description: string | null
}

type NewSegment = SegmentContent & { key?: string | undefined }

const bodyOf = ({ id, shortId, key, name, count }: Segment) => ({ segment: { id, shortId, key, name, count } })

export const segments = projectNoun<'segment', Segment, SegmentContent, NewSegment>({
  noun: 'segment',
  most: maxSegmentsPerProject,
  queries: segmentQueries,
  content: ({ name, description }) => ({ name, description }),
  begin: () => ({ count: 0, lastEdit: null }),
  insert: insertSegment,
  save: saveSegment,
  remove: deleteSegmentRow,
  body: bodyOf,
  refuses: {
    delete: async (tx, { id, projectId }) =>
      refusesDeletion(
        await rulesNaming(tx, projectId, [id], maxShownUses),
        (await audiencesNaming(tx, projectId, [id], maxShownUses)).map(({ type, id }) => ({ type, id })),
      ),
  },
})

interface WhichSegment {
  orgId: string
  projectId: string
  segmentId: string
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
    const { type, id, name } = by.actor
    const lastEdit = { edit, at: by.now.toISOString(), by: { type, id, name }, before: segment.count }
    const count = await saveMembers(tx, segmentId, edit, members, lastEdit)
    if (count === undefined) return segment
    const refusal = refusesMembers(count)
    if (refusal) return refusal
    const edited = {
      ...segment,
      count,
      lastEdit: { ...lastEdit, after: count },
      version: segment.version + 1,
      updatedAt: by.now,
    }
    const envIds = new Set(await outdateSegmentParts(tx, segmentId))
    const serving = environments.filter(({ id }) => envIds.has(id))
    const { events } = await republish(tx, serving, [], by, { reason: 'SEGMENT_CHANGED' })
    const numbers = { before: { count: segment.count }, after: { count } }
    await record({ tx, by, orgId }, edited, { action: `segment.${edit}_members`, ...numbers }, events)
    return edited
  })
}

function record(
  { tx, by, orgId }: On,
  segment: Segment,
  change: Pick<ProjectChange<ActionOn<'segment'>>, 'action' | 'before' | 'after'>,
  more: readonly PublicationEvent[],
): Promise<void> {
  const { id, projectId, name } = segment
  const [event] = actions[change.action].events
  return by.record(tx, {
    ...change,
    orgId,
    projectId,
    object: { type: 'segment', id, name },
    events: [{ name: event, payload: bodyOf(segment) }, ...more],
  })
}
