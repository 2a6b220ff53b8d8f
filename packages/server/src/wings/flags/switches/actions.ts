import { isDeepStrictEqual } from 'node:util'
import type { ActionName } from '../../../catalogue/actions.ts'
import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { currentWhole, type Db, isUnavailable, type Tx } from '../../../platform/db/index.ts'
import { type Author, type Authored, authored } from '../../../platform/outbox.ts'
import { alone, answeredTogether } from '../../../platform/together.ts'
import { inOneTrip } from '../../../platform/transaction.ts'
import { type ExperimentSummary, type Owner, refusesOwned, standingOwner } from '../../model/experiments/index.ts'
import { type LockedFlagEnvironment, markPublished, saveVersions } from '../../model/flag-environments/index.ts'
import { deleteRuleRows, findRuleRows, saveRuleSwitches } from '../../model/rules/index.ts'
import {
  authorshipAfter,
  type FlagEnvironment,
  type FlagStatus,
  type FlagSummary,
  namesSame,
  type Overrides,
  statusOf,
  type Version,
} from '../../model/versions/index.ts'
import {
  changedFlag,
  type FlagStateRow,
  lockEnvironment,
  type MovedExperiment,
  movesParts,
  type Publication,
  type PublishedEnvironment,
  type Publishing,
  type Republish,
  type Republished,
  type Turn,
  type Why,
} from '../../serving/datafile/index.ts'
import {
  type Flag,
  flagEtag,
  type LockedFlag,
  lockFlagsIn,
  notingSwitched,
  ofFlag,
  onDraft,
  recordFlagChange,
  type SwitchedFlag,
  saveDraftEdit,
  saveSwitched,
  updatedEvent,
  updatedIn,
} from '../flags/index.ts'
import { parseOverrides, type RequestedOverrides } from './overrides.ts'
import { findSwitchFacts, type SwitchFacts } from './queries.ts'
import { endedSchedule } from './schedules/actions.ts'
import { type DueSchedule, openSchedulesIn, saveEndings } from './schedules/queries.ts'
import type { Schedule } from './schedules/schedule.ts'
import { decideSwitch, type Move, type Next, type Standing, type Wanted } from './switch.ts'

interface WhichEnvironment {
  orgId: string
  projectId: string
  flagId: string
  envId: string
}

/** A request to switch a flag in an environment. */
export type Asked = {
  which: WhichEnvironment
  by: Author
  /** The failed checks for which the service acts. The audit log keeps them. */
  because?: readonly string[]
} & ({ move: Move | null; defaultVariationId?: string | undefined; ifMatch?: IfMatch } | { scheduleId: string })

/** The state of the switch, and whether this call changed it. */
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

/** Runs or pauses. Takes effect before the promise resolves. */
export type Switching = (asked: Asked) => Promise<SwitchResult | Refusal>

/**
 * Concurrent switches of one environment share a transaction, because they would wait for each other's commit. Requests
 * that arrive during a transaction form the next one. Each switch has its own revision, audit entry and events.
 */
export function switching(change: Publishing): Switching {
  const together = answeredTogether<Asked, SwitchResult | Refusal>(
    (_environment, asked) => switchTogether(change, asked),
    isUnavailable,
  )
  return async (asked) => {
    const { orgId, projectId, envId } = asked.which
    // This is part of a larger transaction, which other requests must not join.
    if (currentWhole()) return (await switchTogether(change, [asked]))[0] as SwitchResult | Refusal
    return together(`${orgId} ${projectId} ${envId}`, asked)
  }
}

/** Stages a different default variation, then runs or pauses. If one of the two is refused, neither happens. */
export const updateFlagEnvironment = (
  switching: Switching,
  by: Author,
  ifMatch: IfMatch,
  which: WhichEnvironment,
  { defaultVariationId, enabled }: { defaultVariationId?: string | undefined; enabled?: boolean | undefined },
): Promise<SwitchResult | Refusal> =>
  switching({
    which,
    by,
    ifMatch,
    defaultVariationId,
    move: enabled === undefined ? null : { ruleId: null, enabled },
  })

