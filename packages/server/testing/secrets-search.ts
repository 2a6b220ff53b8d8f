import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Address } from './databases/address.ts'
import { secrets } from './secrets.ts'

const tokenForm = 'svc_(svc|pat|ing)_[A-Za-z0-9_-]{43}'

/** Throws if one of these texts, or any token, is in a log. The link that creates the owner is allowed once. */
export async function expectNotLogged(log: string, texts: readonly string[] = secrets.all()): Promise<void> {
  const searched = log.replace(/\/sign-up#[\w-]+/, '')
  const tokens = searched.match(new RegExp(tokenForm, 'g')) ?? []
  const found = new Set([...texts.filter((text) => searched.includes(text)), ...tokens])
  if (found.size > 0) throw new Error(`secrets were logged: ${JSON.stringify([...found])}`)
}

/** Throws if one of these texts, or any token, is in a file of a database or in its log. */
export async function expectNotAtRest(address: Address, texts: readonly string[] = secrets.all()): Promise<void> {
  const found = await databaseFilesWith(address, texts)
  if (found.length > 0) throw new Error(`secrets were stored: ${JSON.stringify(found)}`)
}

/**
 * Returns which of the texts, and which tokens, are in a database and its write-ahead log, each as `file:text`. An
 * embedded database can be open or closed. A server is also asked for its rows, because its files store long values
 * compressed.
 */
export const databaseFilesWith = (address: Address, texts: readonly string[]): Promise<string[]> =>
  inScratch(async (folder) => {
    const rows = join(folder, 'rows')
    const places = address.url ? [rows, ...(await writtenOut(address, rows))] : [join(address.dataDir, 'postgres')]
    return occurrences(folder, texts, places)
  })

async function inScratch<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-secrets-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Writes all rows of a server's database to a file. Returns the files of the shared write-ahead log since the database
 * was created. They contain every row that it ever had; without that point in time, its own folder is returned too.
 */
async function writtenOut({ url, logFrom }: Address, rows: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ask = async (text: string): Promise<string[][]> =>
    (await client.query<string[]>({ text, rowMode: 'array' })).rows
  try {
    if (!logFrom) await ask('checkpoint')
    // To read a table takes the server ten times as long as to see that it has no block, and most have none.
    const tables = await ask(`
      select oid::regclass::text from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`)
    const all = tables.map(([table]) => `select kept::text from ${table} kept`)
    const kept = all.length > 0 ? await ask(all.join(' union all ')) : []
    await writeFile(rows, kept.join('\n'))
    const [place] = await ask(
      `select current_setting('data_directory'), oid::text from pg_database where datname = current_database()`,
    )
    const [folder, database] = place as [string, string]
    if (!logFrom) return [join(folder, 'base', database), join(folder, 'pg_wal')]
    // A commit that waits for its log also waits for all of the log before it.
    await ask('set synchronous_commit = on')
    await ask('select pg_current_xact_id()')
    const first = `pg_walfile_name('${logFrom}')`
    const names = await ask(`
      select name, ${first} from pg_ls_waldir()
      where name between ${first} and pg_walfile_name(pg_current_wal_lsn()) order by name`)
    if (names[0]?.[0] !== names[0]?.[1]) throw new Error('the log of the server no longer reaches back to the database')
    return names.map(([name]) => join(folder, 'pg_wal', name!))
  } finally {
    await client.end()
  }
}

async function occurrences(folder: string, texts: readonly string[], places: string[]): Promise<string[]> {
  const list = join(folder, 'texts')
  await writeFile(list, [...texts.map(escaped), tokenForm].join('\n'))
  return [...new Set(await grep(['--extended-regexp', '--file', list], places))]
}

/** The text as an extended regular expression of POSIX, in which a backslash before a letter can have a meaning. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const nothingFound = 1
/** A file of the server, or a segment of its log, was renamed or removed in the meantime. */
const fileVanished = 2

async function grep(wanted: string[], places: string[]): Promise<string[]> {
  const options = ['--recursive', '--text', '--with-filename', '--only-matching', ...wanted]
  for (let triesLeft = 5; ; triesLeft -= 1)
    try {
      const { stdout } = await promisify(execFile)('grep', [...options, ...places], {
        maxBuffer: Number.POSITIVE_INFINITY,
      })
      return stdout.split('\n').filter(Boolean)
    } catch (error) {
      const { code } = error as { code: number }
      if (code === nothingFound) return []
      if (code !== fileVanished || triesLeft === 0) throw error
    }
}
