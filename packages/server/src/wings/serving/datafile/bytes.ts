import type { Flag } from '@svc/core'
import { canonicalJson } from '../../../canonical-json.ts'

/** The member of a flag in `flags` of the data file, with its key, so that a new key changes the bytes too. */
export const fragmentText = (key: string, flag: Flag): string => `${JSON.stringify(key)}:${canonicalJson(flag)}`

export function parseFragment(fragment: string | null): Flag | null {
  return fragment === null ? null : (Object.values(JSON.parse(`{${fragment}}`))[0] as Flag)
}

/** Returns a test of whether a fragment contains a rule. Fragments from before short ids name rules by their ids. */
export function servedBy(fragment: string | null): (rule: { id: string; shortId: number }) => boolean {
  const names = new Set(parseFragment(fragment)?.rules?.map(({ id }) => id))
  return ({ id, shortId }) => names.has(String(shortId)) || names.has(id)
}

/** Quotes a flag key. Flag keys have no characters that JSON escapes. */
export const keyOf = (fragment: string): string => fragment.slice(1, fragment.indexOf('"', 1))
