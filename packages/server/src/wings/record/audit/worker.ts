import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kept, writeKept } from '../../../platform/data-folder.ts'
import type { Database, Log } from '../../../platform/db/index.ts'
import { recurring } from '../../../platform/recurring.ts'
import type { Signer } from '../../../platform/sign.ts'
import { hasEntry, listChains } from './queries.ts'
import { readHeads, type SignedHead, signHead } from './signed-head.ts'

const dayMs = 86_400_000
// Checked more often than daily, so that a node that restarts every few hours also writes one per day.
const intervalMs = 3_600_000

export interface HeadContext {
  database: Database
  /** The folder of `audit.head`; null if nodes share no folder, so that only the log has the heads. */
  dataDir: string | null
  signer: Signer
  log: Log
  now: () => Date
  onError: (error: unknown) => void
}

/**
 * Writes the signed head of every chain to the log and to `audit.head` once a day. A copy outside the database can
 * later prove that the chain still contains it.
 */
export function auditHeads(context: HeadContext) {
  let last: SignedHead[] | undefined
  const write = async () => {
    last ??= context.dataDir === null ? [] : await readKept(context.dataDir, context.signer)
    const at = context.now()
    const isDue = last.every(({ signedAt }) => at.getTime() - Date.parse(signedAt) >= dayMs)
    if (isDue) last = await writeHeads(context, last, at)
  }
  return { ...recurring(write, intervalMs, context.onError), write }
}

async function writeHeads({ database, dataDir, signer, log }: HeadContext, last: SignedHead[], at: Date) {
  for (const { organization, seq, hash } of last) {
    if (await hasEntry(database.db, organization, { seq, hash: Buffer.from(hash, 'hex') })) continue
    log.error({ organization, seq, hash }, 'the audit log was rewritten or cut: an entry that was its head is missing')
    // Keep the old head, because it is the evidence.
    return last
  }
  const chains = await listChains(database.db, null)
  const heads = chains.flatMap(({ organization: { id: organization }, head }) => {
    if (!head) return []
    const { lastSeq: seq, hash } = head
    return [signHead({ organization, seq, hash: hash.toString('hex'), signedAt: at.toISOString() }, signer)]
  })
  for (const head of heads) log.info(head, 'signed head of the audit chain: keep a copy elsewhere')
  if (dataDir !== null && heads.length > 0)
    await writeKept(dataDir, kept.auditHead, heads.map((head) => JSON.stringify(head)).join('\n'))
  return heads
}

async function readKept(dataDir: string, signer: Signer): Promise<SignedHead[]> {
  try {
    return readHeads(await readFile(join(dataDir, kept.auditHead), 'utf8'), signer).heads
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
