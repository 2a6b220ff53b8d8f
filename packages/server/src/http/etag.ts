import { createHash } from 'node:crypto'
import { nouns, type VersionedNoun } from '../catalogue/nouns.ts'
import { type Refusal, refuse } from '../catalogue/refusals.ts'
import { ownTag } from '../revalidation.ts'

type Headers = Record<string, string | string[] | undefined>

/** A condition of the request, to be compared with the version that the write has locked. */
export type IfMatch = (current: string) => Refusal | undefined

/** For a write that is part of another one, which has checked the condition. */
export const anyVersion: IfMatch = () => undefined

export const ifMatchHeaders = ['x-svc-if-match', 'svc-if-match', 'if-match']

/** A strong ETag of a version that counts only content: `"f7"`. */
export const versionEtag = (noun: VersionedNoun, version: number): string => `"${nouns[noun].etag}${version}"`

/** A strong ETag of an answer that has no version, because it shows many resources. */
export const contentEtag = (data: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22)}"`

/**
 * `X-Svc-If-Match`, `Svc-If-Match` and the standard `If-Match` mean the same: ETags with or without quotes, separated
 * by commas, or `*`. If several of these headers are sent, all must match. Without any, the write is unconditional.
 */
export function ifMatch(headers: Headers): IfMatch {
  const conditions = ifMatchHeaders.flatMap((name) => headers[name] ?? [])
  return (current) =>
    conditions.every((condition) => holds(condition, current))
      ? undefined
      : refuse('precondition_failed', 'The resource has changed since you read it.', { expected: current })
}

function holds(condition: string, current: string): boolean {
  const bare = current.replaceAll('"', '')
  return condition.split(',').some((etag) => etag.trim() === '*' || ownTag(etag) === bare)
}
