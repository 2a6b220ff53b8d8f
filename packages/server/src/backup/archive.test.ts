import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { signersWith } from '../platform/sign.ts'
import { checkArchive, tablesIn, writeArchive } from './archive.ts'
import { formatNumber, type Manifest } from './manifest.ts'

const madeAt = new Date('2027-01-31T04:00:00Z')
const rows: Record<string, string[]> = { colours: ['1\tred\n2\tblue\n', '3\tgreen\n'], empty: [] }
const secretKey = 'k'.repeat(43)
const signer = signersWith(Buffer.alloc(32, 1)).backup

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-archive-'))
  path = join(folder, 'svc.tar.gz')
  onTestFinished(() => rm(folder, { recursive: true }))
})

async function* portionsOf(name: string) {
  for (const portion of rows[name]!) yield Buffer.from(portion)
}

const write = (change: Partial<Record<keyof Manifest, unknown>> = {}, by: typeof signer | null = signer) =>
  writeArchive(path, { madeAt, signer: by }, async (writer) => {
    await writer.secretKey(secretKey)
    const tables = []
    for (const name of Object.keys(rows))
      tables.push(await writer.table({ name, columns: ['id', 'name'] }, portionsOf(name)))
    const about = { format: formatNumber, version: '0.1.0', madeAt: madeAt.toISOString(), database: 'server' } as const
    const rest = { secretKey: null, lastMigration: '0001-ground.sql', tables, partitions: [], sequences: [] }
    await writer.manifest({ ...about, ...rest, ...change } as Manifest)
  })

async function tamper(change: (tar: Buffer) => Buffer) {
  await writeFile(path, gzipSync(change(gunzipSync(await readFile(path)))))
}

test('a backup holds what was written, and only its owner can read it', async () => {
  await write()
  const { manifest, secretKey: key, isSigned } = await checkArchive(path)
  expect([key, isSigned!(signer)]).toEqual([secretKey, true])
  expect(manifest.tables.map(({ name, rows, bytes }) => [name, rows, bytes])).toEqual([
    ['colours', 3, 21],
    ['empty', 0, 0],
  ])
  const read = []
  for await (const { name, portion } of tablesIn(path, manifest)) read.push([name, portion.toString()])
  expect(read).toEqual(rows.colours!.map((portion) => ['colours', portion]))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['svc.tar.gz'])
})

test('a backup whose writing fails leaves no file', async () => {
  const failing = writeArchive(path, { madeAt, signer }, async (writer) => {
    await writer.secretKey(secretKey)
    throw new Error('the connection was lost')
  })
  await expect(failing).rejects.toThrow('the connection was lost')
  expect(await readdir(folder)).toEqual([])
})

test('a signature is valid only for its key and its purpose, and needs a key', async () => {
  await write()
  const { isSigned } = await checkArchive(path)
  const others = [signersWith(Buffer.alloc(32, 2)).backup, signersWith(Buffer.alloc(32, 1)).audit]
  expect(others.map((other) => isSigned!(other))).toEqual([false, false])
  await write({}, null)
  expect((await checkArchive(path)).isSigned).toBeUndefined()
})

test('a signature covers every byte of the manifest', async () => {
  await write()
  await tamper((tar) => Buffer.from(tar.toString('latin1').replace('0001-ground.sql', '0002-ground.sql'), 'latin1'))
  expect((await checkArchive(path)).isSigned!(signer)).toBe(false)
})

test('reading fails if the file has changed since it was checked', async () => {
  await write()
  const { manifest } = await checkArchive(path)
  await tamper((tar) => Buffer.from(tar.toString('latin1').replace('3\tgreen', '3\tgreed'), 'latin1'))
  const reading = async () => {
    for await (const { name } of tablesIn(path, manifest)) expect(name).toBe('colours')
  }
  await expect(reading()).rejects.toThrow('is damaged: the rows of colours differ from its manifest')
})

test.each<[string, () => Promise<unknown>, string]>([
  ['is missing', async () => rm(path), 'there is no file'],
  ['is no archive', () => writeFile(path, 'hello'), 'is not a whole backup: it is not compressed, or it is cut off'],
  [
    'is cut off',
    async () => writeFile(path, (await readFile(path)).subarray(0, 200)),
    'is not a whole backup: it is not compressed, or it is cut off',
  ],
  [
    'has another row',
    () => tamper((tar) => Buffer.from(tar.toString('latin1').replace('3\tgreen', '3\tgreed'), 'latin1')),
    'is damaged: the rows of colours differ from its manifest',
  ],
  ['has a newer format', () => write({ format: 2 }), 'has format 2, which this version cannot read'],
  ['lacks a part of its manifest', () => write({ sequences: undefined }), 'is damaged: its manifest.json is not valid'],
  ['names fewer tables', () => write({ tables: [] }), 'is damaged: its manifest does not name colours'],
])('a backup that %s is refused', async (_what, damage, said) => {
  await write()
  await damage()
  await expect(checkArchive(path)).rejects.toThrow(said)
})
