import { isDeepStrictEqual } from 'node:util'
import type { Condition } from '@svc/core'
import type { ActionOn } from '../../../catalogue/actions.ts'
import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId, newId } from '../../../platform/ids.ts'
import type { Author, ProjectChange } from '../../../platform/outbox.ts'
import { lockReferenced } from '../../model/audiences/index.ts'
import { goneGroups, joinGroup, rejoinGroups } from '../../model/exclusion-groups/index.ts'
import { refusesOwned } from '../../model/experiments/index.ts'
import { findFlagEnvironment, type LockedFlagEnvironment } from '../../model/flag-environments/index.ts'
import { shareHoldout } from '../../model/holdouts/index.ts'
import { lockMetrics } from '../../model/metrics/index.ts'
import { deleteRuleRows, findRuleRows, insertRuleRows, movedVisitors, touchRuleRows } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import {
  copyRules,
  describeRule,
  type FlagEnvironment,
  movedShare,
  type Overrides,
  type RuleDefinition,
  reassigns,
  ruleReferences,
  type Version,
  withoutRule,
} from '../../model/versions/index.ts'
import { type Flag, flagEtag, onDraft, saveDraftEdit, updatedIn } from '../flags/index.ts'
import { keyFor } from '../projects/index.ts'
import {
  type Known,
  maxRulesPerEnvironment,
  metricKeysOf,
  parseRule,
  placed,
  type RuleContext,
  reassignmentUnconfirmed,
  reordered,
  ruleKeyTaken,
  takenRuleKeys,
  updatedRule,
  withFreeKeys,
} from './rule.ts'
import type { RuleRequest, RuleUpdate } from './schema.ts'

export interface WhichRules {
  flagId: string
  envId: string
}

export interface WhichRule extends WhichRules {
  ruleId: string
  /** The experiment on whose behalf the rule changes. */
  owner?: string
}

/** All edits below change the draft, which the next publish makes live, and return the drafted rules. */
export function createRule(
  db: Db,
  by: Author,
  which: WhichRules,
  request: RuleRequest,
): Promise<{ ruleId: string; context: RuleContext } | Refusal> {
  return onRules(db, which, async (on) => {
    const full = refusesMore(on.row, 1)
    if (full) return full
    const id = newId()
    const known = await lockKnown(on, id, { ...noTest, ...request })
    const taken = takenRuleKeys(on.row)
    const named = {
      id,
      shortId: await takeShortIds(on.tx, on.flag.projectId, 'RULE'),
      key: request.key ?? keyFor(request.name, 'rule', taken),
    }
    const rule = parseRule(named, request, on.row.draft, known)
    if (isRefusal(rule)) return rule
    if (taken.has(rule.key)) return ruleKeyTaken(rule.key)
    await insertRuleRows(on.tx, [{ ...which, id: rule.id, enabled: request.enabled }], by.now)
    const rules = placed(on.row.draft.rules, rule, request.position)
    const context = await saveRules(on, rules, by, { action: 'rule.create', rule, after: rule })
    return { ruleId: rule.id, context }
  })
}

export function updateRule(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { ruleId, owner, ...which }: WhichRule,
  update: RuleUpdate,
): Promise<RuleContext | Refusal> {
  return onRules(db, which, async (on) => {
    const { flag, row, tx } = on
    const current = row.draft.rules.find(({ id }) => id === ruleId)
    const stored = (await findRuleRows(tx, row)).find(({ id }) => id === ruleId)
    if (!current || !stored) return notFound('Rule')
    // Validate the body before checking the precondition and the state.
    const known = await lockKnown(on, ruleId, namedAfter(current, update, row.draft))
    const rule = updatedRule(current, update, row.draft, known)
    if (isRefusal(rule)) return rule
    const failed = ifMatch(versionEtag('rule', stored.version)) ?? refusesOwned(stored.experimentId, owner)
    if (failed) return failed
    const live = row.live.rules.find(({ id }) => id === ruleId)
    const running = row.enabled && stored.enabled && live !== undefined && flag.archivedAt === null
    const unconfirmed = await refusesReassignment(tx, live ?? current, rule, {
      running,
      confirmed: update.confirmReassignment,
    })
    if (unconfirmed) return unconfirmed
    const rules =
      update.position === undefined
        ? row.draft.rules.map((each) => (each.id === ruleId ? rule : each))
        : placed(row.draft.rules, rule, update.position)
    if (update.dryRun || isDeepStrictEqual(rules, row.draft.rules)) return contextOf(on)
    await touchRuleRows(tx, [ruleId], by.now)
    return saveRules(on, rules, by, { action: 'rule.update', rule, before: current, after: rule })
  })
}

