import { chmod, mkdir, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { kept } from './platform/data-folder.ts'
import type { Database, Log } from './platform/db/index.ts'
import { createServer, request } from './platform/node-http.ts'

/** Linux takes 107 bytes, macOS 103. */
const pathLimitBytes = 103
const ownerMayUse = 0o600
const ownerOnly = 0o700
const longHoldMs = 10_000
/** Left free on the disk, so that the database can go on. */
const reserveBytes = 64 * 1024 ** 2

/** A copy of the database's files. The caller removes `folder`. */
export interface FilesCopy {
  /** A data folder with the copy in it. */
  folder: string
  bytes: number
  /** How long everything else had to wait for the connection. */
  heldMs: number
}

type Answer = { copy: FilesCopy } | { problem: string }

/**
 * Lets the operator's command ask the running service for a copy of the embedded database, which only one process can
 * use. The socket is in the data folder, for its owner alone.
 */
export async function openOperatorSocket(
  database: Database,
  dataDir: string,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const path = socketPath(dataDir)
  if (Buffer.byteLength(path) > pathLimitBytes) {
    log.warn(
      { path },
      'the path of the data folder is too long for a socket, so a backup requires stopping the service',
    )
    return { close: async () => undefined }
  }
  let isBusy = false
  const answer = async (): Promise<Answer> => {
    if (isBusy) return { problem: 'another backup is under way.' }
    isBusy = true
    try {
      return { copy: await copyOf(database, dataDir, log) }
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) }
    } finally {
      isBusy = false
    }
  }
  const server = createServer(async (_request, response) => {
    response.setHeader('connection', 'close')
    response.end(JSON.stringify(await answer()))
  })
  // Left behind by a crash: this process has the lock of the folder.
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, ownerMayUse)
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function copyOf(database: Database, dataDir: string, log: Log): Promise<FilesCopy> {
  const folder = join(resolve(dataDir), kept.backupCopy)
  await rm(folder, { recursive: true, force: true })
  const { bavail, bsize } = await statfs(dataDir)
  const needed = (await database.fileBytes!()) + reserveBytes
  if (bavail * bsize < needed)
    throw new Error(`a backup needs ${Math.ceil(needed / 1024 ** 2)} MB of free space in ${dataDir} for a while.`)
  await mkdir(folder, ownerOnly)
  try {
    const { bytes, heldMs } = await database.copyFiles!(join(folder, kept.database))
    const said = { bytes, heldMs }
    if (heldMs > longHoldMs)
      log.warn(said, 'writes waited long for a backup: with a PostgreSQL server, they would not wait')
    else log.info(said, 'copied the database for a backup')
    return { folder, bytes, heldMs }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Asks the running service for a copy. Undefined if none listens. */
export async function askForCopy(dataDir: string): Promise<FilesCopy | undefined> {
  const answer = await new Promise<Answer | undefined>((resolve, reject) => {
    const asking = request({ socketPath: socketPath(dataDir), method: 'POST', path: '/copy' }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body) as Answer), reject)
    })
    asking.once('error', (error: NodeJS.ErrnoException) =>
      ['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(error.code ?? '') ? resolve(undefined) : reject(error),
    )
    asking.end()
  })
  if (answer && 'problem' in answer) throw new Error(answer.problem)
  return answer?.copy
}

const socketPath = (dataDir: string): string => join(resolve(dataDir), kept.socket)
