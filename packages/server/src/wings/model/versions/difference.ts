import { isDeepStrictEqual } from 'node:util'
import { type Difference, isSameOrder } from '../../../difference.ts'
import { firstWebContent, type WebContent, webDifferences } from '../web/index.ts'
import {
  describeOverrides,
  describeRule,
  type RuleDefinition,
  type RuleSummary,
  ruleSummary,
  type Version,
  variationKey,
} from './version.ts'

export interface Staged {
  /** The drafted default variation, or null when it is the live one. */
  defaultVariationId: string | null
  variations: boolean
  overrides: boolean
  /** How many rules were created, edited, moved or deleted since the last publish. */
  rules: number
}

/** A difference with what its author decided: values by id, so that a new key of a variation does not change them. */
export interface Part extends Difference {
  held: unknown
  /** The rules that it names. */
  ruleIds: readonly string[]
}

/** What the next publish would change, as a list to review before publishing. */
export const differences = (live: Version, draft: Version): Difference[] =>
  differingParts(live, draft).map(({ path, from, to }) => ({ path, from, to }))

/**
 * A new key of a variation is one difference, whatever refers to the variation. A created or deleted rule is one too: the
 * order differs only if rules of both versions changed places.
 */
export function differingParts(live: Version, draft: Version): Part[] {
  const found: Part[] = []
  const compare = <Held>(
    path: string,
    hold: (version: Version) => Held,
    show: (version: Version) => unknown,
    {
      ruleIds = [],
      isSame = isDeepStrictEqual,
    }: { ruleIds?: string[]; isSame?: (one: Held, two: Held) => boolean } = {},
  ) => {
    const held = hold(draft)
    if (!isSame(hold(live), held)) found.push({ path, from: show(live), to: show(draft), held, ruleIds })
  }
  for (const { id } of [...live.variations, ...draft.variations.filter((each) => !variationOf(live, each.id))])
    compare(
      variationPath(id, live, draft),
      (version) => variationOf(version, id) ?? null,
      (version) => keyAndValue(version, id),
    )
  compare(
    'variationOrder',
    ({ variations }) => variations.map(({ id }) => id),
    ({ variations }) => variations.map(({ key }) => key),
    { isSame: isSameOrder },
  )
  for (const field of ['pausedVariation', 'defaultVariation'] as const)
    compare(
      `${field}Key`,
      (version) => version[`${field}Id`],
      (version) => variationKey(version, version[`${field}Id`]),
    )
  compare('overrides', ({ overrides }) => overrides, describeOverrides, {
    ruleIds: [
      ...new Set([live, draft].flatMap(({ overrides }) => overrides.ruleAllowlists.map(({ ruleId }) => ruleId))),
    ],
  })
  const ruleIds = [...new Set([...live.rules, ...draft.rules].map(({ id }) => id))]
  for (const id of ruleIds) found.push(...ruleParts(id, live, draft))
  const order = ({ rules }: Version) => rules.map(({ id }) => id)
  compare('ruleOrder', order, order, { ruleIds, isSame: isSameOrder })
  return [...found, ...webParts(live, draft)]
}

/** The beginning of the paths of what a web experiment does to pages. */
export const webPrefix = 'web.'

/** What the version of a web experiment does to pages. */
export const webOf = ({ web }: Pick<Version, 'web'>) => web ?? firstWebContent

/** A version with this content. Nothing is stored where the live version has none and this is none either. */
export function withWeb(
  { web: _before, ...version }: Version,
  web: WebContent,
  live: Pick<Version, 'web'> = {},
): Version {
  return !live.web && isDeepStrictEqual(web, firstWebContent) ? version : { ...version, web }
}

/** Of code, the paths show only the fact that it changed, so what decides its author is the text. */
function webParts(live: Version, draft: Version): Part[] {
  if (live.web === draft.web) return []
  const codes = Object.values(webOf(draft).variations).map(({ js }) => js)
  return webDifferences(webOf(live), webOf(draft), (id) =>
    variationPath(id, live, draft).slice('variations.'.length),
  ).map(({ path, from, to }) => ({
    path: `${webPrefix}${path}`,
    ...{ from, to, held: path.endsWith('.js') ? codes : to, ruleIds: [] },
  }))
}