/** An edit that gives visitors of a running test a different variation must be confirmed. */
export async function refusesReassignment(
  tx: Tx,
  before: RuleDefinition,
  after: RuleDefinition,
  { running, confirmed }: { running: boolean; confirmed: boolean },
): Promise<Refusal | undefined> {
  if (!running || confirmed || !reassigns(before, after)) return undefined
  const [moved] = await movedVisitors(tx, [{ ruleId: before.id, share: movedShare(before, after) }])
  return reassignmentUnconfirmed(moved!.visitors)
}

export function deleteRule(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { ruleId, owner, ...which }: WhichRule,
): Promise<null | Refusal> {
  return onRules(db, which, async (on) => {
    const { tx, row } = on
    const rule = row.draft.rules.find(({ id }) => id === ruleId)
    const stored = (await findRuleRows(tx, row)).find(({ id }) => id === ruleId)
    if (!rule || !stored) return notFound('Rule')
    const failed = ifMatch(versionEtag('rule', stored.version)) ?? refusesOwned(stored.experimentId, owner)
    if (failed) return failed
    const { rules, overrides } = withoutRule(row.draft, ruleId)
    await saveRules(on, rules, by, { action: 'rule.delete', rule, before: rule }, overrides)
    // A live rule keeps its switch until the publish that removes it.
    if (!row.live.rules.some(({ id }) => id === ruleId)) await deleteRuleRows(tx, [ruleId])
    return null
  })
}

export function duplicateRule(
  db: Db,
  by: Author,
  { ruleId, ...which }: WhichRules & { ruleId: string },
): Promise<{ ruleId: string; context: RuleContext } | Refusal> {
  return onRules(db, which, async (on) => {
    const { rules } = on.row.draft
    const position = rules.findIndex(({ id }) => id === ruleId)
    const original = rules[position]
    if (!original) return notFound('Rule')
    const full = refusesMore(on.row, 1)
    if (full) return full
    const copies = await copiesOf(on, [original])
    if (isRefusal(copies)) return copies
    const copy = { ...copies[0]!, name: nameOfCopy(original.name) }
    await insertRuleRows(on.tx, [{ ...which, id: copy.id, enabled: false }], by.now)
    const context = await saveRules(on, placed(rules, copy, position + 1), by, {
      action: 'rule.duplicate',
      rule: copy,
      after: { ...copy, copyOf: ruleId },
    })
    return { ruleId: copy.id, context }
  })
}

const maxCopyNameLength = 200

export const nameOfCopy = (name: string): string => `${name} (copy)`.slice(0, maxCopyNameLength)

/** Appends the rules of a different environment of the flag, all paused. */
export function copyRulesFrom(
  db: Db,
  by: Author,
  which: WhichRules,
  sourceEnvId: string,
): Promise<{ ruleIds: string[]; context: RuleContext } | Refusal> {
  return onRules(db, which, async (on) => {
    const { tx, flag, row } = on
    if (sourceEnvId === which.envId)
      return invalid({ path: ['sourceEnvId'], message: 'must be a different environment.' })
    const source = isId(sourceEnvId) ? await findFlagEnvironment(tx, flag.id, sourceEnvId) : undefined
    if (!source) return notFound('Source environment')
    const full = refusesMore(row, source.draft.rules.length)
    if (full) return full
    const count = source.draft.rules.length
    if (count === 0) return { ruleIds: [], context: await contextOf(on) }
    const rules = await copiesOf(on, source.draft.rules)
    if (isRefusal(rules)) return rules
    const ruleIds = rules.map(({ id }) => id)
    await insertRuleRows(
      tx,
      ruleIds.map((id) => ({ ...which, id, enabled: false })),
      by.now,
    )
    const context = await saveRules(on, [...row.draft.rules, ...rules], by, {
      action: 'rule.copy',
      rules,
      after: { sourceEnvId, rules },
    })
    return { ruleIds, context }
  })
}

/**
 * Copies with their own ids, numbers, keys, salts and slots. A copy leaves a group that was deleted. Short ids are taken
 * last, as their counter is locked last.
 */
