import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../testing/processes/command.ts'
import { freePort } from '../testing/processes/port.ts'
import { run } from './command.ts'
import type { Finding } from './commands/finding.ts'
import { readConfig, settings, telemetrySettings } from './config.ts'

const svc = (args: string[], more: Record<string, string> = {}) =>
  runCommand(args, { SVC_DATA_DIR: '/nowhere', ...more })

/** The same in this process, for what ends before it reads a setting: the start of a process takes half a second. */
async function understood(args: string[]) {
  const said = { out: '', err: '' }
  const keep = (where: keyof typeof said) => (text: string | Uint8Array) => {
    said[where] += text
    return true
  }
  const before = process.exitCode
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
  ]
  try {
    await run(args)
    return { ...said, code: process.exitCode }
  } finally {
    process.exitCode = before
    for (const spy of spies) spy.mockRestore()
  }
}

test('config lists every setting with its default and meaning', async () => {
  const { out, err, code } = await svc(['config'])
  expect([err, code]).toEqual(['', 0])
  const lines = out.trimEnd().split('\n')
  const all = { ...settings, ...telemetrySettings }
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(Object.keys(all))
  for (const [index, { fallback, meaning }] of Object.values(all).entries()) {
    expect(lines[index]).toContain(fallback ?? '')
    expect(lines[index]).toContain(meaning.replaceAll('`', ''))
  }
})

test('wrong arguments are explained', async () => {
  const cases: [string[], number, string][] = [
    [['help'], 0, 'svc-server audit verify'],
    [['help', 'audit'], 0, 'svc-server audit verify'],
    [['help', 'restroe'], 2, 'svc-server: "restroe" is not a command. Did you mean svc-server restore?'],
    [['audit'], 2, 'svc-server audit verify'],
    [['audit'], 2, 'svc-server: "audit" needs another word.'],
    [['restroe', 'x'], 2, 'svc-server: "restroe" is not a command. Did you mean svc-server restore?'],
    [['audit', 'verfy'], 2, 'svc-server: "audit verfy" is not a command. Did you mean svc-server audit verify?'],
    [['teleport'], 2, 'svc-server: "teleport" is not a command.\n\nsvc-server: starts the service'],
    [['restore', 'x', '--dril'], 2, "Unknown option '--dril'. Did you mean --drill?"],
    [['migrate', '--chek'], 2, "Unknown option '--chek'. Did you mean --check?"],
    [['reset-link', '--drill'], 2, "Unknown option '--drill'. See svc-server help."],
    [['audit', 'verify', '--all'], 2, "Unknown option '--all'"],
    [['audit', 'verify', '--expect', '12'], 1, 'must be <number>:<hash>'],
    [['organizations'], 2, 'svc-server organizations list'],
    [['organizations', 'list', '1'], 2, "Unexpected argument '1'"],
    [['organizations', 'enable', '1'], 1, 'an organization and a feature are required'],
    [['organizations', 'enable', '1', 'teleport'], 1, 'there is no feature teleport. Use integrations_api_export.'],
    [['health', '--port', '1'], 2, "Unknown option '--port'"],
    [['migrate', '--dry-run'], 2, "Unknown option '--dry-run'"],
    [['doctor', '--fix'], 2, "Unknown option '--fix'"],
    [['secret-key', 'file'], 2, "Unexpected argument 'file'"],
    [['reset-link', 'a', 'b'], 1, 'an e-mail address is required: svc-server reset-link <email>'],
  ]
  for (const [args, code, said] of cases) {
    const answer = await understood(args)
    expect([args, answer.code]).toEqual([args, code])
    expect(code === 0 ? answer.out : answer.err).toContain(said)
  }
  expect(await svc(['start', 'now'])).toEqual({
    out: '',
    err: expect.stringContaining("Unexpected argument 'now'"),
    code: 2,
  })
})

test.each([
  ['SVC_PROT', 'SVC_PORT'],
  ['SVC_LOGLEVEL', 'SVC_LOG_LEVEL'],
  ['SVC_DATABSE_URL', 'SVC_DATABASE_URL'],
])('%s is explained as %s', (wrong, right) => {
  expect(() => readConfig({ [wrong]: '1' })).toThrow(`${wrong} is not a setting. Did you mean ${right}?`)
})

