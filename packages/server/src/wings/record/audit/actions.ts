import type { Db } from '../../../platform/db/index.ts'
import { type Break, breakAtEnd, breakIn, type Link } from './chain.ts'
import {
  type AuditEntry,
  type Chain,
  type EntryFilter,
  lastSeqOf,
  listChains,
  listEntries,
  nextLinks,
} from './queries.ts'

const seenAtOnce = 50_000

/**
 * Entries before number `before`, newest first. A filter with few matches must search many entries, so it does this in
 * pieces and lets other work run in between.
 */
export async function readEntries(
  db: Db,
  filter: EntryFilter,
  before: number | null,
  limit: number,
  pieceSize = seenAtOnce,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let below = before ?? (await lastSeqOf(db, filter.orgId)) + 1
  while (below > 1 && entries.length < limit) {
    const from = Math.max(1, below - pieceSize)
    entries.push(...(await listEntries(db, filter, { from, below }, limit - entries.length)))
    below = from
  }
  return entries
}

/** One short query for each batch, so that a slow reader does not keep a transaction open. */
export async function* entryBatches(db: Db, filter: EntryFilter, batchSize: number): AsyncGenerator<AuditEntry[]> {
  let before: number | null = null
  for (;;) {
    const batch: AuditEntry[] = await readEntries(db, filter, before, batchSize)
    if (batch.length > 0) yield batch
    if (batch.length < batchSize) return
    before = batch.at(-1)!.seq
  }
}

export interface ChainReport {
  organization: Chain['organization']
  /** The number of entries that are intact. */
  entries: number
  /**
   * Keep a copy elsewhere: a chain that was rewritten as a whole no longer has this entry. Null if there are no
   * entries.
   */
  head: { seq: number; hash: string } | null
  /** The first break of the chain; null if it is intact. */
  broken: Break | null
}

const linksAtOnce = 1_000

/**
 * Verifies every organization's chain, or one of them, from the first entry to the head. Changes can continue at the
 * same time.
 */
export async function verifyChains(
  db: Db,
  orgId: string | null = null,
  batchSize = linksAtOnce,
): Promise<ChainReport[]> {
  const reports = []
  for (const chain of await listChains(db, orgId)) reports.push(await verifyChain(db, chain, batchSize))
  return reports
}

async function verifyChain(db: Db, { organization, head, lastSeq }: Chain, batchSize: number): Promise<ChainReport> {
  let last: Link | undefined
  let broken: Break | undefined
  for (;;) {
    const place = { orgId: organization.id, after: last ?? null, upTo: lastSeq ?? 0, limit: batchSize }
    const links = await nextLinks(db, place)
    broken = breakIn(links, last?.seq ?? 0)
    if (broken) break
    last = links.at(-1) ?? last
    if (links.length < batchSize) break
  }
  broken ??= breakAtEnd(last, head)
  return {
    organization,
    entries: broken ? broken.seq - 1 : (last?.seq ?? 0),
    head: last && !broken ? { seq: last.seq, hash: last.hash.toString('hex') } : null,
    broken: broken ?? null,
  }
}