async function copiesOf({ tx, flag: { projectId }, row }: OnRules, rules: readonly RuleDefinition[]) {
  const { envId } = row
  const groupOf = (rule: RuleDefinition) => (rule.type === 'AB_TEST' && rule.exclusion?.groupId) || ''
  const gone = await goneGroups(tx, projectId, rules.map(groupOf).filter(Boolean))
  const named = rules.map((rule) => ({ ...rule, id: newId(), ...(gone.has(groupOf(rule)) && { exclusion: null }) }))
  const placed = await rejoinGroups(tx, { projectId, envId }, named)
  if (isRefusal(placed)) return placed
  const firstShortId = await takeShortIds(tx, projectId, 'RULE', rules.length)
  const newIds = named.map(({ id }) => id)
  const copies = copyRules(rules, { newId: () => newIds.shift()!, firstShortId }).rules
  const slotted = copies.map((copy, at) => {
    const own = placed[at]!
    return copy.type === 'AB_TEST' && own.type === 'AB_TEST' ? { ...copy, exclusion: own.exclusion } : copy
  })
  return withFreeKeys(slotted, takenRuleKeys(row))
}

export function reorderRules(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  which: WhichRules,
  ruleIds: readonly string[],
): Promise<RuleContext | Refusal> {
  return onRules(db, which, async (on) => {
    const before = on.row.draft.rules
    const rules = reordered(before, ruleIds)
    if (isRefusal(rules)) return rules
    const failed = ifMatch(flagEtag(on.flag))
    if (failed) return failed
    if (isDeepStrictEqual(rules, before)) return contextOf(on)
    const ids = before.map(({ id }) => id)
    return saveRules(on, rules, by, { action: 'rule.reorder', rules, before: ids, after: ruleIds })
  })
}

interface OnRules {
  tx: Tx
  flag: Flag
  row: LockedFlagEnvironment
}

interface Named {
  audienceIds: readonly string[]
  conditions: Condition
  metrics: Parameters<typeof metricKeysOf>[0]
  exclusionGroupId: string | null
  holdoutId: string | null
}

const noTest = { metrics: {}, exclusionGroupId: null, holdoutId: null }

/** What a rule will name after the update. */
function namedAfter(current: RuleDefinition, update: RuleUpdate, draft: Version): Named {
  const given = Object.entries(update).filter(([, value]) => value !== undefined)
  return { ...noTest, ...describeRule(current, draft), ...Object.fromEntries(given) }
}

/** What a rule names and the project has, locked against deletion until the transaction ends. */
async function lockKnown({ tx, flag: { projectId }, row: { envId } }: OnRules, ruleId: string, named: Named) {
  const { metrics, exclusionGroupId, holdoutId } = named
  const known: Known = {
    references: await lockReferenced(tx, projectId, ruleReferences(named)),
    metrics: await lockMetrics(tx, projectId, metricKeysOf(metrics)),
    exclusion: exclusionGroupId === null ? null : await joinGroup(tx, { projectId, envId }, ruleId, exclusionGroupId),
    holdout: (holdoutId !== null && (await shareHoldout(tx, projectId, holdoutId))) || null,
  }
  return known
}

function onRules<Result>(db: Db, which: WhichRules, work: (on: OnRules) => Promise<Result | Refusal>) {
  return onDraft(db, which, work)
}

function refusesMore(row: FlagEnvironment, count: number): Refusal | undefined {
  if (row.draft.rules.length + count <= maxRulesPerEnvironment) return undefined
  return invalid({ path: [], message: `A flag can have up to ${maxRulesPerEnvironment} rules in an environment.` })
}

/** Edits of the draft. Switches are recorded elsewhere. */
type RuleAction = Exclude<ActionOn<'rule'>, 'rule.run' | 'rule.pause'>

/** A change of one or more rules. The audit log names the first of them. */
type RuleChange = Pick<ProjectChange<RuleAction>, 'action' | 'before' | 'after'> &
  ({ rule: RuleDefinition; rules?: never } | { rules: RuleDefinition[]; rule?: never })

async function saveRules(
  on: OnRules,
  rules: RuleDefinition[],
  by: Author,
  { rule, rules: several, ...change }: RuleChange,
  overrides: Overrides = on.row.draft.overrides,
): Promise<RuleContext> {
  const { tx, flag, row } = on
  const { id, name } = rule ?? several[0]!
  const draft = { ...row.draft, overrides, rules }
  await saveDraftEdit(tx, row, draft, by)
  // The experiment records what happens to its hidden flag.
  if (flag.kind === 'FLAG')
    await by.record(tx, {
      ...change,
      orgId: flag.orgId,
      projectId: flag.projectId,
      object: { type: 'rule', id, name },
      events: [await updatedIn(tx, row, rule ? { rule } : { rules: several })],
    })
  return contextOf({ ...on, flag: { ...flag, version: flag.version + 1 }, row: { ...row, draft } })
}

async function contextOf({ tx, flag, row }: OnRules): Promise<RuleContext> {
  const { envId, enabled, live, draft } = row
  return { flag, envId, enabled, live, draft, rows: await findRuleRows(tx, row) }
}
