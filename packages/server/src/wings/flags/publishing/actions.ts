import { notFound, type Refusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import { contentEtag, type IfMatch } from '../../../http/etag.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { lockStagedAudiences, stagedAudiences, takeAudiencesLive } from '../../model/audiences/index.ts'
import { launchedExperiments } from '../../model/experiments/index.ts'
import {
  findStaged,
  flagSummaries,
  lockStaged,
  markPublished,
  takeDraftsLive,
} from '../../model/flag-environments/index.ts'
import { deleteRuleRows, movedVisitors } from '../../model/rules/index.ts'
import { droppedRules, type Reassignment } from '../../model/versions/index.ts'
import { lockEnvironment, type Publication, type Publishing } from '../../serving/datafile/index.ts'
import { environments, unknownFlags } from '../projects/index.ts'
import { experimentEvents, invisibleEdits, type StagedChanges, stagedChanges } from './plan.ts'
import { type StagedList, stagedList } from './staged.ts'

export interface PublishRequest {
  orgId: string
  projectId: string
  envId: string
  flagIds: string[] | null
  comment: string | null
  dryRun: boolean
}

export interface PublishWarning {
  code: 'reassigns_exposed_visitors'
  ruleId: string
  visitors: number | null
}

/** What to know before visitors get a different variation. */
export async function publishWarnings(db: Db, reassignments: readonly Reassignment[]): Promise<PublishWarning[]> {
  const moved = await movedVisitors(db, reassignments)
  return moved.map((each) => ({ code: 'reassigns_exposed_visitors', ...each }))
}

/** What a publish did or, with `dryRun`, would do. */
export interface PublishResult extends StagedChanges {
  publication: Publication
}

/** Makes the staged drafts live. Publishes of one environment wait for its row lock, so revisions have no gaps. */
export async function publish(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, envId, flagIds, comment, dryRun }: PublishRequest,
): Promise<PublishResult | Refusal> {
  return change(async (tx, republish) => {
    const environment = await lockEnvironment(tx, { orgId, projectId, envId })
    if (!environment) return notFound('Environment')
    const unknown = flagIds ? await unknownFlags(tx, projectId, flagIds) : []
    if (unknown.length > 0) return refuseUnknown('flagIds', 'This project has no flag', unknown)
    const staged = await lockStaged(tx, envId, flagIds)
    // A publish of chosen flags must not affect others, and an edited audience could.
    const audiences = flagIds ? [] : await lockStagedAudiences(tx, envId)
    const failed = await refusesStale(ifMatch, environments.etag(environment), [
      async () => stagedList(staged, audiences),
      // The whole list contains what is published: while it is the same, so are the chosen flags.
      async () => stagedList(await findStaged(tx, envId, null), await stagedAudiences(tx, envId)),
    ])
    if (failed) return failed
    const summary = stagedChanges(staged, audiences)
    if (!summary.staged || dryRun)
      return { ...summary, publication: { ...environment, changed: false, previousRevision: environment.revision } }
    const stagedIds = staged.map(({ flagId }) => flagId)
    const experiments = await launchedExperiments(tx, envId, stagedIds)
    await takeDraftsLive(tx, envId, stagedIds)
    await takeAudiencesLive(
      tx,
      envId,
      audiences.map(({ id }) => id),
    )
    const { publications, events } = await republish(tx, [environment], stagedIds, by, {
      reason: 'PUBLISHED',
      comment,
      audiences: audiences.map(({ id, name, live, draft }) => ({ id, name, from: live, to: draft })),
    })
    const publication = publications[0]!
    await markPublished(tx, envId, stagedIds, publication.revision)
    await deleteRuleRows(
      tx,
      staged.flatMap(({ live, draft }) => droppedRules(live, draft)),
    )
    const told =
      events.length > 0 ? events : invisibleEdits(environment, await flagSummaries(tx, stagedIds), staged, audiences)
    const [event, ...more] = told
    await by.record(tx, {
      orgId,
      projectId,
      action: 'environment.publish',
      object: { type: 'environment', id: envId, name: environment.name },
      before: { revision: publication.previousRevision },
      after: { revision: publication.revision, comment, flags: summary.flags, audiences: summary.audiences },
      events: [event!, ...more, ...experimentEvents(experiments, staged, publication)],
    })
    return { ...summary, publication }
  })
}

/** A publish can be bound to what its author saw: the environment, or a list of staged changes. */
async function refusesStale(
  ifMatch: IfMatch,
  etag: string,
  lists: readonly (() => Promise<StagedList>)[],
): Promise<Refusal | undefined> {
  const failed = ifMatch(etag)
  if (!failed) return undefined
  for (const list of lists) if (!ifMatch(contentEtag(await list()))) return undefined
  return { ...failed, message: 'The environment or its staged changes have changed since you read them.' }
}
