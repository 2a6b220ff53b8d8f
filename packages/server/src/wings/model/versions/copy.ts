import type { Overrides, RuleDefinition, Version } from './version.ts'

/** Gives rules new ids, and a salt of their own where theirs was the old id, so that their buckets are independent. */
export function copyRules(
  rules: readonly RuleDefinition[],
  newId: () => string,
): { rules: RuleDefinition[]; newIds: Map<string, string> } {
  const newIds = new Map(rules.map(({ id }) => [id, newId()]))
  return { rules: rules.map((rule) => renamed(rule, newIds.get(rule.id)!)), newIds }
}

/** A whole version for another environment of the same flag. */
export function copyVersion(version: Version, newId: () => string): { version: Version; newIds: Map<string, string> } {
  const { rules, newIds } = copyRules(version.rules, newId)
  const overrides: Overrides = {
    environmentAllowlist: version.overrides.environmentAllowlist,
    ruleAllowlists: version.overrides.ruleAllowlists.map(({ ruleId, entries }) => ({
      ruleId: newIds.get(ruleId) ?? ruleId,
      entries,
    })),
  }
  return { version: { ...version, rules, overrides }, newIds }
}

function renamed(rule: RuleDefinition, id: string): RuleDefinition {
  return { ...rule, id, salt: rule.salt === rule.id ? id : rule.salt }
}
