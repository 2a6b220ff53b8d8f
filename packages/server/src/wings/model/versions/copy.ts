import { defaultSalt } from './salt.ts'
import type { Overrides, RuleDefinition, Version } from './version.ts'

/** New ids and numbers for copies. */
export interface NewNames {
  newId: () => string
  firstShortId: number
}

/** Gives rules new ids and, unless a salt was chosen, their own salts, so that their buckets are independent. */
export function copyRules(
  rules: readonly RuleDefinition[],
  { newId, firstShortId }: NewNames,
): { rules: RuleDefinition[]; newIds: Map<string, string> } {
  const newIds = new Map(rules.map(({ id }) => [id, newId()]))
  const copies = rules.map((rule, index) => renamed(rule, newIds.get(rule.id)!, firstShortId + index))
  return { rules: copies, newIds }
}

/** A whole version for another environment of the same flag. */
export function copyVersion(version: Version, names: NewNames): { version: Version; newIds: Map<string, string> } {
  const { rules, newIds } = copyRules(version.rules, names)
  const overrides: Overrides = {
    environmentAllowlist: version.overrides.environmentAllowlist,
    ruleAllowlists: version.overrides.ruleAllowlists.map(({ ruleId, entries }) => ({
      ruleId: newIds.get(ruleId) ?? ruleId,
      entries,
    })),
  }
  return { version: { ...version, rules, overrides }, newIds }
}

function renamed(rule: RuleDefinition, id: string, shortId: number): RuleDefinition {
  // Old rules have their id as salt.
  const isChosen = rule.salt !== defaultSalt(rule.id) && rule.salt !== rule.id
  return { ...rule, id, shortId, salt: isChosen ? rule.salt : defaultSalt(id) }
}
