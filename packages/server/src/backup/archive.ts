import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Header, pack } from 'tar-stream'
import { formatNumber, type Manifest, manifestSchema, type TableSum } from './manifest.ts'
import { rowsIn } from './portions.ts'
import type { Table } from './tables.ts'

const manifestName = 'manifest.json'
const keyName = 'secret-key'
const ownerMayRead = 0o600
const tableFile = /^tables\/([a-z0-9_]+)(?:\.\d+)?\.copy$/
const smallFileBytes = 16 * 1024 * 1024

/** Adds files to a backup. */
export interface ArchiveWriter {
  /** Adds all rows of a table. */
  table(table: Table, portions: AsyncIterable<Buffer>): Promise<TableSum>
  secretKey(key: string): Promise<void>
  /** The last file: an archive that was cut off has none. */
  manifest(manifest: Manifest): Promise<void>
}

/**
 * Writes a backup: a compressed tar file that only its owner can read. It gets its name when it is complete and on the
 * disk.
 */
export async function writeArchive(path: string, madeAt: Date, fill: (writer: ArchiveWriter) => Promise<void>) {
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  try {
    const packing = pack()
    // Synced to the disk before it is closed.
    const file = createWriteStream(unfinished, { mode: ownerMayRead, flush: true })
    const written = pipeline(packing, createGzip(), file)
    const filled = fill(writerOf(packing, madeAt)).then(
      () => packing.finalize(),
      (error: Error) => {
        packing.destroy(error)
        throw error
      },
    )
    // Both end before the file is removed after a failure.
    const failed = (await Promise.allSettled([filled, written])).find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

function writerOf(packing: ReturnType<typeof pack>, mtime: Date): ArchiveWriter {
  const add = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const failed = (error: Error) => reject(error)
      packing.once('error', failed)
      packing.entry({ name, size: content.length, mode: ownerMayRead, mtime }, content, (error) => {
        packing.off('error', failed)
        if (error) reject(error)
        else resolve()
      })
    })
  return {
    async table({ name, columns }, portions) {
      const sum = { name, columns, rows: 0, bytes: 0 }
      const hash = createHash('sha256')
      let part = 0
      for await (const portion of portions) {
        part++
        await add(`tables/${name}${part === 1 ? '' : `.${part}`}.copy`, portion)
        sum.rows += rowsIn(portion)
        sum.bytes += portion.length
        hash.update(portion)
      }
      return { ...sum, sha256: hash.digest('hex') }
    },
    secretKey: (key) => add(keyName, Buffer.from(`${key}\n`)),
    manifest: (manifest) => add(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)),
  }
}

/** What a backup has besides its rows. */
export interface Archive {
  manifest: Manifest
  secretKey: string | undefined
}

/**
 * Reads a whole backup and compares everything with its manifest. Throws if the file is no backup, is cut off, was
 * changed, or has a format that this version does not know.
 */
export async function checkArchive(path: string): Promise<Archive> {
  const sums = new Map<string, { rows: number; bytes: number; hash: Hash }>()
  const others = new Map<string, string>()
  for await (const { name, content } of filesOf(path)) {
    const table = tableFile.exec(name)?.[1]
    if (table === undefined) {
      others.set(name, content.toString('utf8'))
      continue
    }
    const sum = sums.get(table) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
    sums.set(table, sum)
    sum.rows += rowsIn(content)
    sum.bytes += content.length
    sum.hash.update(content)
  }
  const manifest = manifestOf(path, others.get(manifestName))
  for (const { name, rows, bytes, sha256 } of manifest.tables) {
    const sum = sums.get(name) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
    sums.delete(name)
    if (sum.rows !== rows || sum.bytes !== bytes || sum.hash.digest('hex') !== sha256)
      throw new Error(`${path} is damaged: the rows of ${name} differ from its manifest.`)
  }
  for (const name of sums.keys()) throw new Error(`${path} is damaged: its manifest does not name ${name}.`)
  return { manifest, secretKey: others.get(keyName)?.trim() }
}

function manifestOf(path: string, text: string | undefined): Manifest {
  if (text === undefined) throw new Error(`${path} is not a whole backup: it has no manifest.json.`)
  const read = parsed(text)
  const format = (read as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format !== formatNumber)
    throw new Error(`${path} has format ${format}, which this version cannot read. Use the version that made it.`)
  const manifest = manifestSchema.safeParse(read)
  if (!manifest.success) throw new Error(`${path} is damaged: its manifest.json is not valid.`)
  return manifest.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The rows of a backup in the order of the file, table by table, each in portions of whole lines. */
export async function* tablesIn(path: string): AsyncGenerator<{ name: string; portion: Buffer }> {
  for await (const { name, content } of filesOf(path)) {
    const table = tableFile.exec(name)?.[1]
    if (table !== undefined) yield { name: table, portion: content }
  }
}

async function* filesOf(path: string): AsyncGenerator<{ name: string; content: Buffer }> {
  const extracting = extract()
  const reading = pipeline(createReadStream(path), createGunzip(), extracting)
  // The loop below fails with the same error.
  reading.catch(() => {})
  try {
    for await (const entry of extracting) {
      const { name, size = 0 } = entry.header as Header
      const pieces: Buffer[] = []
      for await (const piece of entry) pieces.push(piece as Buffer)
      if (!tableFile.test(name) && size > smallFileBytes) throw new Error(`${name} is too long.`)
      yield { name, content: Buffer.concat(pieces) }
    }
    await reading
  } catch (error) {
    throw explained(path, error)
  }
}

function explained(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new Error(`there is no file ${path}.`)
  if (code?.startsWith('Z_')) return new Error(`${path} is not a whole backup: it is not compressed, or it is cut off.`)
  return error
}
