import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { counted } from '@svc/core'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db/index.ts'
import { signersWith } from '../platform/sign.ts'
import { type ChainReport, hasEntry, readHeads, verifyChains } from '../wings/record/audit/index.ts'
import { organizationOf, withDatabase } from './existing-database.ts'
import { keyOf } from './secret-key-of.ts'

/** `svc-server audit verify` */
export async function verifyAudit(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      organization: { type: 'string' },
      expect: { type: 'string', multiple: true },
      'expect-from': { type: 'string', multiple: true },
    },
  })
  const expected = (values.expect ?? []).map(entryOf)
  await withDatabase(async ({ db }, config) => {
    const orgId = values.organization === undefined ? null : await organizationOf(db, values.organization)
    const reports = await verifyChains(db, orgId)
    for (const report of reports) process.stdout.write(`${lineOf(report)}\n`)
    let broken = reports.some((report) => report.broken)
    for (const entry of expected) {
      if (await hasEntry(db, orgId, entry)) continue
      broken = true
      process.stdout.write(
        `No entry ${entry.seq} has the hash ${entry.hash.toString('hex')}: the log was rewritten or cut.\n`,
      )
    }
    for (const path of values['expect-from'] ?? []) broken = !(await holdsHeads(db, path, config)) || broken
    if (broken) throw new Error('the audit log is broken')
  })
}

/** Whether this installation signed every head in the file, and every entry still exists. */
async function holdsHeads(db: Db, path: string, config: Config): Promise<boolean> {
  const key = await keyOf(config)
  if (!key) throw new Error(`there is no secret key in ${config.SVC_DATA_DIR}, so signatures cannot be checked.`)
  const { heads, forged } = readHeads(readFileSync(path, 'utf8'), signersWith(key).audit)
  if (heads.length + forged.length === 0) throw new Error(`${path} contains no head of an audit chain.`)
  const missing: string[] = forged.map(
    (line) => `Line ${line} of ${path} is not signed with this installation’s secret key.`,
  )
  for (const { organization, seq, hash, signedAt } of heads)
    if (!(await hasEntry(db, organization, { seq, hash: Buffer.from(hash, 'hex') })))
      missing.push(`The head of ${signedAt}, ${seq}:${hash}, is no longer in the log: the log was rewritten or cut.`)
  for (const each of missing) process.stdout.write(`${each}\n`)
  if (heads.length > 0)
    process.stdout.write(
      `${counted(heads.length, `signed head of ${path} was`, `signed heads of ${path} were`)} checked.\n`,
    )
  return missing.length === 0
}

function entryOf(text: string): { seq: number; hash: Buffer } {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (!seq || !hash) throw new Error(`--expect ${text}: must be <number>:<hash>, as this command prints it.`)
  return { seq: Number(seq), hash: Buffer.from(hash, 'hex') }
}

function lineOf({ organization: { shortId, name }, entries, head, broken }: ChainReport): string {
  const state = broken
    ? `BROKEN. ${broken.text} The ${entries === 1 ? 'entry before it is' : `${entries} entries before it are`} intact.`
    : `${entries} ${entries === 1 ? 'entry is' : 'entries are'} intact.${head ? ` Head ${head.seq}:${head.hash}` : ''}`
  return `${shortId} ${JSON.stringify(name)}: ${state}`
}
