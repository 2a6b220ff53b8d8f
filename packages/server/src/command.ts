import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { planFeatures } from './catalogue/scopes.ts'
import { baseUrlOf, type Config, ConfigError, readConfig, settings } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { type Database, type Db, openDatabase } from './platform/db/index.ts'
import { authors, systemActor } from './platform/outbox.ts'
import { readSecretKey } from './platform/secret-key.ts'
import { auditPurpose, signWith } from './platform/sign.ts'
import { findAccountByEmail, recordOfPerson } from './wings/people/accounts/index.ts'
import { createLink, linkUrl } from './wings/people/links/index.ts'
import { listOrganizations, type OrganizationRow, switchFeatures } from './wings/people/organizations/index.ts'
import {
  type ChainReport,
  findOrganization,
  hasChains,
  hasEntry,
  readHeads,
  verifyChains,
} from './wings/record/audit/index.ts'

const usage = `svc-server: the operator's command. It reads the settings that the service reads.

  svc-server config                  every setting, its default and its meaning
  svc-server audit verify            verify the chains of the audit log
    --organization <id>              only this organization, by id or short id
    --expect <number>:<hash>         an entry that must exist, as printed by an earlier run; can be repeated
    --expect-from <file>             a file with signed heads that must exist: a copy of audit.head, or a log
  svc-server organizations list      every organization with its short id, its id, its name and its features
  svc-server organizations enable <organization> <feature>
  svc-server organizations disable <organization> <feature>
                                     turn a feature of an organization on or off; the organization is named by
                                     id or short id, the feature is ${planFeatures.join(' or ')}
  svc-server reset-link <email>      print a link with which this person can set a new password
`

const commands: Record<string, (args: string[]) => Promise<void> | void> = {
  config: printSettings,
  'audit verify': verifyAudit,
  'organizations list': printOrganizations,
  'organizations enable': (args) => switchFeature(args, 'on'),
  'organizations disable': (args) => switchFeature(args, 'off'),
  'reset-link': printResetLink,
}

/** Runs a command. The exit code is 1 if it failed and 2 if it was not understood. */
export async function run(args: string[]): Promise<void> {
  const name = Object.keys(commands).find((words) => `${args.join(' ')} `.startsWith(`${words} `))
  const isHelp = args.length === 0 || ['help', '--help', '-h'].includes(args[0]!)
  if (!name) {
    process.exitCode = isHelp ? 0 : 2
    return void (isHelp ? process.stdout : process.stderr).write(usage)
  }
  try {
    await commands[name]!(args.slice(name.split(' ').length))
  } catch (error) {
    process.exitCode = isUsageError(error) ? 2 : 1
    const lines =
      error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
    for (const line of lines) process.stderr.write(`svc-server: ${line}\n`)
  }
}

const isUsageError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

function printSettings(args: string[]): void {
  parseArgs({ args })
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { fallback, meaning, secret, reserved }: Setting = setting
    const notes = [meaning, secret && 'Secret.', reserved && 'No effect yet.'].filter(Boolean)
    return [name, fallback ?? '', notes.join(' ').replaceAll('`', '')] as const
  })
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length)) + 2
  const lines = rows.map(([name, fallback, meaning]) => name.padEnd(width(0)) + fallback.padEnd(width(1)) + meaning)
  process.stdout.write(`${lines.join('\n')}\n`)
}

type Setting = { fallback: string | null; meaning: string; secret?: true; reserved?: true }

async function verifyAudit(args: string[]): Promise<void> {
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
  const { heads, forged } = readHeads(readFileSync(path, 'utf8'), signWith(await keyOf(config), auditPurpose))
  if (heads.length + forged.length === 0) throw new Error(`${path} contains no head of an audit chain.`)
  const missing: string[] = forged.map(
    (line) => `Line ${line} of ${path} is not signed with this installation’s secret key.`,
  )
  for (const { organization, seq, hash, signedAt } of heads)
    if (!(await hasEntry(db, organization, { seq, hash: Buffer.from(hash, 'hex') })))
      missing.push(`The head of ${signedAt}, ${seq}:${hash}, is no longer in the log: the log was rewritten or cut.`)
  for (const each of missing) process.stdout.write(`${each}\n`)
  if (heads.length > 0) process.stdout.write(`${heads.length} signed heads of ${path} were checked.\n`)
  return missing.length === 0
}

async function keyOf({ SVC_SECRET_KEY: given, SVC_DATA_DIR: dataDir }: Config): Promise<Buffer> {
  if (given) return given
  const found = await readSecretKey(dataDir)
  if (!found) throw new Error(`there is no secret key in ${dataDir}, so signatures cannot be checked.`)
  if ('problem' in found) throw new Error(`SVC_DATA_DIR${found.problem}`)
  return found.key
}

