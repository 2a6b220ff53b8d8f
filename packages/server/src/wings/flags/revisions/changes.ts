import type { Condition } from '@svc/core'
import { type Switched, switchBetween } from '../../../catalogue/switched.ts'
import { experimentChanges } from '../../model/experiments/index.ts'
import {
  authoredChanges,
  type Difference,
  type RuleSummary,
  ruleSummary,
  type Version,
} from '../../model/versions/index.ts'
import { type IdOf, parseFragment, parsePart, renamed, servedBy } from '../../serving/datafile/index.ts'

/** A flag as a revision stores it. */
export interface StoredFlag {
  key: string
  fragment: string | null
  live: Version
}

export interface RevisionChange extends Difference {
  /** The rules that the change names. */
  rules: RuleSummary[]
}

/**
 * What a revision changed in a flag: its key, its switches, which only the fragment shows, and its version. A flag
 * without an earlier state has no changes.
 */
export function flagChanges(before: StoredFlag | null, after: StoredFlag): RevisionChange[] {
  if (!before) return []
  const versions = authoredChanges(before.live, after.live, {})
  return [
    ...keyChange(before, after),
    ...switchChanges(before, after),
    ...versions.map(({ path, from, to, rules }) => ({ path, from, to, rules })),
  ]
}

/** What a revision changed in a web experiment, made from its hidden flag. The paths are fields of the experiment. */
export function hiddenChanges(before: StoredFlag | null, after: StoredFlag): RevisionChange[] {
  const rules = [...after.live.rules, ...(before?.live.rules ?? [])]
  const test = rules.find(({ type }) => type === 'AB_TEST')
  if (!before || !test) return []
  const changes = experimentChanges(test.id, flagChanges(before, after)).map((change) => ({ ...change, rules: [] }))
  const [was, is] = [before.fragment !== null, after.fragment !== null]
  return was === is ? changes : [{ path: 'enabled', from: was, to: is, rules: [] }, ...changes]
}

const keyChange = (before: StoredFlag, after: StoredFlag): RevisionChange[] =>
  before.key === after.key ? [] : [{ path: 'key', from: before.key, to: after.key, rules: [] }]

function switchChanges(before: StoredFlag, after: StoredFlag): RevisionChange[] {
  const [was, is] = [parseFragment(before.fragment), parseFragment(after.fragment)]
  if (!was || !is) return []
  if (was.enabled !== is.enabled) return [{ path: 'enabled', from: was.enabled, to: is.enabled, rules: [] }]
  // The fragment of a paused flag has no rules, so it does not show their switches.
  if (!is.enabled) return []
  const [wasServed, isServed] = [servedBy(before.fragment), servedBy(after.fragment)]
  const kept = new Set(before.live.rules.map(({ id }) => id))
  return after.live.rules
    .filter((rule) => kept.has(rule.id) && wasServed(rule) !== isServed(rule))
    .map((rule) => ({
      path: `rules.${rule.id}.enabled`,
      from: wasServed(rule),
      to: isServed(rule),
      rules: [ruleSummary(rule)],
    }))
}

/** What a switch did, by the fragments of its flag. */
export const switchOf = (before: string | null, after: string | null): Switched | null =>
  switchBetween(parseFragment(before), parseFragment(after))

/** What a revision changed in an audience that was in the file before and stayed there. */
export function audienceChanges(before: string | null, after: string | null, idOf: IdOf): Difference[] {
  if (before === null || after === null) return []
  const conditionsIn = (part: string) => renamed(parsePart(part) as Condition, idOf)
  return [{ path: 'conditions', from: conditionsIn(before), to: conditionsIn(after) }]
}
