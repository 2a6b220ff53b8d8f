import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { GlobalValues } from '../options.ts'
import { durationOf, readSettings } from './settings.ts'
import { readCredentials, userFiles, writeCredentials } from './user-files.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A home with these files, and the settings of a command that starts in `repository/src`. */
function place(files: Record<string, unknown>) {
  const home = mkdtempSync(join(tmpdir(), 'svc-settings-'))
  folders.push(home)
  for (const [path, content] of Object.entries({ 'repository/.git/HEAD': '', 'repository/src/x': '', ...files })) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const read = (globals: GlobalValues = {}, env: Record<string, string> = {}, cwd = 'repository/src') =>
    readSettings({ env, cwd: join(home, cwd), home, platform: 'linux' }, globals, (path) => readFileSync(path, 'utf8'))
  return { home, read }
}

const userConfig = '.config/svc/config.json'
const credentials = '.config/svc/credentials.json'

it('an option beats the environment, the environment beats svc.json, and svc.json beats the user’s file', () => {
  const { home, read } = place({
    'repository/svc.json': { project: 'of-file', env: 'of-file', org: 'of-file' },
    [userConfig]: { url: 'https://user.test', project: 'of-user', env: 'of-user', org: 'of-user' },
  })
  const { url, org, env, project } = read({ project: 'of-flag' }, { SVC_PROJECT: 'of-env', SVC_ENV: 'of-env' })
  expect({ url, org, env, project }).toEqual({
    project: { value: 'of-flag', source: '--project' },
    env: { value: 'of-env', source: 'SVC_ENV' },
    org: { value: 'of-file', source: join(home, 'repository/svc.json') },
    url: { value: 'https://user.test', source: join(home, userConfig) },
  })
  expect(read({}, {}, '.').project?.value).toBe('of-user')
})

it('an empty option is refused, and an empty variable counts as none', () => {
  const { read } = place({ [userConfig]: { url: 'https://user.test', project: 'of-user' } })
  expect(read({}, { SVC_PROJECT: '' }).project?.value).toBe('of-user')
  for (const name of ['url', 'org', 'project', 'env'])
    expect(() => read({ [name]: '' }, { SVC_PROJECT: 'of-env' })).toThrow(`--${name} must not be empty.`)
})

it('svc.json is searched up to the root of the repository, and outside of one only in the folder itself', () => {
  const { read } = place({
    'svc.json': { project: 'above' },
    'other/svc.json': { project: 'other' },
    'other/deep/x': '',
  })
  expect(read().project).toBeUndefined()
  expect(read({}, {}, 'other').project?.value).toBe('other')
  expect(read({}, {}, 'other/deep').project).toBeUndefined()
})

it.each([
  [{ token: 'svc_svc_x' }, 'a token must not be in this file'],
  [{ projcet: 'x' }, 'projcet is not a field.'],
  [{ url: 5 }, 'url must be a string.'],
  [{ references: { include: 'src' } }, 'references.include must be an array.'],
  [{ references: { include: [1] } }, 'references.include[0] must be a string.'],
  [{ references: { aliases: { A: 1 } } }, 'references.aliases.A must be a string.'],
  [{ generate: null }, 'generate must be an object.'],
  ['{', 'is not valid JSON'],
  ['[]', 'must be a JSON object'],
])('svc refuses %j as svc.json', (content, message) => {
  expect(() => place({ 'repository/svc.json': content }).read()).toThrow(message)
})

it('svc reads svc.json with a byte order mark', () => {
  const { project } = place({ 'repository/svc.json': '\ufeff{ "project": "web-shop" }' }).read()
  expect(project?.value).toBe('web-shop')
})

it('a token goes only to the address it was stored for', () => {
  const { read } = place({ [credentials]: { 'https://one.test': { token: 't-1', name: 'CI', org: '3' } } })
  expect(read({ url: 'https://one.test/' })).toMatchObject({ token: { value: 't-1' }, org: { value: '3' } })
  const other = read({ url: 'https://two.test' })
  expect(other.token).toBeUndefined()
  expect(other.tokenMissing).toContain('There is no token for https://two.test.')
})

it('SVC_TOKEN does not go to an address that only a project file names', () => {
  const env = { SVC_TOKEN: 't-env' }
  const files = { 'repository/svc.json': { url: 'https://foreign.test' } }
  expect(place(files).read({}, env)).toMatchObject({
    token: undefined,
    tokenMissing: expect.stringContaining('SVC_TOKEN is not sent to https://foreign.test'),
  })
  const ways = [
    place(files).read({ url: 'https://foreign.test' }, env),
    place(files).read({}, { ...env, SVC_URL: 'https://foreign.test' }),
    place({ ...files, [userConfig]: { url: 'https://foreign.test/' } }).read({}, env),
    place({ ...files, [credentials]: { 'https://foreign.test': { token: 't', name: '', org: null } } }).read({}, env),
  ]
  for (const { token } of ways) expect(token).toEqual({ value: 't-env', source: 'SVC_TOKEN' })
})

it('SVC_TOKEN_FILE names a file with the token in its first line', () => {
  const { home, read } = place({ 'token.txt': ' t-file \nmore', empty: '\n' })
  const SVC_URL = 'https://one.test'
  expect(read({}, { SVC_URL, SVC_TOKEN_FILE: join(home, 'token.txt') }).token).toEqual({
    value: 't-file',
    source: 'SVC_TOKEN_FILE',
  })
  expect(() => read({}, { SVC_URL, SVC_TOKEN_FILE: join(home, 'empty') })).toThrow('has no token in it')
})

it.each(['flags.test', 'ftp://flags.test', 'https://u:p@flags.test', 'https://flags.test?x=1'])(
  'refuses the address %s',
  (url) => {
    expect(() => place({}).read({ url })).toThrow(/^--url: the address of the service/)
  },
)

it.each([
  ['{"https://one.test":{"token":"svc_svc_secret"', 'is not valid JSON'],
  ['{"https://one.test":{"name":"svc_svc_secret"}}', 'has no token for https://one.test'],
])('broken credentials say how to go on, and their tokens are not repeated: %s', (text, what) => {
  const { home } = place({ [credentials]: text })
  const files = userFiles({ env: {}, home, platform: 'linux' })
  expect(() => readCredentials(files)).toThrow(
    `${files.credentials} ${what}. Correct it, or delete it and use svc auth login.`,
  )
})

it('credentials are for their owner alone: written so, and tightened when read', () => {
  const { home } = place({})
  const files = userFiles({ env: {}, home, platform: 'linux' })
  writeCredentials(files, { 'https://one.test': { token: 't', name: 'n', org: null } })
  const modes = () => [dirname(files.credentials), files.credentials].map((path) => statSync(path).mode & 0o777)
  expect(modes()).toEqual([0o700, 0o600])
  chmodSync(files.credentials, 0o644)
  chmodSync(dirname(files.credentials), 0o755)
  readCredentials(files)
  expect(modes()).toEqual([0o700, 0o600])
})

it.each([
  ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/svc/config.json'],
  ['darwin', {}, '/home/ada/.config/svc/config.json'],
] as const)('on %s the files are where programs keep them', (platform, env, config) => {
  expect(userFiles({ env, home: '/home/ada', platform }).config).toBe(config)
})

it.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['5m', 300_000],
])('%s are %d milliseconds', (text, ms) => expect(durationOf(text)).toBe(ms))

it.each(['', '30', '0s', '-1s', '1w'])('svc refuses the duration "%s"', (text) => {
  expect(() => durationOf(text)).toThrow('--timeout must be a duration')
})
