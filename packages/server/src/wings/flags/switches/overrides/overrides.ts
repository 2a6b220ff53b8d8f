import { type Issue, type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import type { AllowlistEntry, Overrides, Version } from '../../../model/versions/index.ts'

export const maxOverrideIds = 1000

type RequestedEntry = { variationKey: string; userIds: string[] }

export interface RequestedOverrides {
  environmentAllowlist: RequestedEntry[]
  ruleAllowlists: { ruleId: string; entries: RequestedEntry[] }[]
}

/** The overrides with ids of variations, or a refusal with all issues. */
export function parseOverrides(requested: RequestedOverrides, draft: Version): Overrides | Refusal {
  const issues: Issue[] = []
  const variationIds = new Map(draft.variations.map(({ id, key }) => [key, id]))
  const parseList = (entries: readonly RequestedEntry[], path: PropertyKey[]): AllowlistEntry[] => {
    const seen = new Set<string>()
    return entries.map(({ variationKey, userIds }, index) => {
      const variationId = variationIds.get(variationKey)
      if (variationId === undefined)
        issues.push({ path: [...path, index, 'variationKey'], message: `There is no variation ${variationKey}.` })
      for (const [position, userId] of userIds.entries()) {
        if (seen.has(userId))
          issues.push({
            path: [...path, index, 'userIds', position],
            message: `The id ${userId} is in this list twice.`,
          })
        seen.add(userId)
      }
      return { variationId: variationId ?? '', userIds }
    })
  }
  const rulesSeen = new Set<string>()
  const overrides: Overrides = {
    environmentAllowlist: parseList(requested.environmentAllowlist, ['environmentAllowlist']),
    ruleAllowlists: requested.ruleAllowlists.map(({ ruleId, entries }, index) => {
      const path = ['ruleAllowlists', index]
      if (!draft.rules.some(({ id }) => id === ruleId))
        issues.push({ path: [...path, 'ruleId'], message: 'The environment has no rule with this id.' })
      if (rulesSeen.has(ruleId)) issues.push({ path: [...path, 'ruleId'], message: 'must not occur twice.' })
      rulesSeen.add(ruleId)
      return { ruleId, entries: parseList(entries, [...path, 'entries']) }
    }),
  }
  const lists = [requested.environmentAllowlist, ...requested.ruleAllowlists.map(({ entries }) => entries)]
  const count = lists.flat().reduce((sum, { userIds }) => sum + userIds.length, 0)
  if (count > maxOverrideIds)
    issues.push({ path: [], message: `An environment can have up to ${maxOverrideIds} overridden ids, not ${count}.` })
  return refuseIssues(issues) ?? overrides
}
