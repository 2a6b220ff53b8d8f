import { invalid, isRefusal, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../http/etag.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { saveDraftEdit } from '../../../flags/flags/index.ts'
import { experimentChanges, type Winner } from '../../../model/experiments/index.ts'
import { markPublished, saveVersions } from '../../../model/flag-environments/index.ts'
import { deleteRuleRows, insertRuleRows } from '../../../model/rules/index.ts'
import { takeShortIds } from '../../../model/short-ids/index.ts'
import {
  type AbTestRule,
  authorshipAfter,
  type DeliveryRule,
  type Difference,
  differences,
} from '../../../model/versions/index.ts'
import { lockEnvironment, type Republished } from '../../../serving/datafile/index.ts'
import { experimentEtag, summaryOf, type WhichExperiment } from '../actions.ts'
import { type Definition, refusesIn } from '../experiment.ts'
import {
  afterMove,
  completed,
  endExperiment,
  type Lifecycle,
  type Moved,
  missingOnPages,
  type OnLaunched,
  onLaunched,
  refusesPausedFlag,
  saveEnd,
  unchanged,
} from '../lifecycle/actions.ts'
import type { WinnerRequest } from '../lifecycle/schema.ts'
import { testIn } from '../present.ts'
import { keepRuleVersion } from '../queries.ts'
import { deliveryOf, rolledOut } from './winner.ts'

export type Declared = Moved & { winner: Winner; changes: Difference[] }

/**
 * Ends the experiment with a winner. A roll-out puts a delivery rule of the winner in the place of the test, in the
 * draft and live. Other staged changes stay staged. A retry finds the work done.
 */
export const declareWinner = (
  context: Lifecycle,
  by: Author,
  ifMatch: IfMatch,
  which: WhichExperiment,
  { variationKey, comment, rollOut, dryRun }: WinnerRequest,
): Promise<Declared | Refusal> =>
  onLaunched(context, by, which, async (on) => {
    const { experiment, row } = on
    const { ruleId, status } = experiment
    const done = await completed(on)
    const variation = (done.finalDefinition as Definition).variations.find(({ key }) => key === variationKey)
    if (!variation)
      return invalid({ path: ['variationKey'], message: 'The experiment has no variation with this key.' })
    const earlier = experiment.winner?.variationKey === variationKey ? experiment.winner : null
    const rollsOut = rollOut && !earlier?.rolledOut
    if (earlier?.comment === comment && !rollsOut && status === 'COMPLETED')
      return { ...unchanged(on), winner: earlier, changes: [] }
    const test = testIn(row.live, ruleId) ?? testIn(row.draft, ruleId)
    const refusal =
      refusesIn('declare', status) ??
      ifMatch(experimentEtag(experiment)) ??
      (test || earlier?.rolledOut ? undefined : refusesAnother(experiment)) ??
      (rollsOut ? refusesPausedFlag(on) : undefined)
    if (refusal) return refusal
    const { type, id, name } = by.actor
    const winner: Winner = {
      ...{ variationKey, declaredAt: by.now.toISOString(), declaredBy: { type, id, name }, comment },
      rolledOut: rollsOut || earlier?.rolledOut === true,
    }
    const delivery = rollsOut && test ? await newDelivery(on, test, { variationId: variation.id, dryRun }) : undefined
    const inFlag = delivery ? differences(row.live, rolledOut(row.live, ruleId, delivery)) : []
    const changes = experiment.type === 'WEB' ? experimentChanges(ruleId, inFlag) : inFlag
    if (dryRun) {
      const given = row.live.variations.filter(({ id }) => id === variation.id)
      const warnings = delivery ? await missingOnPages(on, rolledOut(row.live, ruleId, delivery), given) : []
      return { ...unchanged(on), warnings, winner, changes }
    }
    const ended = { ...done, winner }
    const moved: (Moved & { events?: Republished['events'] }) | Refusal = delivery
      ? await replaceTest(context, on, { ended, delivery, comment })
      : await endExperiment(context, on, ended)
    if (isRefusal(moved)) return moved
    const { events = [], ...answer } = moved
    await recordWinner(on, answer, events)
    return { ...answer, winner, changes }
  })

/** Once a winner has taken the place of the test, a different one would contradict what visitors get. */
function refusesAnother({ type, winner }: OnLaunched['experiment']): Refusal {
  const { variationKey } = winner!
  const advice =
    type === 'WEB'
      ? 'To end the roll-out, archive the experiment. To test again, duplicate it.'
      : 'To serve a different variation, change the rule of the flag that replaced the test.'
  const message = `${variationKey} was rolled out, so no other winner can be declared. ${advice}`
  return refuse('invalid_state', message, { current: variationKey })
}

async function newDelivery(
  { tx, which }: OnLaunched,
  test: AbTestRule,
  { variationId, dryRun }: { variationId: string; dryRun: boolean },
): Promise<DeliveryRule> {
  // A dry run must not use up a short id.
  const shortId = dryRun ? test.shortId : await takeShortIds(tx, which.projectId, 'RULE')
  return deliveryOf(test, { id: newId(), shortId, variationId })
}

/** Saves the end first: then the test that leaves the data file is not a pause of the experiment. */
async function replaceTest(
  context: Lifecycle,
  on: OnLaunched,
  { ended, delivery, comment }: { ended: OnLaunched['experiment']; delivery: DeliveryRule; comment: string | null },
): Promise<(Moved & Pick<Republished, 'events'>) | Refusal> {
  const { by, row, which } = on
  const { flagId, envId, ruleId } = ended
  const failed = await saveEnd(context, on, ended)
  if (failed) return failed
  return context.change(async (tx, republish) => {
    const [draft, live] = [rolledOut(row.draft, ruleId, delivery), rolledOut(row.live, ruleId, delivery)]
    await insertRuleRows(tx, [{ flagId, envId, id: delivery.id, enabled: true }], by.now)
    // The version of the flag moves with its draft.
    await saveDraftEdit(tx, row, draft, by)
    const stagedBy = authorshipAfter(row, { draft, live }, by)
    await saveVersions(tx, envId, [{ flagId, draft, live, stagedBy }])
    await keepRuleVersion(tx, ended.id)
    await deleteRuleRows(tx, [ruleId])
    const environment = (await lockEnvironment(tx, { ...which, envId }))!
    const { publications, events } = await republish(tx, [environment], [flagId], by, { reason: 'PUBLISHED', comment })
    const { revision, etag, publishedAt } = publications[0] ?? environment
    await markPublished(tx, envId, [flagId], revision)
    const dataFile = { revision, etag, publishedAt }
    return { ...unchanged(on), experiment: await afterMove(on), changed: true, dataFile, events }
  })
}

function recordWinner({ tx, by, which }: OnLaunched, moved: Moved, events: Republished['events']): Promise<void> {
  const { previousStatus, experiment: now, dataFile } = moved
  const experiment = summaryOf(now, previousStatus)
  const winner = now.winner!
  return by.record(tx, {
    orgId: which.orgId,
    projectId: which.projectId,
    action: 'experiment.declare_winner',
    object: { type: 'experiment', id: now.id, name: now.name },
    before: { status: previousStatus },
    after: { status: now.status, winner, revision: dataFile.revision },
    events: [
      { name: 'experiment.winner_declared', payload: { experiment, winner } },
      ...(previousStatus === 'COMPLETED' ? [] : [{ name: 'experiment.completed', payload: { experiment } } as const]),
      ...events,
    ],
  })
}