/** Carries out a due schedule exactly once: its switch and its end are in one transaction. */
export async function carryOut(switching: Switching, by: Author, { id, ...which }: DueSchedule): Promise<void> {
  await switching({ which, by, scheduleId: id })
}

/** Locks, decides, writes, publishes and records switches of one environment. A refusal does not affect the others. */
async function switchTogether(
  change: Publishing,
  asked: readonly Asked[],
): Promise<(SwitchResult | Refusal | typeof alone)[]> {
  const { orgId, projectId, envId } = asked[0]!.which
  const flagIds = [...new Set(asked.map(({ which }) => which.flagId))]
  const result = await change(async (tx, republish, planTurns) => {
    const [environment, flags, facts] = await inOneTrip([
      lockEnvironment(tx, { orgId, projectId, envId }),
      lockFlagsIn(tx, orgId, flagIds, envId),
      findSwitchFacts(tx, flagIds, envId),
    ])
    if (!environment) return asked.map(() => notFound('Environment'))
    const schedules = facts.some(({ scheduled }) => scheduled) ? await openSchedulesIn(tx, flagIds, envId) : []
    const decided = decideEach(asked, placesOf(environment, flags, facts, schedules))
    const [only] = decided
    if (isDecision(only) && only.movesParts) return [await switchAlone(tx, republish, only)]
    const decisions = decided.filter(isDecision)
    const moved = decisions.filter(({ next }) => next.moved)
    const plan = await planTurns(tx, [environment], moved.map(turnOf))
    const outcomes = decided.map((each) => {
      if (!isDecision(each)) return each
      const outcome = each.next.moved ? plan.outcomes[moved.indexOf(each)]! : { publications: [], events: [] }
      return isRefusal(outcome) ? outcome : doneWith(each, outcome)
    })
    const done = outcomes.filter(isDecision)
    const [published, others] = [done.filter(isPublished), done.filter((each) => !isPublished(each))]
    const switches = switchesOf(published)
    const alongside = { switches, part: notingSwitched(switches) }
    await inOneTrip([
      ...savingSwitches(tx, envId, others),
      ...saving(tx, envId, done),
      switches.length > 0 ? plan.save(alongside) : plan.save(),
      record(tx, done),
    ])
    return outcomes.map((each) => (isDecision(each) ? answerOf(each) : each))
  })
  return isRefusal(result) ? asked.map(() => result) : result
}

/** What a switch and its data file depend on. */
type Place = Omit<Standing, 'row'> & {
  row: LockedFlagEnvironment
  environment: PublishedEnvironment
  facts: SwitchFacts
}

interface Decision {
  asked: Asked
  place: Place
  next: Next
  /** The flag after the switch. */
  state: FlagStateRow
  /** Whether the switch may change which audiences or segments the data file needs. */
  movesParts: boolean
}

interface Done extends Decision {
  publication: Pick<Publication, 'revision' | 'previousRevision' | 'etag' | 'publishedAt'>
  events: Republished['events']
}

const isDecision = <Made extends Decision>(each: Made | Refusal | typeof alone | undefined): each is Made =>
  typeof each === 'object' && 'next' in each

function placesOf(
  environment: PublishedEnvironment,
  flags: readonly LockedFlag[],
  facts: readonly SwitchFacts[],
  schedules: readonly Schedule[],
): Map<string, Place> {
  const factsOf = new Map(facts.map((each) => [each.flagId, each]))
  return new Map(
    flags.map(({ flag, row }) => {
      const known = factsOf.get(flag.id)!
      const drafts = new Set(known.owners.flatMap(({ ruleId, launched }) => (launched ? [] : [ruleId])))
      const rules = new Map(
        known.rules.map(({ id, enabled, experimentId }) => [id, { enabled, experimentId, launches: drafts.has(id) }]),
      )
      const open = schedules.filter(({ flagId }) => flagId === flag.id)
      return [flag.id, { environment, flag, row, rules, schedules: open, facts: known }]
    }),
  )
}

