import { isDeepStrictEqual } from 'node:util'
import { type Issue, invalid, isRefusal, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import { anyVersion, type IfMatch } from '../../../http/etag.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { rehearse } from '../../../platform/transaction.ts'
import { lockReferenced } from '../../model/audiences/index.ts'
import { lockGroups, rejoinGroups } from '../../model/exclusion-groups/index.ts'
import { refusesOwned } from '../../model/experiments/index.ts'
import type { LockedFlagEnvironment } from '../../model/flag-environments/index.ts'
import { shareHoldout } from '../../model/holdouts/index.ts'
import { lockMetrics } from '../../model/metrics/index.ts'
import { deleteRuleRows, findRuleRows, insertRuleRows, type RuleRow, touchRuleRows } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import {
  differences,
  type Overrides,
  type RuleDefinition,
  ruleReferences,
  stagedRuleSummaries,
  type Version,
} from '../../model/versions/index.ts'
import { type Flag, flagEtag, onDraft, recordFlagChange, saveDraftEdit, updatedIn } from '../flags/index.ts'
import { type AsIf, type PreviewedFlag, previewedFlags } from '../publishing/index.ts'
import { maxRulesPerEnvironment, metricKeysOf, parseRule, refusesReassignment } from '../rules/index.ts'
import { parseOverrides, refusesOwnedLists } from '../switches/index.ts'
import { type MatchedRule, matchRules } from './draft.ts'
import type { DraftRequest, PreviewDraftsRequest } from './schema.ts'

/**
 * Replaces the default variation and the rules of a draft, and the overrides if they are given. Either the whole draft
 * is saved or nothing.
 */
export function replaceDraft(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  which: { flagId: string; envId: string },
  wanted: DraftRequest,
): Promise<Flag | Refusal> {
  return onDraft(db, which, async ({ tx, flag, row }) => {
    const defaultVariation = row.draft.variations.find(({ key }) => key === wanted.defaultVariationKey)
    if (!defaultVariation)
      return invalid({ path: ['defaultVariationKey'], message: 'must be the key of a variation of the flag.' })
    if (wanted.rules.length > maxRulesPerEnvironment) {
      const message = `A flag can have up to ${maxRulesPerEnvironment} rules in an environment.`
      return invalid({ path: ['rules'], message })
    }
    const matched = matchRules(wanted.rules, row)
    if (isRefusal(matched)) return matched
    const stored = new Map((await findRuleRows(tx, row)).map((each) => [each.id, each]))
    const rules = (await parseRules(tx, flag, row, matched)) ?? []
    if (isRefusal(rules)) return rules
    const parsed = { ...row.draft, defaultVariationId: defaultVariation.id, rules }
    const overrides = wantedOverrides(wanted.overrides, parsed)
    if (isRefusal(overrides)) return overrides
    const draft = { ...parsed, overrides }
    const refusal =
      refusesSwitches(matched, stored) ??
      ifMatch(flagEtag(flag)) ??
      refusesExperiments(row.draft, draft, stored) ??
      (await refusesOwnedLists(tx, row, overrides, undefined)) ??
      (await refusesMoves(tx, flag, row, { draft, stored, confirmed: wanted.confirmReassignment }))
    if (refusal) return refusal
    if (isDeepStrictEqual(draft, row.draft)) return flag
    await saveDraftEdit(tx, row, draft, by)
    await saveRules(tx, by, row, { draft, stored, matched })
    const changes = differences(row.draft, draft)
    const summaries = stagedRuleSummaries(row.draft, draft)
    await recordFlagChange(tx, by, flag, {
      action: 'flag.replace_draft',
      before: { envId: row.envId, changes: Object.fromEntries(changes.map(({ path, from }) => [path, from])) },
      after: { envId: row.envId, changes: Object.fromEntries(changes.map(({ path, to }) => [path, to])) },
      events: [await updatedIn(tx, row, summaries.length > 0 ? { rules: summaries } : {})],
    })
    return { ...flag, version: flag.version + 1 }
  })
}

/**
 * What drafts would be if they replaced the present ones. Each draft is checked and rolled back by itself, so that it
 * takes only the locks of an edit, and holds them briefly.
 */
export async function rehearseDrafts(
  db: Db,
  by: Author,
  envId: string,
  { drafts, audiences }: Pick<PreviewDraftsRequest, 'drafts' | 'audiences'>,
): Promise<AsIf | Refusal> {
  const audienceIds = audiences.map(({ audienceId }) => audienceId)
  const flags: Map<string, PreviewedFlag | undefined> = new Map()
  for (const [index, { flagId, ...wanted }] of drafts.entries()) {
    const drafted = await rehearse(db, async (tx) => {
      const replaced = await replaceDraft(
        db,
        by,
        anyVersion,
        { flagId, envId },
        { ...wanted, confirmReassignment: true },
      )
      if (isRefusal(replaced)) return replaced
      return {
        found: (await previewedFlags(tx, envId, { flagIds: [flagId], audienceIds })).find(
          (each) => each.flagId === flagId,
        ),
      }
    })
    if (isRefusal(drafted)) return inDraft(drafted, index)
    flags.set(flagId, drafted.found)
  }
  return { flags, audiences: new Map(audiences.map(({ audienceId, conditions }) => [audienceId, conditions])) }
}

/** A refusal whose fields are those of a draft in a list. */
function inDraft(refusal: Refusal, index: number): Refusal {
  const issues = refusal.details?.issues as Issue[] | undefined
  if (!issues) return refusal
  return refuseIssues(issues.map(({ path, message }) => ({ path: ['drafts', index, ...path], message })))!
}

/** The definitions in their order. Locks what they name, in the order of every transaction. */
async function parseRules(
  tx: Tx,
  { projectId }: Flag,
  { draft, envId }: LockedFlagEnvironment,
  matched: readonly MatchedRule[],
): Promise<RuleDefinition[] | Refusal> {
  const requests = matched.flatMap(({ kept, ...rest }) => (kept ? [] : 'request' in rest ? [rest.request] : []))
  const tests = requests.flatMap((request) => (request.type === 'AB_TEST' ? [request] : []))
  const references = await lockReferenced(tx, projectId, requests.flatMap(ruleReferences))
  const metrics = await lockMetrics(tx, projectId, [...new Set(tests.flatMap((test) => metricKeysOf(test.metrics)))])
  const named = (ids: (string | null)[]) => [...new Set(ids.flatMap((id) => id ?? []))].toSorted()
  const groupIds = named(tests.map(({ exclusionGroupId }) => exclusionGroupId))
  const groups = new Map((await lockGroups(tx, projectId, groupIds)).map((group) => [group.id, group]))
  const holdouts = new Map<string, Awaited<ReturnType<typeof shareHoldout>>>()
  for (const id of named(tests.map(({ holdoutId }) => holdoutId)))
    holdouts.set(id, await shareHoldout(tx, projectId, id))
  const issues: Issue[] = []
  const rules = matched.map((rule, index) => {
    if (rule.kept) return rule.kept
    const { key, request, current } = rule
    const kept = current?.type === 'AB_TEST' ? current : undefined
    const group = request.type === 'AB_TEST' && groups.get(request.exclusionGroupId ?? '')
    const holdout = (request.type === 'AB_TEST' && holdouts.get(request.holdoutId ?? '')) || null
    // The slot follows, once all rules of the group are known.
    const noSlot = group ? { groupId: group.id, shortId: group.shortId, salt: group.salt, from: 0, to: 0 } : null
    const exclusion = group && kept?.exclusion?.groupId === group.id ? kept.exclusion : noSlot
    const id = current?.id ?? newId()
    const known = { references, metrics, exclusion, holdout }
    const parsed = parseRule({ id, key, shortId: current?.shortId ?? 0 }, request, draft, known, kept)
    if (!isRefusal(parsed)) return parsed
    for (const { path, message } of (parsed.details?.issues ?? []) as Issue[])
      issues.push({ path: ['rules', index, ...path], message })
    return undefined
  })
  const refusal = refuseIssues(issues)
  if (refusal) return refusal
  const placed = await rejoinGroups(
    tx,
    { projectId, envId },
    rules.filter((rule) => rule !== undefined),
  )
  if (isRefusal(placed)) return placed
  const added = placed.filter(({ shortId }) => shortId === 0).length
  let shortId = added > 0 ? await takeShortIds(tx, projectId, 'RULE', added) : 0
  return placed.map((rule) => (rule.shortId === 0 ? { ...rule, shortId: shortId++ } : rule))
}

/** A list can name a new rule by its key. If the lists are omitted, those of the remaining rules do not change. */
function wantedOverrides(wanted: DraftRequest['overrides'], draft: Version): Overrides | Refusal {
  const { rules, overrides } = draft
  if (!wanted)
    return {
      ...overrides,
      ruleAllowlists: overrides.ruleAllowlists.filter(({ ruleId }) => rules.some(({ id }) => id === ruleId)),
    }
  const ruleAllowlists = wanted.ruleAllowlists.map(({ ruleId, entries }) => ({
    ruleId: rules.find(({ id, key }) => id === ruleId || key === ruleId)?.id ?? ruleId,
    entries,
  }))
  const parsed = parseOverrides({ ...wanted, ruleAllowlists }, draft)
  if (!isRefusal(parsed)) return parsed
  const issues = (parsed.details?.issues ?? []) as Issue[]
  return refuseIssues(issues.map(({ path, message }) => ({ path: ['overrides', ...path], message })))!
}

type Stored = ReadonlyMap<string, RuleRow>

const refusesSwitches = (matched: readonly MatchedRule[], stored: Stored): Refusal | undefined =>
  refuseIssues(
    matched.flatMap((rule, index) => {
      if (rule.kept || !rule.current || rule.enabled === undefined) return []
      if (rule.enabled === stored.get(rule.current.id)?.enabled) return []
      const message = 'The switch of a rule cannot be changed here. Send POST to /run or /pause of the rule.'
      return [{ path: ['rules', index, 'enabled'], message }]
    }),
  )

function refusesExperiments(before: Version, after: Version, stored: Stored): Refusal | undefined {
  const ruleIn = ({ rules }: Version, ruleId: string) => rules.find(({ id }) => id === ruleId)
  for (const { id, experimentId } of stored.values()) {
    const isSame = isDeepStrictEqual(ruleIn(before, id), ruleIn(after, id))
    const refusal = isSame ? undefined : refusesOwned(experimentId, undefined)
    if (refusal) return refusal
  }
  return undefined
}

interface Edited {
  draft: Version
  stored: Stored
}

async function refusesMoves(
  tx: Tx,
  { archivedAt }: Flag,
  row: LockedFlagEnvironment,
  { draft, stored, confirmed }: Edited & { confirmed: boolean },
): Promise<Refusal | undefined> {
  for (const live of row.live.rules) {
    const after = draft.rules.find(({ id }) => id === live.id)
    const running = row.enabled && stored.get(live.id)?.enabled === true && archivedAt === null
    const refusal = after && (await refusesReassignment(tx, live, after, { running, confirmed }))
    if (refusal) return refusal
  }
  return undefined
}

async function saveRules(
  tx: Tx,
  by: Author,
  { flagId, envId, draft: before, live }: LockedFlagEnvironment,
  { draft, stored, matched }: Edited & { matched: readonly MatchedRule[] },
): Promise<void> {
  const off = new Set(matched.flatMap((rule) => (!rule.kept && rule.enabled === false ? [rule.key] : [])))
  const added = draft.rules.filter(({ id }) => !stored.has(id))
  if (added.length > 0)
    await insertRuleRows(
      tx,
      added.map(({ id, key }) => ({ id, flagId, envId, enabled: !off.has(key) })),
      by.now,
    )
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]))
  const edited = draft.rules.filter((rule) => stored.has(rule.id) && !isDeepStrictEqual(rule, earlier.get(rule.id)))
  if (edited.length > 0)
    await touchRuleRows(
      tx,
      edited.map(({ id }) => id),
      by.now,
    )
  const kept = new Set([...live.rules, ...draft.rules].map(({ id }) => id))
  const leaving = before.rules.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  if (leaving.length > 0) await deleteRuleRows(tx, leaving)
}
