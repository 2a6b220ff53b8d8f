import { isDeepStrictEqual } from 'node:util'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inOneTrip } from '../../../platform/transaction.ts'
import {
  deleteRuleRows,
  droppedRules,
  type FlagEnvironment,
  type FlagStatus,
  findRuleRows,
  flagSummary,
  markPublished,
  type Overrides,
  placeAmong,
  type RuleDefinition,
  saveRuleSwitch,
  statusOf,
  type Version,
} from '../../model/versions/index.ts'
import type { Publication, PublishedEnvironment, Publishing } from '../../serving/datafile/index.ts'
import {
  type Flag,
  flagEtag,
  type OnSwitch,
  onDraft,
  onSwitch,
  recordFlagChange,
  refusesTransition,
  saveDraftEdit,
  saveSwitch,
  updatedEvent,
  updatedIn,
} from '../flags/index.ts'
import { parseOverrides, type RequestedOverrides } from './overrides.ts'
import { end, guardRun, suspend } from './schedules/actions.ts'
import { type DueSchedule, findSchedule, pendingRuns } from './schedules/queries.ts'
import { type Schedule, tooLate, verdictOn } from './schedules/schedule.ts'

interface WhichEnvironment {
  projectId: string
  flagId: string
  envId: string
}

/** How the switch stands now, and whether this call moved it. */
export interface SwitchResult {
  flagId: string
  envId: string
  ruleId: string | null
  enabled: boolean
  changed: boolean
  flagStatus: FlagStatus
  dataFile: Pick<Publication, 'revision' | 'etag' | 'publishedAt'>
  suspendedSchedules: Schedule[]
  flag: Flag
  row: FlagEnvironment
}

/** Runs or pauses a flag in one environment; visitors follow when the call returns. */
export function switchEnvironment(
  change: Publishing,
  by: Author,
  which: WhichEnvironment,
  enabled: boolean,
): Promise<SwitchResult | Refusal> {
  return onSwitch(change, which, by, (on) => byHand(on, by, null, enabled))
}

/** Stages another default variation, then runs or pauses: content first, the switch second, or nothing at all. */
export function updateFlagEnvironment(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  which: WhichEnvironment,
  { defaultVariationId, enabled }: { defaultVariationId?: string | undefined; enabled?: boolean | undefined },
): Promise<SwitchResult | Refusal> {
  return onSwitch(change, which, by, async (on) => {
    const { flag } = on
    if (defaultVariationId !== undefined && !flag.variations.some(({ id }) => id === defaultVariationId))
      return invalid({ path: ['defaultVariationId'], message: 'The flag has no variation with this id.' })
    const failed = ifMatch(flagEtag(flag))
    if (failed) return failed
    const edited = defaultVariationId !== undefined && defaultVariationId !== on.row.draft.defaultVariationId
    const after = edited ? await stageDefault(on, by, defaultVariationId) : on
    const result =
      enabled === undefined ? await setEnabled(after, by, after.row.enabled) : await byHand(after, by, null, enabled)
    return isRefusal(result) ? result : { ...result, changed: result.changed || edited }
  })
}

/** A switch in a transaction that has staged something before. */
interface OnStaged extends OnSwitch {
  /** Not at once: records lock what all changes of the organization wait for, and a switch locks audiences first. */
  recordStaged?: () => Promise<void>
}

async function stageDefault(on: OnSwitch, by: Author, defaultVariationId: string): Promise<OnStaged> {
  const { tx, flag, row } = on
  const draft = { ...row.draft, defaultVariationId }
  await saveDraftEdit(tx, row, draft, by.now)
  const recordStaged = async () =>
    recordFlagChange(tx, by, flag, {
      action: 'flag.stage_default',
      before: { envId: row.envId, defaultVariationId: row.draft.defaultVariationId },
      after: { envId: row.envId, defaultVariationId },
      events: [await updatedIn(tx, row)],
    })
  return { ...on, flag: { ...flag, version: flag.version + 1 }, row: { ...row, draft }, recordStaged }
}

