import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Changes } from '../../../model/catalog/index.ts'
import type { Source } from '../queries.ts'
import type { GuardFinding } from './guard.ts'

/** The file of a sync that succeeded, so that the next one knows it again. */
export interface KnownFile {
  /** In hexadecimal digits, of the bytes as they were received. */
  sha256: string
  etag: string | null
  lastModified: string | null
  /** A hash of the settings by which it was read. Null: it must be read again. */
  readAs: string | null
  /**
   * Of a supplement with SKUs or GTINs: the revision whose items have these. When items have changed since, it must be
   * read again. Absent: it has none.
   */
  itemsOf?: number
}

/** The `result` of a sync. */
export interface SyncResult {
  changed: boolean
  rows: number
  rowsSkipped: number
  /** Counts by code. A row with two faults counts twice. */
  skipped: Readonly<Record<string, number>>
  warnings: Readonly<Record<string, number>>
  catalog: Changes & { revision: number }
  file: KnownFile
  /** Of a held one: the first limit that it breaks, and all of them. */
  guard?: GuardFinding
  guards?: readonly GuardFinding[]
}

export const syncInput = z.object({
  /** What a person has seen of a held sync and accepted. */
  accepted: z
    .array(
      z.object({ check: z.enum(['REMOVED_SHARE', 'SKIPPED_SHARE', 'PRICE_SHIFT_SHARE', 'MIN_ITEMS']), count: z.int() }),
    )
    .default([]),
  /** Written with the revision that the job made visible. */
  activated: z.custom<SyncResult>().optional(),
})

export type SyncInput = z.output<typeof syncInput>

/** What a person accepts who applies a held sync: what stopped it, and what was accepted before. */
export function acceptedOf(
  { accepted }: Pick<SyncInput, 'accepted'>,
  { guards = [] }: Pick<SyncResult, 'guards'>,
): SyncInput['accepted'] {
  const now = guards.map(({ check, count }) => ({ check, count }))
  return [...now, ...accepted.filter((one) => !now.some(({ check }) => check === one.check))]
}

type Reading = Pick<Source, 'url' | 'format' | 'encoding' | 'mapping' | 'defaultCurrency' | 'mode' | 'fields'>

/** Equal if a file means the same. */
export function readAs({ url, format, encoding, mapping, defaultCurrency, mode, fields }: Reading): string {
  const columns = Object.entries(mapping).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const settings = JSON.stringify([
    url,
    format,
    encoding,
    columns,
    defaultCurrency,
    mode,
    ...(fields ? [fields.toSorted()] : []),
  ])
  return createHash('sha256').update(settings).digest('base64url')
}

/** The file of the last success, if the same bytes would still mean the same. */
export function knownFile(result: unknown, source: Reading): KnownFile | null {
  const file = (result as SyncResult | undefined)?.file
  return file && file.readAs === readAs(source) ? file : null
}
