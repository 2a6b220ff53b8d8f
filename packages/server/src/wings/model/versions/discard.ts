import type { Issue } from '../../../catalogue/refusals.ts'
import { differingParts, heldField, ruleOf, variationOf, variationPath, withWeb } from './difference.ts'
import { webWithout } from './discard-web.ts'
import { listWithout } from './list-without.ts'
import type { RuleDefinition, Version } from './version.ts'

type Versions = Readonly<{ live: Version; draft: Version }>

/**
 * The draft without some of its differences from the live version; all others stay. The paths are those of
 * `differences`. A path that is not there, or that others depend on, is an issue with its place in the list.
 */
export function discarded({ live, draft }: Versions, paths: readonly string[]): Version | { issues: Issue[] } {
  const known = new Set(differingParts(live, draft).map(({ path }) => path))
  const unknown = paths.flatMap((path, place) =>
    known.has(path) ? [] : [{ path: ['paths', place], message: `Nothing is staged at ${path}. Read the list again.` }],
  )
  if (unknown.length > 0) return { issues: unknown }
  const next = without({ live, draft }, new Set(paths))
  const issues = neededWith({ live, draft }, next, new Set(paths)).map(({ path, needs }) => ({
    path: ['paths', paths.indexOf(path)],
    message: `${path} cannot be discarded without ${needs}. Discard both.`,
  }))
  return issues.length > 0 ? { issues } : next
}

function without({ live, draft }: Versions, paths: ReadonlySet<string>): Version {
  const kept = (path: string) => (paths.has(path) ? live : draft)
  const version = {
    variations: variationsWithout({ live, draft }, paths),
    pausedVariationId: kept('pausedVariationKey').pausedVariationId,
    defaultVariationId: kept('defaultVariationKey').defaultVariationId,
    overrides: kept('overrides').overrides,
    rules: rulesWithout({ live, draft }, paths),
  }
  return live.web || draft.web ? withWeb(version, webWithout({ live, draft }, paths), live) : version
}

function variationsWithout({ live, draft }: Versions, paths: ReadonlySet<string>): Version['variations'] {
  const isDiscarded = (id: string) => paths.has(variationPath(id, live, draft))
  const listed = listWithout(
    { live: live.variations, draft: draft.variations },
    { isDiscarded, reorders: paths.has('variationOrder') },
  )
  return listed.map((variation) => (isDiscarded(variation.id) ? variationOf(live, variation.id)! : variation))
}

function rulesWithout({ live, draft }: Versions, paths: ReadonlySet<string>): RuleDefinition[] {
  const listed = listWithout(
    { live: live.rules, draft: draft.rules },
    { isDiscarded: (id) => paths.has(`rules.${id}`), reorders: paths.has('ruleOrder') },
  )
  const fields = new Map<string, string[]>()
  for (const path of paths) {
    const [list, id, name] = path.split('.')
    if (list === 'rules' && id && name) fields.set(id, [...(fields.get(id) ?? []), heldField(name)])
  }
  return listed.map((rule) => {
    const before = ruleOf(live, rule.id)
    const edited = fields.get(rule.id)
    if (!edited || !before) return rule
    const values = Object.entries(before).filter(([field]) => edited.includes(field))
    return { ...rule, ...Object.fromEntries(values) } as RuleDefinition
  })
}

interface Dependence {
  /** A discarded path. */
  path: string
  /** A path that must be discarded with it. */
  needs: string
}

/** What the next draft would refer to although it does not contain it. */
function neededWith({ live, draft }: Versions, next: Version, paths: ReadonlySet<string>): Dependence[] {
  const found: Dependence[] = []
  const together = (one: string, other: string) => {
    if (paths.has(one) !== paths.has(other))
      found.push(paths.has(one) ? { path: one, needs: other } : { path: other, needs: one })
  }
  for (const { path, variationIds, ruleIds } of referrers({ live, draft }, next)) {
    for (const id of variationIds.filter((id) => !variationOf(next, id))) together(path, variationPath(id, live, draft))
    for (const id of ruleIds.filter((id) => !ruleOf(next, id))) together(path, `rules.${id}`)
  }
  for (const rule of next.rules)
    if (rule.type === 'AB_TEST' && rule.variations.every(({ variationId }) => variationId !== rule.baselineVariationId))
      together(`rules.${rule.id}.variations`, `rules.${rule.id}.baselineVariationKey`)
  for (const { id, key } of next.variations) {
    const holder = next.variations.find((other) => other.key === key && other.id !== id)
    if (holder) together(variationPath(id, live, draft), variationPath(holder.id, live, draft))
  }
  for (const { id, key } of next.rules) {
    const holder = next.rules.find((other) => other.key === key && other.id !== id)
    if (holder) together(`rules.${id}`, `rules.${holder.id}`)
  }
  return found.filter(
    ({ path, needs }, place) => found.findIndex((each) => each.path === path && each.needs === needs) === place,
  )
}

/** What refers to variations and rules in a version, by the path with which it differs from the live one. */
function referrers({ live, draft }: Versions, next: Version) {
  const { environmentAllowlist, ruleAllowlists } = next.overrides
  const entries = [...environmentAllowlist, ...ruleAllowlists.flatMap((list) => list.entries)]
  return [
    { path: 'pausedVariationKey', variationIds: [next.pausedVariationId], ruleIds: [] },
    { path: 'defaultVariationKey', variationIds: [next.defaultVariationId], ruleIds: [] },
    {
      path: 'overrides',
      variationIds: entries.map(({ variationId }) => variationId),
      ruleIds: ruleAllowlists.map(({ ruleId }) => ruleId),
    },
    ...next.rules.flatMap((rule) => {
      const isWhole = !ruleOf(live, rule.id) || !ruleOf(draft, rule.id)
      const of = (field: string, variationIds: string[]) => ({
        path: isWhole ? `rules.${rule.id}` : `rules.${rule.id}.${field}`,
        variationIds,
        ruleIds: [],
      })
      return rule.type === 'TARGETED_DELIVERY'
        ? [of('variationKey', [rule.variationId])]
        : [
            of(
              'variations',
              rule.variations.map(({ variationId }) => variationId),
            ),
            of('baselineVariationKey', [rule.baselineVariationId]),
          ]
    }),
  ]
}