/** Does what is due, once, whoever else looks: the switch and the end of the schedule are one transaction. */
export async function carryOut(change: Publishing, by: Author, due: DueSchedule): Promise<void> {
  const onDue = (work: (on: OnSwitch, schedule: Schedule) => Promise<unknown>) =>
    onSwitch(change, due, by, async (on) => {
      const schedule = await findSchedule(on.tx, due.id)
      return schedule && work(on, schedule)
    })
  const result = await onDue(async (on, schedule) => {
    const verdict = verdictOn(schedule, by.now)
    if (verdict === 'leave') return undefined
    if (verdict === 'fail') return end(on, by, schedule, 'FAILED', tooLate)
    const flipped = await flip(on, by, schedule.ruleId, schedule.action === 'RUN')
    return isRefusal(flipped) ? flipped : end(on, by, schedule, 'DONE')
  })
  if (isRefusal(result))
    await onDue(async (on, schedule) =>
      verdictOn(schedule, by.now) === 'leave' ? undefined : end(on, by, schedule, 'FAILED', result.message),
    )
}

/** Runs or pauses, an environment or one rule, in the transaction that it is given. */
const flip = (on: OnSwitch, by: Author, ruleId: string | null, enabled: boolean): Promise<SwitchResult | Refusal> =>
  ruleId === null ? setEnabled(on, by, enabled) : setRuleEnabled(on, by, ruleId, enabled)

/** What a person asks for: a run waits for the schedule that is set, and a pause stops what would undo it. */
async function byHand(
  on: OnStaged,
  by: Author,
  ruleId: string | null,
  enabled: boolean,
): Promise<SwitchResult | Refusal> {
  const target = { flagId: on.flag.id, envId: on.row.envId, ruleId }
  if (!enabled) {
    const [runs, paused] = await inOneTrip([pendingRuns(on.tx, target), flip(on, by, ruleId, false)])
    return isRefusal(paused) ? paused : { ...paused, suspendedSchedules: await suspend(on, by, runs) }
  }
  const [refusal, run] = await inOneTrip([guardRun(on.tx, target), flip(on, by, ruleId, true)])
  // A run that changes nothing needs no guard; what it has changed, its refusal takes back.
  return isRefusal(run) || !run.changed ? run : (refusal ?? run)
}

async function setEnabled(on: OnStaged, by: Author, enabled: boolean): Promise<SwitchResult | Refusal> {
  const { tx, flag, row } = on
  if (enabled) {
    const refusal = refusesTransition('run', statusOf(flag, row.enabled))
    if (refusal) return refusal
  }
  if (enabled === row.enabled) {
    await on.recordStaged?.()
    return unmoved(on)
  }
  // There is nothing to keep serving before the first publish: the first run takes the draft live.
  const first = enabled && !row.published
  const switched = { ...row, enabled, live: first ? row.draft : row.live, published: row.published || first }
  const saved = saveSwitch(tx, row, switched, by.now)
  const [{ publication, summary, events }] = await inOneTrip([on.republish(), saved])
  if (first) {
    await markPublished(tx, row.envId, [flag.id], publication.revision)
    await deleteRuleRows(tx, droppedRules(row.live, row.draft))
  }
  await on.recordStaged?.()
  await recordFlagChange(tx, by, flag, {
    action: enabled ? 'flag.run' : 'flag.pause',
    before: { envId: row.envId, enabled: row.enabled, revision: publication.previousRevision },
    after: { envId: row.envId, enabled, revision: publication.revision },
    events: [updatedEvent(summary, row), ...events],
  })
  const moved = { ...flag, everEnabled: flag.everEnabled || enabled }
  return { ...standing(moved, switched, publication), changed: true, flagStatus: summary.status }
}

/** Runs or pauses one rule and leaves the others as they are. */
export function switchRule(
  change: Publishing,
  by: Author,
  which: WhichEnvironment & { ruleId: string },
  enabled: boolean,
): Promise<SwitchResult | Refusal> {
  return onSwitch(change, which, by, (on) => byHand(on, by, which.ruleId, enabled))
}

