import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Header, pack } from 'tar-stream'
import type { Signer } from '../platform/sign.ts'
import { formatNumber, type Manifest, manifestSchema, type TableSum } from './manifest.ts'
import { rowsIn } from './portions.ts'
import type { Table } from './tables.ts'

const manifestName = 'manifest.json'
const signatureName = 'manifest.signature'
const keyName = 'secret-key'
const ownerMayRead = 0o600
const tableFile = /^tables\/([a-z0-9_]+)(?:\.\d+)?\.copy$/
const smallFileBytes = 16 * 1024 * 1024

/** Adds files to a backup. */
export interface ArchiveWriter {
  /** Adds all rows of a table. */
  table(table: Table, portions: AsyncIterable<Buffer>): Promise<TableSum>
  secretKey(key: string): Promise<void>
  /** The last file, and its signature: an archive that was cut off has none. */
  manifest(manifest: Manifest): Promise<void>
}

/**
 * Writes a backup: a compressed tar file that only its owner can read. It gets its name when it is complete and on the
 * disk.
 *
 * @param signer null if there is no secret key yet
 */
export async function writeArchive(
  path: string,
  { madeAt, signer }: { madeAt: Date; signer: Signer | null },
  fill: (writer: ArchiveWriter) => Promise<void>,
) {
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  try {
    const packing = pack()
    // Synced to the disk before it is closed.
    const file = createWriteStream(unfinished, { mode: ownerMayRead, flush: true })
    const written = pipeline(packing, createGzip(), file)
    const filled = fill(writerOf(packing, madeAt, signer)).then(
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

function writerOf(packing: ReturnType<typeof pack>, mtime: Date, signer: Signer | null): ArchiveWriter {
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
    async manifest(manifest) {
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      await add(manifestName, Buffer.from(text))
      if (signer) await add(signatureName, Buffer.from(`${signer.sign(text)}\n`))
    },
  }
}

/** What a backup has besides its rows. */
export interface Archive {
  manifest: Manifest
  secretKey: string | undefined
  /** Whether a key signed this manifest, and with it all rows; undefined if there is no signature. */
  isSigned: ((signer: Signer) => boolean) | undefined
}

/**
 * Reads a whole backup and compares everything with its manifest. Throws if the file is no backup, is cut off, is
 * damaged, or has a format that this version does not know. If somebody changes both the rows and the sums, only the
 * signature shows it.
 */
export async function checkArchive(path: string): Promise<Archive> {
  const sums = sumsOf(path)
  const others = new Map<string, string>()
  for await (const { name, content } of filesOf(path)) {
    const table = tableFile.exec(name)?.[1]
    if (table === undefined) others.set(name, content.toString('utf8'))
    else sums.add(table, content)
  }
  const text = others.get(manifestName)
  const manifest = manifestOf(path, text)
  sums.compare(manifest)
  const signature = others.get(signatureName)?.trim()
  return {
    manifest,
    secretKey: others.get(keyName)?.trim(),
    isSigned: signature === undefined ? undefined : (signer) => signer.isSigned(text!, signature),
  }
}

/** Adds up what an archive has of each table. */
function sumsOf(path: string) {
  const sums = new Map<string, { rows: number; bytes: number; hash: Hash }>()
  const none = () => ({ rows: 0, bytes: 0, hash: createHash('sha256') })
  return {
    add(table: string, content: Buffer): void {
      const sum = sums.get(table) ?? none()
      sums.set(table, sum)
      sum.rows += rowsIn(content)
      sum.bytes += content.length
      sum.hash.update(content)
    },
    compare({ tables }: Manifest): void {
      for (const { name, rows, bytes, sha256 } of tables) {
        const sum = sums.get(name) ?? none()
        sums.delete(name)
        if (sum.rows !== rows || sum.bytes !== bytes || sum.hash.digest('hex') !== sha256)
          throw new Error(`${path} is damaged: the rows of ${name} differ from its manifest.`)
      }
      for (const name of sums.keys()) throw new Error(`${path} is damaged: its manifest does not name ${name}.`)
    },
  }
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

/**
 * The rows of a backup in the order of the file, table by table, each in portions of whole lines. Throws at the end if
 * they are not those of the manifest: the file can have changed since it was checked.
 */
export async function* tablesIn(path: string, manifest: Manifest): AsyncGenerator<{ name: string; portion: Buffer }> {
  const sums = sumsOf(path)
  for await (const { name, content } of filesOf(path)) {
    const table = tableFile.exec(name)?.[1]
    if (table === undefined) continue
    sums.add(table, content)
    yield { name: table, portion: content }
  }
  sums.compare(manifest)
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
