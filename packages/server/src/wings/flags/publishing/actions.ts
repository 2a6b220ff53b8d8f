import { notFound, type Refusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import { contentEtag, type IfMatch } from '../../../http/etag.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inOneTrip } from '../../../platform/transaction.ts'
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
import type { Reassignment } from '../../model/versions/index.ts'
import { lockEnvironment, type Publication, type Publishing } from '../../serving/datafile/index.ts'
import { environments, unknownFlags } from '../projects/index.ts'
import { invisibleEdits, planPublish, type StagedChanges, testEvents } from './plan.ts'
import { type StagedList, stagedList } from './staged.ts'

export interface PublishRequest {
  orgId: string
  projectId: string
  envId: string
  flagIds: string[] | null
  comment: string | null
  dryRun: boolean
  /** The experiment that publishes its flag, which can be hidden. */
  owner?: string
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
  { orgId, projectId, envId, flagIds, comment, dryRun, owner }: PublishRequest,
): Promise<PublishResult | Refusal> {
  return change(async (tx, republish) => {
    const [environment, unknown, staged, audiences] = await inOneTrip([
      lockEnvironment(tx, { orgId, projectId, envId }),
      flagIds && !owner ? unknownFlags(tx, projectId, flagIds) : none,
      lockStaged(tx, envId, flagIds?.filter(isId) ?? null),
      // A publish of chosen flags must not affect others, and an edited audience could.
      flagIds ? none : lockStagedAudiences(tx, envId),
    ])
    if (!environment) return notFound('Environment')
    if (unknown.length > 0) return refuseUnknown('flagIds', 'This project has no flag', unknown)
    const failed = await refusesStale(ifMatch, environments.etag(environment), [
      async () => stagedList(staged, audiences),
      // The whole list contains what is published: while it is the same, so are the chosen flags.
      async () => stagedList(await findStaged(tx, envId, null), await stagedAudiences(tx, envId)),
    ])
    if (failed) return failed
    const stagedIds = staged.map(({ flagId }) => flagId)
    const experiments = await launchedExperiments(tx, envId, stagedIds)
    const { summary, drops, tests } = planPublish(staged, audiences, experiments)
    if (!summary.staged || dryRun)
      return {
        ...summary,
        publication: { ...environment, changed: false, previousRevision: environment.revision, script: null },
      }
    const audienceIds = audiences.map(({ id }) => id)
    const edited = audiences.map(({ id, name, live, draft }) => ({ id, name, from: live, to: draft }))
    // All rows of the environment decide what its data file needs, so the drafts go live first.
    const [, , published] = await inOneTrip([
      takeDraftsLive(tx, envId, stagedIds),
      takeAudiencesLive(tx, envId, audienceIds),
      republish(tx, [environment], stagedIds, by, { reason: 'PUBLISHED', comment, audiences: edited }),
    ])
    const publication = published.publications[0]!
    const { flags, experiments: ofExperiments, audiences: ofAudiences } = summary
    const changed =
      environment.projectType === 'WEB'
        ? { experiments: ofExperiments, audiences: ofAudiences }
        : { flags, audiences: ofAudiences }
    const visible = published.events
    const isTold = visible.some(({ name }) => name === 'flag.published')
    const [event, ...more] = [
      ...visible,
      ...(isTold ? [] : invisibleEdits(environment, await flagSummaries(tx, stagedIds), staged, audiences)),
      ...testEvents(tests, publication),
    ]
    await inOneTrip([
      markPublished(tx, envId, stagedIds, publication.revision),
      deleteRuleRows(tx, drops),
      by.record(tx, {
        orgId,
        projectId,
        action: 'environment.publish',
        object: { type: 'environment', id: envId, name: environment.name },
        before: { revision: publication.previousRevision },
        after: { revision: publication.revision, comment, ...changed },
        events: [event!, ...more],
      }),
    ])
    return { ...summary, publication }
  })
}

const none = Promise.resolve([])

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