/** Switches of different flags can go together if they do not change the audiences and segments of the data file. */
function decideEach(
  asked: readonly Asked[],
  places: ReadonlyMap<string, Place>,
): (Decision | Refusal | typeof alone)[] {
  const seen = new Set<string>()
  return asked.map((each) => {
    const place = places.get(each.which.flagId)
    if (!place) return notFound('Flag')
    if (seen.has(place.flag.id)) return alone
    const decision = decide(each, place)
    if (isRefusal(decision)) return decision
    if (decision.movesParts && asked.length > 1) return alone
    seen.add(place.flag.id)
    return decision
  })
}

function decide(asked: Asked, place: Place): Decision | Refusal {
  const next = decideSwitch(place, wantedOf(asked, place), asked.by.now)
  if (isRefusal(next)) return next
  const { flag, row, rules } = next
  const { id, shortId, key, name, type } = flag
  const state: FlagStateRow = {
    ...{ id, shortId, key, name, type },
    status: statusOf(flag, row.enabled || place.facts.enabledElsewhere),
    archived: flag.archivedAt !== null,
    enabled: row.enabled,
    live: row.live,
    fragment: place.facts.fragment,
    served: place.facts.served,
    shortIds: place.facts.shortIds,
    owners: place.facts.owners,
    enabledRules: [...rules].filter(([, { enabled }]) => enabled).map(([ruleId]) => ruleId),
  }
  const namesOthers = !namesSame(place.row.live, row.live)
  return { asked, place, next, state, movesParts: namesOthers || movesParts(changedFlag(state)) }
}

function wantedOf(asked: Asked, { flag, facts }: Place): Wanted {
  if ('scheduleId' in asked) return asked
  const { move, ifMatch } = asked
  if (!move?.ruleId) return { ...asked, precondition: ifMatch?.(flagEtag(flag)) }
  const rule = facts.rules.find(({ id }) => id === move.ruleId)
  return { ...asked, precondition: rule && ifMatch?.(versionEtag('r', rule.version)) }
}

const turnOf = ({ asked: { by, which }, state }: Decision): Turn => ({
  by,
  why: switched,
  flags: new Map([[which.envId, state]]),
})

const switched: Why = { reason: 'SWITCHED' }

function doneWith(decision: Decision, { publications, events }: Pick<Republished, 'publications' | 'events'>): Done {
  const { environment } = decision.place
  const [publication = { ...environment, previousRevision: environment.revision }] = publications
  return { ...decision, publication, events }
}

/** Writes first, because all rows of the environment decide which audiences and segments the file needs. */
async function switchAlone(tx: Tx, republish: Republish, decision: Decision): Promise<SwitchResult> {
  const { asked, place, next } = decision
  const { id: envId } = place.environment
  const unpublished = [doneWith(decision, { publications: [], events: [] })]
  await inOneTrip([...savingSwitches(tx, envId, unpublished), ...saving(tx, envId, unpublished)])
  const published = await republish(tx, [place.environment], [next.flag.id], asked.by, switched)
  const done = doneWith(decision, published)
  if (next.moved?.tookDraftLive) await markPublished(tx, envId, [next.flag.id], done.publication.revision)
  await record(tx, [done])
  return answerOf(done)
}

/** The data file of such a switch changes, and the statement that saves it saves the switch as well. */
const isPublished = ({ publication }: Done): boolean => publication.revision > publication.previousRevision

const isChanged = ({ next }: Done): boolean => next.moved !== null || next.staged

const switchesOf = (done: readonly Done[]): SwitchedFlag[] =>
  done.filter(isChanged).map(({ asked, next: { row, staged, moved }, publication }) => ({
    flagId: row.flagId,
    enabled: row.enabled,
    published: row.published,
    lastPublishedRevision: moved?.tookDraftLive ? publication.revision : row.lastPublishedRevision,
    edited: staged,
    at: asked.by.now,
    by: asked.by.actor.name,
  }))

