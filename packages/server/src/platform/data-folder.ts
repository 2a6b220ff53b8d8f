import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs'
import { access, constants, open, rename, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from './db/database.ts'

/** The files that the service keeps in its data folder. */
export const kept = {
  database: 'postgres',
  unfinished: 'postgres.unfinished',
  /** Where a restore builds a database. */
  restoring: 'restoring',
  /** A restore is changing databases, or was interrupted then. */
  restoreMark: 'restore.unfinished',
  lock: 'svc.lock',
  lockJournal: 'svc.lock-journal',
  owner: 'svc.pid',
  /** Where the operator's command asks the running service. */
  socket: 'svc.sock',
  /** A copy of the database's files while a backup is made. */
  backupCopy: 'backup-copy',
  secretKey: 'secret-key',
  initialToken: 'initial-token',
  auditHead: 'audit.head',
} as const

const ownerOnly = 0o700
const ownerMayRead = 0o600
const othersBits = 0o077
const stickyBit = 0o1000
/** A busy machine can take seconds to look at a sound folder. */
const deadlineMs = 15_000

/** Undefined for a user whom the system does not know, as in containers. */
function homeFolder(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}

/**
 * Says why the data folder cannot be used, worded to follow `SVC_DATA_DIR`; undefined if it can be used. Creates
 * nothing.
 */
export function dataFolderProblem(dataDir: string): Promise<string | undefined> {
  const path = resolve(dataDir)
  return inTime(problemOf(path), `: ${path} does not answer within ${deadlineMs / 1000} s.`)
}

/**
 * Creates the data folder, closed to other accounts, if it does not exist. Returns the problem if that fails. Folders
 * are created one by one, because Node's `recursive` never ends where every name is refused, as under /proc.
 */
export function makeDataFolder(dataDir: string): string | undefined {
  const path = resolve(dataDir)
  const missing: string[] = []
  for (let each = path; !existsSync(each); each = dirname(each)) missing.unshift(each)
  for (const each of missing) {
    try {
      mkdirSync(each, ownerOnly)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return `: cannot create ${path}: the system refuses ${each} (${codeOf(error)}).`
    }
  }
  return undefined
}

async function problemOf(path: string): Promise<string | undefined> {
  if (path === '/' || path === homeFolder()) return ` must be a dedicated folder (got ${path}).`
  const { found, stats } = await nearest(path)
  if (!stats.isDirectory())
    return `: cannot create ${path}: ${found === path ? 'a file of that name exists' : `${found} is a file`}.`
  if (found === path && stats.mode & stickyBit) return ` must be a dedicated folder (got ${path}).`
  try {
    const needed = constants.W_OK | constants.X_OK
    await access(found, found === path ? needed | constants.R_OK : needed)
    return undefined
  } catch (error) {
    const what = found === path ? `cannot use ${path}` : `cannot create ${path}`
    return `: ${what}: this user cannot write to ${found} (${codeOf(error)}).`
  }
}

/** The folder itself, or its nearest existing parent. */
async function nearest(path: string): Promise<{ found: string; stats: Stats }> {
  for (let found = path; ; found = dirname(found)) {
    try {
      return { found, stats: await stat(found) }
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error)) || found === dirname(found)) throw error
    }
  }
}

/** A hanging disk must not delay the start silently. */
async function inTime(work: Promise<string | undefined>, late: string): Promise<string | undefined> {
  const deadline = Promise.withResolvers<string>()
  const timer = setTimeout(async () => {
    // After this thread was blocked, timers run before answers that arrived in the meantime.
    await nextTurn()
    deadline.resolve(late)
  }, deadlineMs)
  try {
    return await Promise.race([work, deadline.promise])
  } catch (error) {
    return `: ${error instanceof Error ? error.message : String(error)}.`
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Writes a file of the data folder completely and synced to the disk, or not at all. After a power failure there must
 * be no rows that are sealed with a lost key.
 */
export async function writeKept(dataDir: string, name: (typeof kept)[keyof typeof kept], text: string): Promise<void> {
  const path = join(dataDir, name)
  const file = await open(`${path}.new`, 'w', ownerMayRead)
  try {
    await file.chmod(ownerMayRead)
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  const folder = await open(dataDir, 'r')
  await folder.sync().finally(() => folder.close())
}

/**
 * Removes other accounts' access to the data folder and its files. Every start does this: an earlier version left most
 * database files open, and a restored copy can be open.
 */
export function closeToOthers(dataDir: string, log: Log): void {
  try {
    const closed = [dataDir, ...keptIn(dataDir)].filter(closeOne)
    if (closed.length > 0)
      log.warn({ dataDir, files: closed.length }, 'the data folder was open to other accounts; it has been closed')
  } catch (error) {
    log.warn({ dataDir, reason: codeOf(error) }, 'the data folder is open to other accounts and cannot be closed')
  }
}

function* keptIn(dataDir: string): Generator<string> {
  const present = new Set<string>(readdirSync(dataDir))
  for (const name of Object.values(kept)) if (present.has(name)) yield join(dataDir, name)
  if (!present.has(kept.database)) return
  const database = join(dataDir, kept.database)
  for (const name of readdirSync(database, { recursive: true, encoding: 'utf8' })) yield join(database, name)
}

/**
 * Returns whether other accounts had access until now. Does not touch the target of a link, unless the link is the
 * folder itself.
 */
function closeOne(path: string, index: number): boolean {
  const { mode } = index === 0 ? statSync(path) : lstatSync(path)
  if ((mode & othersBits) === 0 || (index > 0 && (mode & constants.S_IFMT) === constants.S_IFLNK)) return false
  chmodSync(path, mode & ownerOnly)
  return true
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error)
