import type { FlagInEnvironment, RuleDefinition } from '../rules/rule-rows.ts'

/** What can be staged for a flag in an environment. Variations belong to the flag and are not part of it. */
export type Draft = Pick<FlagInEnvironment['draft'], 'defaultVariationKey' | 'overrides' | 'rules'>

/** One call of the API. A rule that is created has a name of its own in the draft until the service gives it an id. */
export type Step =
  | { does: 'create'; rule: RuleDefinition; position: number }
  | { does: 'update'; id: string; body: Record<string, unknown> }
  | { does: 'delete'; id: string }
  | { does: 'order'; ids: string[] }
  | { does: 'default'; variationKey: string }
  | { does: 'override'; overrides: Draft['overrides'] }

/** The calls that make the wanted draft of the current one, in an order that the service accepts. */
export function steps(current: Draft, wanted: Draft): Step[] {
  const before = new Map(current.rules.map((rule) => [rule.id, rule]))
  const kept = new Set(wanted.rules.map(({ id }) => id))
  const gone = current.rules.filter(({ id }) => !kept.has(id))
  const created = wanted.rules.flatMap((rule, position) => (before.has(rule.id) ? [] : [{ rule, position }]))
  const updated = wanted.rules.flatMap((rule) => {
    const old = before.get(rule.id)
    const fields = old ? changedFields(old, rule) : []
    return fields.length > 0
      ? [{ id: rule.id, body: Object.fromEntries(fields.map((field) => [field, read(rule, field)])) }]
      : []
  })
  // What the order is after rules have left and come.
  const ids = current.rules.filter(({ id }) => kept.has(id)).map(({ id }) => id)
  for (const { rule, position } of created) ids.splice(position, 0, rule.id)
  const order = wanted.rules.map(({ id }) => id)
  return [
    ...gone.map(({ id }): Step => ({ does: 'delete', id })),
    ...updated.map((update): Step => ({ does: 'update', ...update })),
    ...created.map((create): Step => ({ does: 'create', ...create })),
    ...(isSame(ids, order) ? [] : [{ does: 'order', ids: order } as const]),
    ...(current.defaultVariationKey === wanted.defaultVariationKey
      ? []
      : [{ does: 'default', variationKey: wanted.defaultVariationKey } as const]),
    ...(isSame(current.overrides, wanted.overrides)
      ? []
      : [{ does: 'override', overrides: wanted.overrides } as const]),
  ]
}

/** The paths at which two drafts differ, as the service names them. */
export function differingPaths(one: Draft, other: Draft): string[] {
  const ids = [...new Set([...one.rules, ...other.rules].map(({ id }) => id))]
  const paths = ids.flatMap((id) => {
    const [was, is] = [one, other].map(({ rules }) => rules.find((rule) => rule.id === id))
    if (!was || !is) return [`rules.${id}`]
    return changedFields(was, is).map((field) => `rules.${id}.${field}`)
  })
  const common = (rules: readonly RuleDefinition[], others: readonly RuleDefinition[]) =>
    rules.map(({ id }) => id).filter((id) => others.some((rule) => rule.id === id))
  if (!isSame(common(one.rules, other.rules), common(other.rules, one.rules))) paths.push('ruleOrder')
  if (one.defaultVariationKey !== other.defaultVariationKey) paths.push('defaultVariationKey')
  if (!isSame(one.overrides, other.overrides)) paths.push('overrides')
  return paths
}

/** The current draft with what the earlier one had at these paths. Everything else stays as it is now. */
export function withPaths(current: Draft, earlier: Draft, paths: readonly string[]): Draft {
  const rules = [...current.rules]
  for (const path of paths) {
    const [first, id = '', field] = path.split('.')
    if (first !== 'rules') continue
    const at = rules.findIndex((rule) => rule.id === id)
    const place = earlier.rules.findIndex((rule) => rule.id === id)
    const old = earlier.rules[place]
    if (field !== undefined) {
      if (old && at !== -1) rules[at] = { ...rules[at]!, [field]: read(old, field) } as RuleDefinition
    } else if (!old) {
      if (at !== -1) rules.splice(at, 1)
    } else if (at === -1) rules.splice(placeAfter(rules, earlier.rules.slice(0, place)), 0, old)
  }
  const isBack = ({ ruleId }: { ruleId: string }) => !current.rules.some(({ id }) => id === ruleId)
  const overrides = paths.includes('overrides')
    ? earlier.overrides
    : {
        ...current.overrides,
        ruleAllowlists: [...current.overrides.ruleAllowlists, ...earlier.overrides.ruleAllowlists.filter(isBack)],
      }
  return {
    rules: paths.includes('ruleOrder') ? inOrderOf(rules, earlier.rules) : rules,
    defaultVariationKey: (paths.includes('defaultVariationKey') ? earlier : current).defaultVariationKey,
    // The service refuses a list for a rule that is not there.
    overrides: {
      ...overrides,
      ruleAllowlists: overrides.ruleAllowlists.filter(({ ruleId }) => rules.some(({ id }) => id === ruleId)),
    },
  }
}

/** The place behind the last of these rules that is still there. */
function placeAfter(rules: readonly RuleDefinition[], before: readonly RuleDefinition[]): number {
  const known = before.map(({ id }) => rules.findIndex((rule) => rule.id === id))
  return (known.findLast((at) => at !== -1) ?? -1) + 1
}

/** Rules that the other list has take its order; the others keep their places. */
export function inOrderOf<Rule extends { id: string }>(
  rules: readonly Rule[],
  like: readonly { id: string }[],
): Rule[] {
  const common = like.flatMap(({ id }) => rules.find((rule) => rule.id === id) ?? [])
  const wanted = common[Symbol.iterator]()
  return rules.map((rule) => (common.includes(rule) ? wanted.next().value! : rule))
}

/** What the service gives a rule. Everything else can be edited. */
const given = new Set(['id', 'shortId', 'hashVersion', 'type'])

/** The fields of the definition of a rule that differ. */
export const changedFields = (one: RuleDefinition, other: RuleDefinition): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => !given.has(field) && !isSame(read(one, field), read(other, field)),
  )

const read = (rule: RuleDefinition, field: string): unknown => (rule as Record<string, unknown>)[field]

/** Whether two answers of the API have the same content. Their keys have the same order. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