function savingSwitches(tx: Tx, envId: string, done: readonly Done[]): Promise<void>[] {
  const switches = switchesOf(done)
  return switches.length > 0 ? [saveSwitched(tx, envId, switches)] : []
}

/** The statements that write the rest of the decisions. */
function saving(tx: Tx, envId: string, done: readonly Done[]): Promise<void>[] {
  const versions = done
    .filter(isChanged)
    .filter(({ place: { row }, next }) => next.row.live !== row.live || next.row.draft !== row.draft)
    .map(({ asked, place, next: { row } }) => ({ ...row, stagedBy: authorshipAfter(place.row, row, asked.by) }))
  const rules = done.flatMap(({ asked, next: { moved } }) =>
    moved?.rule ? [{ id: moved.rule.id, enabled: moved.enabled, at: asked.by.now }] : [],
  )
  const endings = done.flatMap((each) => endedOf(each).map(({ ended }) => ended))
  const dropped = done.flatMap(({ next }) => next.moved?.droppedRules ?? [])
  const statements: Promise<void>[] = []
  if (versions.length > 0) statements.push(saveVersions(tx, envId, versions))
  if (rules.length > 0) statements.push(saveRuleSwitches(tx, rules))
  if (endings.length > 0) statements.push(saveEndings(tx, endings))
  if (dropped.length > 0) statements.push(deleteRuleRows(tx, dropped))
  return statements
}

const endedOf = ({ asked: { by }, place, next, state }: Decision) =>
  next.endings.map(({ schedule, ...ending }) => {
    const experiment = ownerAfter(state, schedule.ruleId)
    return endedSchedule(
      { flag: next.flag, row: place.row, summary: summaryOf(state), experiment },
      by,
      schedule,
      ending,
    )
  })

/** The experiment that owns a rule, as the switch leaves it. */
function ownerAfter(state: FlagStateRow, ruleId: string | null): ExperimentSummary | undefined {
  const owner = state.owners.find((each) => each.ruleId === ruleId)
  const isEnabled = state.enabled && !state.archived && state.enabledRules.some((id) => id === ruleId)
  return owner && standingOwner(owner, isEnabled && state.live.rules.some(({ id }) => id === ruleId))
}

async function record(tx: Tx, done: readonly Done[]): Promise<void> {
  await done[0]?.asked.by.recordAll(tx, done.flatMap(recordsOf))
}

function recordsOf(done: Done): Authored[] {
  const { asked, place, next, state, publication, events } = done
  const { by } = asked
  const { row } = place
  const { envId } = row
  const summary = summaryOf(state)
  const records: Authored[] = []
  if (next.staged)
    records.push(
      authored(by, {
        ...ofFlag(next.flag),
        action: 'flag.stage_default',
        before: { envId, defaultVariationId: row.draft.defaultVariationId },
        after: { envId, defaultVariationId: next.row.draft.defaultVariationId },
        events: [updatedEvent(summary, row)],
      }),
    )
  if (next.moved) {
    const { rule, enabled, wasEnabled } = next.moved
    const before = { enabled: wasEnabled, revision: publication.previousRevision }
    const after = { enabled, revision: publication.revision, ...(asked.because && { because: asked.because }) }
    const experiment = rule && movedIn(events, place.facts.owners, rule.id)
    records.push(
      experiment
        ? authored(by, {
            ...ofFlag(next.flag),
            object: { type: 'experiment', id: experiment.id, name: experiment.name },
            action: experiment.action,
            before: { envId, ruleId: rule.id, status: experiment.previousStatus, ...before },
            after: { envId, ruleId: rule.id, status: experiment.status, ...after },
            events: [updatedEvent(summary, row, { rule }), ...events],
          })
        : rule
          ? authored(by, {
              ...ofFlag(next.flag),
              object: { type: 'rule', id: rule.id, name: rule.name },
              action: enabled ? 'rule.run' : 'rule.pause',
              before: { envId, ruleId: rule.id, ...before },
              after: { envId, ruleId: rule.id, ...after },
              events: [updatedEvent(summary, row, { rule }), ...events],
            })
          : authored(by, {
              ...ofFlag(next.flag),
              action: enabled ? 'flag.run' : 'flag.pause',
              before: { envId, ...before },
              after: { envId, ...after },
              events: [updatedEvent(summary, row), ...events],
            }),
    )
  }
  return [...records, ...endedOf(done).map(({ recorded }) => recorded)]
}

