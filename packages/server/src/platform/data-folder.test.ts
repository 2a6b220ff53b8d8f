import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeToOthers, dataFolderProblem, kept, makeDataFolder } from './data-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-data-folder-'))
const inside = (...names: string[]) => join(folder, ...names)
const isRoot = process.getuid?.() === 0
// The superuser ignores file modes, but cannot write to the kernel's own folders either.
const forbidden = isRoot ? '/proc/svc' : inside('forbidden', 'data')

beforeAll(() => {
  writeFileSync(inside('file'), '')
  mkdirSync(inside('empty'))
  mkdirSync(inside('shared'))
  chmodSync(inside('shared'), 0o1777)
  mkdirSync(inside('forbidden'), { mode: 0o500 })
})
afterAll(() => rmSync(folder, { recursive: true }))

const problem = async (path: string) => (await dataFolderProblem(path)) ?? makeDataFolder(path)

test.each([
  ['an existing file', inside('file'), `: cannot create ${inside('file')}: a file of that name exists.`],
  [
    'a path below a file',
    inside('file', 'a', 'b'),
    `: cannot create ${inside('file', 'a', 'b')}: ${inside('file')} is a file.`,
  ],
  ['the root folder', '/', ' must be a dedicated folder (got /).'],
  ['the home folder', homedir(), ` must be a dedicated folder (got ${homedir()}).`],
  ['a folder shared by all users', inside('shared'), ` must be a dedicated folder (got ${inside('shared')}).`],
])('%s is refused and nothing is created', async (_what, path, said) => {
  expect(await dataFolderProblem(path)).toBe(said)
})

test('a folder that refuses every name is an error and not an endless search', async () => {
  expect(await problem('/proc/x/y')).toMatch(/^: cannot create \/proc\/x\/y: /)
})

test('a folder that the user cannot write to is refused', async () => {
  expect(await problem(forbidden)).toMatch(new RegExp(`^: cannot create ${forbidden}: `))
})

test('the service creates a folder and its parents for the owner only', async () => {
  const path = inside('new', 'data')
  expect(await dataFolderProblem(path)).toBeUndefined()
  expect(() => statSync(inside('new'))).toThrow('ENOENT')
  expect(makeDataFolder(path)).toBeUndefined()
  for (const each of [inside('new'), path]) expect(statSync(each).mode & 0o777).toBe(0o700)
  expect(makeDataFolder(path)).toBeUndefined()
})

test('the service closes files to other accounts once and logs it', () => {
  const told: [object, string][] = []
  const log = {
    info: () => undefined,
    warn: (...line: [object, string]) => void told.push(line),
    error: () => undefined,
  }
  const path = inside('empty')
  const database = join(path, kept.database)
  mkdirSync(join(database, 'base'), { recursive: true })
  const files = [join(path, kept.secretKey), join(database, 'base', '1'), join(path, 'somebody-elses')]
  for (const file of files) writeFileSync(file, '')
  symlinkSync(inside('file'), join(database, 'link'))
  for (const each of [path, database, join(database, 'base')]) chmodSync(each, 0o755)
  for (const file of [...files, inside('file')]) chmodSync(file, 0o666)

  closeToOthers(path, log)
  const modes = [path, database, join(database, 'base'), ...files, inside('file')].map(
    (each) => statSync(each).mode & 0o777,
  )
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600, 0o666, 0o666])
  expect(told).toEqual([[{ dataDir: path, files: 5 }, expect.stringContaining('open to other accounts')]])

  closeToOthers(path, log)
  expect(told).toHaveLength(1)
})