async function setRuleEnabled(
  on: OnSwitch,
  by: Author,
  ruleId: string,
  enabled: boolean,
): Promise<SwitchResult | Refusal> {
  const { tx, flag, row } = on
  const stored = (await findRuleRows(tx, row)).find(({ id }) => id === ruleId)
  const rule = [...row.live.rules, ...row.draft.rules].find(({ id }) => id === ruleId)
  if (!stored || !rule) return notFound('Rule')
  if (enabled) {
    const refusal = refusesTransition('run', statusOf(flag, row.enabled))
    if (refusal) return refusal
  }
  const live = enabled ? withRuleLive(row, ruleId) : row.live
  if (isRefusal(live)) return live
  if (enabled === stored.enabled && live === row.live) return { ...(await unmoved(on)), ruleId, enabled }
  const switched = { ...row, live }
  const saved = [saveRuleSwitch(tx, ruleId, enabled, by.now), saveSwitch(tx, row, switched, by.now)]
  const [{ publication, summary, events }] = await inOneTrip([on.republish(), ...saved])
  await by.record(tx, {
    orgId: flag.orgId,
    projectId: flag.projectId,
    object: { type: 'rule', id: ruleId, name: rule.name },
    action: enabled ? 'rule.run' : 'rule.pause',
    before: { envId: row.envId, ruleId, enabled: stored.enabled, revision: publication.previousRevision },
    after: { envId: row.envId, ruleId, enabled, revision: publication.revision },
    events: [updatedEvent(summary, row, { rule }), ...events],
  })
  return { ...standing(flag, switched, publication), changed: true, flagStatus: summary.status, ruleId, enabled }
}

/** Running a rule that was never published takes it live alone; nothing else that is staged goes along. */
function withRuleLive({ live, draft }: FlagEnvironment, ruleId: string): Version | Refusal {
  const isThis = ({ id }: RuleDefinition) => id === ruleId
  if (live.rules.some(isThis)) return live
  const rule = draft.rules.find(isThis)
  if (!rule) return notFound('Rule')
  const needed =
    rule.type === 'TARGETED_DELIVERY' ? [rule.variationId] : rule.variations.map((each) => each.variationId)
  const missing = needed.filter((id) => !live.variations.some((variation) => variation.id === id))
  if (missing.length > 0)
    return refuse('invalid_state', 'The rule serves a variation that is not live yet. Publish the environment first.', {
      references: missing.map((id) => ({ type: 'variation', id })),
    })
  return { ...live, rules: placeAmong(live.rules, draft.rules, rule) }
}

/** The switch is where it shall be. */
async function unmoved({ tx, flag, row, environment }: OnSwitch): Promise<SwitchResult> {
  const { status } = await flagSummary(tx, flag.id)
  return { ...standing(flag, row, environment), changed: false, flagStatus: status }
}

const standing = (
  flag: Flag,
  row: FlagEnvironment,
  { revision, etag, publishedAt }: PublishedEnvironment | Publication,
) => ({
  flagId: flag.id,
  envId: row.envId,
  ruleId: null,
  enabled: row.enabled,
  dataFile: { revision, etag, publishedAt },
  suspendedSchedules: [],
  flag,
  row,
})

export async function replaceOverrides(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  which: { flagId: string; envId: string },
  requested: RequestedOverrides,
): Promise<{ flag: Flag; draft: Version; overrides: Overrides; staged: boolean } | Refusal> {
  return onDraft(db, which, async ({ tx, flag, row }) => {
    const overrides = parseOverrides(requested, row.draft)
    if (isRefusal(overrides)) return overrides
    const failed = ifMatch(flagEtag(flag))
    if (failed) return failed
    const staged = !isDeepStrictEqual(overrides, row.live.overrides)
    if (isDeepStrictEqual(overrides, row.draft.overrides)) return { flag, draft: row.draft, overrides, staged }
    const draft = { ...row.draft, overrides }
    await saveDraftEdit(tx, row, draft, by.now)
    await recordFlagChange(tx, by, flag, {
      action: 'flag.replace_overrides',
      before: { envId: row.envId, overrides: row.draft.overrides },
      after: { envId: row.envId, overrides },
      events: [await updatedIn(tx, row)],
    })
    return { flag: { ...flag, version: flag.version + 1 }, draft, overrides, staged }
  })
}