const movedBy = {
  'experiment.launched': 'experiment.launch',
  'experiment.paused': 'experiment.pause',
  'experiment.resumed': 'experiment.resume',
} as const satisfies Record<MovedExperiment, ActionName>

/** A switch of a rule that starts or stops its experiment is recorded as what happens to the experiment. */
function movedIn(events: Republished['events'], owners: readonly Owner[], ruleId: string) {
  const owner = owners.find((each) => each.ruleId === ruleId)
  for (const { name, payload } of events)
    if (name !== 'flag.published' && name !== 'flag.rule_activated' && payload.experiment.id === owner?.id)
      return { ...payload.experiment, action: movedBy[name] }
  return undefined
}

const summaryOf = ({ id, shortId, key, name, status }: FlagStateRow): FlagSummary => ({
  id,
  shortId,
  key,
  name,
  status,
})

function answerOf(done: Done): SwitchResult {
  const { asked, next, state, publication } = done
  const { flag, row, moved } = next
  const { revision, etag, publishedAt } = publication
  const move = 'move' in asked ? asked.move : null
  const { ruleId, enabled } = move?.ruleId ? move : { ruleId: null, enabled: row.enabled }
  return {
    flagId: flag.id,
    envId: row.envId,
    ruleId,
    enabled,
    changed: moved !== null,
    flagStatus: state.status,
    dataFile: { revision, etag, publishedAt },
    suspendedSchedules: endedOf(done).flatMap(({ ended }) => (ended.status === 'SUSPENDED' ? [ended] : [])),
    flag,
    row,
  }
}

export async function replaceOverrides(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  {
    owner,
    ...which
  }: { flagId: string; envId: string /** The experiment that changes its allowlist. */; owner?: string },
  requested: RequestedOverrides,
): Promise<{ flag: Flag; draft: Version; live: Version } | Refusal> {
  return onDraft(db, which, async ({ tx, flag, row }) => {
    const overrides = parseOverrides(requested, row.draft)
    if (isRefusal(overrides)) return overrides
    const failed = ifMatch(flagEtag(flag)) ?? (await refusesOwnedLists(tx, row, overrides, owner))
    if (failed) return failed
    if (isDeepStrictEqual(overrides, row.draft.overrides)) return { flag, draft: row.draft, live: row.live }
    const draft = { ...row.draft, overrides }
    await saveDraftEdit(tx, row, draft, by)
    await recordFlagChange(tx, by, flag, {
      action: 'flag.replace_overrides',
      before: { envId: row.envId, overrides: row.draft.overrides },
      after: { envId: row.envId, overrides },
      events: [await updatedIn(tx, row)],
    })
    return { flag: { ...flag, version: flag.version + 1 }, draft, live: row.live }
  })
}

/** The allowlist of a rule is a part of what its experiment tests. */
export async function refusesOwnedLists(
  tx: Tx,
  row: FlagEnvironment,
  overrides: Overrides,
  owner: string | undefined,
): Promise<Refusal | undefined> {
  const listOf = (all: Overrides, id: string) => all.ruleAllowlists.find(({ ruleId }) => ruleId === id)?.entries ?? []
  for (const { id, experimentId } of await findRuleRows(tx, row)) {
    const isSame = isDeepStrictEqual(listOf(overrides, id), listOf(row.draft.overrides, id))
    const refusal = isSame ? undefined : refusesOwned(experimentId, owner)
    if (refusal) return refusal
  }
  return undefined
}