/** By the live key, or the key of a new variation, or the id of a new variation with a key that was live. */
export function variationPath(variationId: string, live: Version, draft: Version): string {
  const key = variationOf(live, variationId)?.key
  const newKey = variationOf(draft, variationId)?.key
  const isTaken = live.variations.some((variation) => variation.key === newKey)
  return `variations.${key ?? (isTaken ? variationId : newKey)}`
}

/** The fields of rules that the API names differently, such as by the key of a variation. */
const namedByKey: Record<string, string> = {
  exclusion: 'exclusionGroupId',
  holdout: 'holdoutId',
  variationId: 'variationKey',
  baselineVariationId: 'baselineVariationKey',
}

/** The field of a rule that a path such as `rules.{id}.variationKey` names. */
export const heldField = (apiField: string): string =>
  Object.keys(namedByKey).find((field) => namedByKey[field] === apiField) ?? apiField

function ruleParts(ruleId: string, live: Version, draft: Version): Part[] {
  const before = ruleOf(live, ruleId)
  const after = ruleOf(draft, ruleId)
  const from: Record<string, unknown> | null = before ? describeRule(before, live) : null
  const to: Record<string, unknown> | null = after ? describeRule(after, draft) : null
  const ruleIds = [ruleId]
  if (!before || !after || !from || !to) return [{ path: `rules.${ruleId}`, from, to, held: after ?? null, ruleIds }]
  const [was, is]: Record<string, unknown>[] = [{ ...before }, { ...after }]
  return Object.keys({ ...was, ...is })
    .filter((field) => !isDeepStrictEqual(was?.[field], is?.[field]))
    .map((field) => {
      const name = namedByKey[field] ?? field
      return { path: `rules.${ruleId}.${name}`, from: from[name], to: to[name], held: is?.[field], ruleIds }
    })
}

export function stagedBetween(live: Version, draft: Version): Staged {
  return {
    defaultVariationId: draft.defaultVariationId === live.defaultVariationId ? null : draft.defaultVariationId,
    variations:
      !isDeepStrictEqual(live.variations, draft.variations) || live.pausedVariationId !== draft.pausedVariationId,
    overrides: !isDeepStrictEqual(live.overrides, draft.overrides),
    rules: stagedRules(live, draft).size,
  }
}

export const hasStagedChanges = (live: Version, draft: Version): boolean => !isDeepStrictEqual(live, draft)

/** Ids of the rules that the next publish would create, change, move or delete. */
export function stagedRules(live: Version, draft: Version): Set<string> {
  const staged = new Set<string>()
  const kept = (one: Version, other: Version) => one.rules.filter(({ id }) => ruleOf(other, id)).map(({ id }) => id)
  const liveOrder = kept(live, draft)
  for (const [position, id] of kept(draft, live).entries()) if (liveOrder[position] !== id) staged.add(id)
  for (const { id } of [...live.rules, ...draft.rules])
    if (!isDeepStrictEqual(ruleOf(live, id), ruleOf(draft, id))) staged.add(id)
  return staged
}

/** The staged rules as they will be; deleted rules as they were. */
export const stagedRuleSummaries = (live: Version, draft: Version): RuleSummary[] =>
  summariesOf([...stagedRules(live, draft)], live, draft)

/** Rules as the draft names them; deleted rules as the live version does. */
export const summariesOf = (ruleIds: readonly string[], live: Version, draft: Version): RuleSummary[] =>
  ruleIds
    .map((id) => ruleOf(draft, id) ?? ruleOf(live, id))
    .filter((rule) => rule !== undefined)
    .map(ruleSummary)

/** Ids of the rules that cease to exist when the draft goes live. */
export const droppedRules = (live: Version, draft: Version): string[] =>
  live.rules.filter(({ id }) => !ruleOf(draft, id)).map(({ id }) => id)

export const ruleOf = (version: Version, ruleId: string): RuleDefinition | undefined =>
  version.rules.find(({ id }) => id === ruleId)

export const variationOf = (version: Version, variationId: string) =>
  version.variations.find(({ id }) => id === variationId)

function keyAndValue(version: Version, variationId: string) {
  const variation = variationOf(version, variationId)
  return variation ? { key: variation.key, value: variation.value } : null
}