function entryOf(text: string): { seq: number; hash: Buffer } {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (!seq || !hash) throw new Error(`--expect ${text}: must be <number>:<hash>, as this command prints it.`)
  return { seq: Number(seq), hash: Buffer.from(hash, 'hex') }
}

async function organizationOf(db: Db, idOrShortId: string): Promise<string> {
  const organization = await findOrganization(db, idOrShortId)
  if (!organization) throw new Error(`there is no organization ${idOrShortId}.`)
  return organization.id
}

function lineOf({ organization: { shortId, name }, entries, head, broken }: ChainReport): string {
  const state = broken
    ? `BROKEN. ${broken.text} The ${entries} entries before are intact.`
    : `${entries} entries are intact.${head ? ` Head ${head.seq}:${head.hash}` : ''}`
  return `${shortId} ${JSON.stringify(name)}: ${state}`
}

async function printOrganizations(args: string[]): Promise<void> {
  parseArgs({ args })
  await withDatabase(async ({ db }) => {
    for (const organization of await listOrganizations(db)) process.stdout.write(`${organizationLine(organization)}\n`)
  })
}

const organizationLine = ({ shortId, id, name, features }: OrganizationRow): string =>
  `${shortId} ${id} ${JSON.stringify(name)}: ${features.join(', ') || 'no features'}`

async function switchFeature(args: string[], to: 'on' | 'off'): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [organization, feature, ...more] = positionals
  if (organization === undefined || feature === undefined || more.length > 0)
    throw new Error(
      `an organization and a feature are required: svc-server organizations ${verbs[to]} 1 ${planFeatures[0]}`,
    )
  if (!planFeatures.some((known) => known === feature))
    throw new Error(`there is no feature ${feature}. Use ${planFeatures.join(' or ')}.`)
  await withDatabase(async ({ db }, { SVC_BOOTSTRAP_FILE: file }) => {
    const orgId = await organizationOf(db, organization)
    const by = authors([], systemClock)(systemActor('operator'))
    await db.transaction().execute((tx) => switchFeatures(tx, by, orgId, [feature], to))
    const changed = (await listOrganizations(db)).find(({ id }) => id === orgId)
    if (changed) process.stdout.write(`${organizationLine(changed)}\n`)
    if (to === 'off' && file !== undefined)
      process.stderr.write(`If ${file} lists the feature for this organization, the next start turns it on again.\n`)
  })
}

const verbs = { on: 'enable', off: 'disable' }

async function printResetLink(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [email, ...more] = positionals
  if (email === undefined || more.length > 0)
    throw new Error('an e-mail address is required: svc-server reset-link <email>')
  await withDatabase(async ({ db }, config) => {
    const account = await findAccountByEmail(db, email)
    if (!account) throw new Error(`no account has the address ${email}.`)
    const by = authors([], systemClock)(systemActor('operator'))
    const { id: userId, name } = account
    const link = await db.transaction().execute(async (tx) => {
      const created = await createLink(tx, { kind: 'PASSWORD_RESET', userId, createdBy: by.actor.name, now: by.now })
      const object = { type: 'user', id: userId, name } as const
      const after = { expiresAt: created.expiresAt }
      await recordOfPerson(tx, by, userId, { action: 'user.password_reset_link', object, after })
      return created
    })
    process.stdout.write(`${linkUrl(baseUrlOf(config), 'PASSWORD_RESET', link.secret)}\n`)
    process.stderr.write(`It works once, until ${link.expiresAt?.toISOString()}. Give it only to this person.\n`)
  })
}

async function withDatabase(work: (database: Database, config: Config) => Promise<void>): Promise<void> {
  const { config } = readConfig(process.env)
  const database = await openExisting(config)
  try {
    if (!(await hasChains(database.db)))
      throw new Error('the database is older than this command. Start the service once to migrate it.')
    await work(database, config)
  } finally {
    await database.close()
  }
}

const log = {
  info: () => undefined,
  warn: (_fields: object, message: string) => void process.stderr.write(`svc-server: ${message}\n`),
  error: (_fields: object, message: string) => void process.stderr.write(`svc-server: ${message}\n`),
}

/** Opening a missing embedded database would create it, so this checks first. */
async function openExisting({ SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir }: Config): Promise<Database> {
  if (url === undefined && !existsSync(`${dataDir}/postgres`))
    throw new Error(`there is no database in ${dataDir}: run this command where the service runs, with its settings.`)
  try {
    return await openDatabase({ url, dataDir, log })
  } catch (error) {
    if (url !== undefined || !(error instanceof Error) || !error.message.includes('in use by another process'))
      throw error
    throw new Error(
      `${error.message}. Only one process can use the embedded database at a time. Stop the service first.`,
    )
  }
}
