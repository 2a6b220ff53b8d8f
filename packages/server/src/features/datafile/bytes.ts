import { createHash } from 'node:crypto'
import type { Flag } from '@svc/core'

export interface DataFileHead {
  revision: number
  publishedAt: Date | null
  environment: { id: string; key: string }
}

/** One flag's member of the data file's `flags`, with its key: a new key is a change of bytes too. */
export const fragmentText = (key: string, flag: Flag): string => `${JSON.stringify(key)}:${canonicalJson(flag)}`

export function parseFragment(fragment: string | null): Flag | null {
  return fragment === null ? null : (Object.values(JSON.parse(`{${fragment}}`))[0] as Flag)
}

/** Joins ready fragments, so that a change costs one fragment and a join rather than a serialization of every flag. */
export function dataFileBytes(head: DataFileHead, flags: readonly { key: string; fragment: string }[]): Buffer {
  const joined = [...flags]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ fragment }) => fragment)
    .join(',')
  const { id, key } = head.environment
  return Buffer.from(
    `{"audiences":{},"environment":${canonicalJson({ id, key })},"events":{},"exclusionGroups":{},"flags":{${joined}},` +
      `"publishedAt":${JSON.stringify(head.publishedAt)},"revision":${head.revision},"schemaVersion":1}`,
  )
}

/** Strong: equal exactly when the bytes are. */
export const etagOf = (bytes: Uint8Array): string => `"sha256-${createHash('sha256').update(bytes).digest('hex')}"`

/** JSON with sorted keys and no white space: equal content gives equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}