test('a wrong setting is explained in one line', async () => {
  expect(await svc(['audit', 'verify'], { SVC_PORTS: '1' })).toEqual({
    out: '',
    err: 'svc-server: SVC_PORTS is not a setting. Did you mean SVC_PORT?\n',
    code: 1,
  })
})

test('a missing database is not created', async () => {
  expect(await svc(['audit', 'verify'])).toMatchObject({
    out: '',
    code: 1,
    err: expect.stringContaining('there is no database in /nowhere'),
  })
})

test('secret-key prints a key that the settings accept', async () => {
  const { out, err, code } = await svc(['secret-key'], { SVC_PORT: 'wrong' })
  expect([err, code]).toEqual(['', 0])
  const key = out.trimEnd()
  expect(readConfig({ SVC_SECRET_KEY: key }).config.SVC_SECRET_KEY).toHaveLength(32)
  expect((await svc(['secret-key'])).out).not.toBe(out)
})

test('secret-key makes a file once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret-key')
  expect(await svc(['secret-key', '--file', file])).toMatchObject({ out: '', code: 0 })
  const key = await readFile(file, 'utf8')
  expect(readConfig({ SVC_SECRET_KEY_FILE: file }).config.SVC_SECRET_KEY).toHaveLength(32)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await svc(['secret-key', '--file', file])).toEqual({
    out: '',
    err: `${file} already exists, so it was not changed.\n`,
    code: 0,
  })
  expect(await readFile(file, 'utf8')).toBe(key)
  const nowhere = await svc(['secret-key', '--file', join(folder, 'missing', 'key')])
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') })
})

test('health says why the service is not ready', async () => {
  const port = String(await freePort())
  expect(await svc(['health'], { SVC_PORT: port })).toEqual({
    out: '',
    err: `svc-server: nothing answers at http://127.0.0.1:${port}/readyz.\n`,
    code: 1,
  })
})

describe('doctor', () => {
  const findings = async (more: Record<string, string>) => {
    const { out, code } = await svc(['doctor', '--json'], { SVC_PORT: String(await freePort()), ...more })
    return { code, found: JSON.parse(out) as Finding[] }
  }

  test('lists wrong settings with their remedy', async () => {
    const { code, found } = await findings({ SVC_ROLE: 'boss', SVC_PORTS: '1' })
    expect(code).toBe(1)
    expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual(['settings failed', 'settings failed'])
    expect(found[0]!.text).toBe('SVC_PORTS is not a setting. Did you mean SVC_PORT?')
    expect(found[0]!.remedy).toContain('svc-server config')
  })

  test('passes before the first start, and creates nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-doctor-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { code, found } = await findings({ SVC_DATA_DIR: join(folder, 'data') })
    expect(found.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(found.map(({ check }) => check)).toEqual([
      'node',
      'settings',
      'service',
      'data folder',
      'base URL',
      'database',
    ])
    expect(code).toBe(0)
    await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT')
  })

  test('finds what is missing around the service', async () => {
    const port = await freePort()
    const folder = await mkdtemp(join(tmpdir(), 'svc-doctor-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await chmod(folder, 0o755)
    const { code, found } = await findings({
      SVC_DATA_DIR: folder,
      SVC_HOST: '0.0.0.0',
      SVC_REDIS_URL: `redis://:hidden-word@127.0.0.1:${port}`,
      SVC_CLICKHOUSE_URL: `http://svc:hidden-word@127.0.0.1:${port}/svc`,
      SVC_SMTP_URL: `smtp://svc:hidden-word@127.0.0.1:${port}`,
      SVC_MAIL_FROM: 'svc@example.org',
    })
    const states = Object.fromEntries(found.map(({ check, state }) => [check, state]))
    expect(states).toMatchObject({
      'data folder': 'warning',
      'disk sync': 'ok',
      redis: 'failed',
      clickhouse: 'failed',
      mail: 'failed',
      'base URL': 'warning',
    })
    for (const { state, remedy } of found) expect(remedy === null).toBe(state === 'ok')
    expect(JSON.stringify(found)).not.toContain('hidden-word')
    expect(code).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })
})
