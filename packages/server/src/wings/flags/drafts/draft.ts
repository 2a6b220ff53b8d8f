import { type Issue, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { FlagEnvironment, RuleDefinition } from '../../model/versions/index.ts'
import { keyFor } from '../projects/index.ts'
import type { RequestedRule } from '../rules/index.ts'
import type { DraftedRule } from './schema.ts'

/** A rule of the wanted draft: one that stays as it is, or a definition, of a present rule or of a new one. */
export type MatchedRule =
  | { kept: RuleDefinition }
  | {
      kept?: never
      key: string
      request: Definition
      enabled: boolean | undefined
      current: RuleDefinition | undefined
    }

type Definition = Extract<RequestedRule, { type: string }>

/** Finds the present rule that each wanted rule means, or gives it the key of a new one. */
export function matchRules(
  wanted: readonly DraftedRule[],
  { draft, live }: Pick<FlagEnvironment, 'draft' | 'live'>,
): MatchedRule[] | Refusal {
  const present = [...draft.rules, ...live.rules.filter(({ id }) => !draft.rules.some((rule) => rule.id === id))]
  const issues: Issue[] = []
  const keys = new Set([...present.map(({ key }) => key), ...wanted.flatMap(({ key }) => key ?? [])])
  const seen = new Set<string>()
  const matched = wanted.flatMap((rule, index): MatchedRule[] => {
    const path = ['rules', index]
    const issue = (field: string, message: string) => issues.push({ path: [...path, field], message })
    const current =
      rule.id === undefined ? present.find(({ key }) => key === rule.key) : present.find(({ id }) => id === rule.id)
    if (!current && rule.id !== undefined) issue('id', 'The flag has no rule with this id in the environment.')
    else if (!current && rule.type === 'UNCHANGED')
      issue('key', 'The flag has no rule with this key in the environment.')
    if (current && rule.key !== undefined && rule.key !== current.key)
      issue('key', `The key of a rule cannot change: it is ${current.key}.`)
    const key = current?.key ?? rule.key ?? (rule.type === 'UNCHANGED' ? '' : keyFor(rule.name, 'rule', keys))
    keys.add(key)
    if (seen.has(key)) issue('key', 'must not be the key of an earlier rule in the list.')
    seen.add(key)
    if (rule.type === 'UNCHANGED') return current ? [{ kept: current }] : []
    if (current && current.type !== rule.type)
      issue('type', 'cannot be changed. Use a different key to create a new rule.')
    if (rule.shortId !== undefined && rule.shortId !== current?.shortId)
      issue('shortId', 'must be the short id of this rule. Omit it for a new rule.')
    const { id: _id, shortId: _shortId, hashVersion: _hashVersion, enabled, salt, ...definition } = rule
    const own = salt ?? current?.salt
    const request = { ...definition, ...(own !== undefined && { salt: own }) } as Definition
    return [{ key, request, enabled, current }]
  })
  return refuseIssues(issues) ?? matched
}
