import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = Buffer.alloc(32, 7).toString('base64url')

function fileOf(content: string): string {
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('an empty environment gives the documented defaults', () => {
  const fallbacks = Object.entries(settings).map(([name, { fallback }]) => [name, fallback])
  expect(Object.fromEntries(fallbacks.filter(([, fallback]) => fallback !== null))).toEqual({
    SVC_HOST: '127.0.0.1',
    SVC_PORT: '4000',
    SVC_DATA_DIR: './data',
    SVC_ROLE: 'all',
    SVC_TRUST_PROXY: 'false',
    SVC_LOG_LEVEL: 'info',
    SVC_TOKEN_ROTATION_GRACE: '24h',
    SVC_WEBHOOK_RETRY_DELAYS: '1m,5m,30m,2h,12h',
    SVC_WEBHOOK_TIMEOUT: '10s',
    SVC_RATE_LIMIT_READ: '600',
    SVC_RATE_LIMIT_WRITE: '120',
    SVC_DELIVERY_RETENTION: '30d',
  })
  expect(readConfig({}).config).toMatchObject({ SVC_PORT: 4000, SVC_TRUST_PROXY: false, SVC_RATE_LIMIT_WRITE: 120 })
})

test('an empty value counts as unset, and other programs’ names do not count', () => {
  expect(readConfig({ SVC_PORT: '', PATH: '/bin', SVCX: '1' }).config.SVC_PORT).toBe(4000)
})

const contract = `HOST PORT BASE_URL DATABASE_URL DATA_DIR SECRET_KEY REDIS_URL CLICKHOUSE_URL BOOTSTRAP_FILE ROLE
  TRUST_PROXY LOG_LEVEL TOKEN_ROTATION_GRACE WEBHOOK_RETRY_DELAYS WEBHOOK_TIMEOUT WEBHOOK_ALLOWED_HOSTS
  WEBHOOK_PROXY_URL SMTP_URL MAIL_FROM OIDC_PROVIDERS RATE_LIMIT_READ RATE_LIMIT_WRITE DELIVERY_RETENTION
  TELEMETRY_OTLP_URL`

test('the settings are those of the operating contract', () => {
  expect(Object.keys(settings)).toEqual(contract.split(/\s+/).map((name) => `SVC_${name}`))
})

test.each([
  ['SVC_PORT', 'http'],
  ['SVC_PORT', '0'],
  ['SVC_PORT', '65536'],
  ['SVC_PORT', '80.5'],
  ['SVC_BASE_URL', 'example.test'],
  ['SVC_BASE_URL', 'ftp://example.test'],
  ['SVC_DATABASE_URL', 'mysql://example.test'],
  ['SVC_SECRET_KEY', 'short'],
  ['SVC_SECRET_KEY', `${key}A`],
  ['SVC_ROLE', 'boss'],
  ['SVC_LOG_LEVEL', 'loud'],
  ['SVC_TRUST_PROXY', 'yes'],
  ['SVC_TRUST_PROXY', '10.0.0.0/33'],
  ['SVC_TOKEN_ROTATION_GRACE', '1 day'],
  ['SVC_WEBHOOK_RETRY_DELAYS', '1m,,5m'],
  ['SVC_WEBHOOK_TIMEOUT', '10'],
  ['SVC_SMTP_URL', 'mail.example.org'],
  ['SVC_SMTP_URL', 'https://mail.example.org'],
  ['SVC_MAIL_FROM', 'svc'],
  ['SVC_MAIL_FROM', 'Svc <svc@example.org'],
  ['SVC_RATE_LIMIT_READ', '0'],
  ['SVC_RATE_LIMIT_WRITE', 'many'],
  ['SVC_DELIVERY_RETENTION', '30 d'],
])('%s=%s is refused by name', (name, value) => {
  const problems = problemsOf({ [name]: value }).filter((problem) => problem.startsWith(`${name}: `))
  expect(problems).toHaveLength(1)
})

test.each([
  ['true', true],
  ['false', false],
  ['10.0.0.0/8, 127.0.0.1', '10.0.0.0/8, 127.0.0.1'],
  ['::1', '::1'],
  ['loopback', 'loopback'],
])('SVC_TRUST_PROXY=%s is accepted', (value, expected) => {
  expect(readConfig({ SVC_TRUST_PROXY: value }).config.SVC_TRUST_PROXY).toBe(expected)
})

test('every problem is reported at once', () => {
  const problems = problemsOf({ SVC_PORT: 'x', SVC_ROLE: 'x', SVC_WAT: '1', SVC_DATABASE_URL: 'postgres://db/svc' })
  expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
    'SVC_PORT',
    'SVC_ROLE',
    'SVC_SECRET_KEY',
    'SVC_WAT',
  ])
})

test('an unknown name is refused, with the name that may be meant', () => {
  expect(problemsOf({ SVC_RATE_READ_LIMIT: '1' })[0]).toMatch(/no such setting.*SVC_RATE_LIMIT_READ/)
  expect(problemsOf({ SVC_PORT_FILE: '/x' })[0]).toMatch(/SVC_PORT_FILE: there is no such setting/)
})

test('a secret may be given as the path of a file', () => {
  const { config } = readConfig({ SVC_SECRET_KEY_FILE: fileOf(`${key}\n`) })
  expect(config.SVC_SECRET_KEY).toEqual(Buffer.alloc(32, 7))
})

test('a server database with its key is accepted, both as files', () => {
  const url = join(folder, 'url')
  writeFileSync(url, 'postgres://db/svc')
  const { config } = readConfig({ SVC_DATABASE_URL_FILE: url, SVC_SECRET_KEY_FILE: fileOf(key) })
  expect(config.SVC_DATABASE_URL).toBe('postgres://db/svc')
})

const provider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.acme.test',
  clientId: 'svc',
  clientSecret: 'hunter2 hunter2',
}

test('providers are a list in JSON', () => {
  const SVC_OIDC_PROVIDERS = JSON.stringify([provider, { ...provider, id: 'local', issuer: 'http://127.0.0.1:9000' }])
  expect(readConfig({ SVC_OIDC_PROVIDERS }).config.SVC_OIDC_PROVIDERS).toHaveLength(2)
})

test.each([
  ['no JSON', '[{', /not JSON/],
  ['no list', '{}', /the list: /],
  ['a field is missing', JSON.stringify([{ ...provider, clientSecret: undefined }]), /0\.clientSecret: /],
  ['a field is unknown', JSON.stringify([{ ...provider, secret: 'hunter2' }]), /0|the list/],
  ['an id that no address could hold', JSON.stringify([{ ...provider, id: 'A/B' }]), /0\.id: /],
  ['an issuer in clear text', JSON.stringify([{ ...provider, issuer: 'http://id.acme.test' }]), /0\.issuer: .*https/],
  ['an issuer that is no address', JSON.stringify([{ ...provider, issuer: 'acme' }]), /0\.issuer: /],
  ['one id twice', JSON.stringify([provider, { ...provider, issuer: 'https://b.test' }]), /1\.id: /],
  ['one issuer twice', JSON.stringify([provider, { ...provider, id: 'b' }]), /1\.issuer: /],
])('providers, %s: refused with the place and without the secret', (_what, SVC_OIDC_PROVIDERS, problem) => {
  const [told = '', ...more] = problemsOf({ SVC_OIDC_PROVIDERS })
  expect(more).toEqual([])
  expect(told).toMatch(/^SVC_OIDC_PROVIDERS: /)
  expect(told).toMatch(problem)
  expect(told).not.toContain('hunter2')
})

test('mail needs a server and a sender', () => {
  const server = { SVC_SMTP_URL: 'smtps://user:hunter2@mail.example.org' }
  const sender = { SVC_MAIL_FROM: 'Svc <svc@example.org>' }
  expect(readConfig({ ...server, ...sender }).config).toMatchObject({ ...server, ...sender })
  expect(problemsOf(server)).toEqual(['SVC_MAIL_FROM: required with SVC_SMTP_URL.'])
  expect(problemsOf(sender)).toEqual(['SVC_SMTP_URL: required with SVC_MAIL_FROM.'])
})

test('a file that cannot be read and a secret given twice are refused', () => {
  expect(problemsOf({ SVC_SECRET_KEY_FILE: join(folder, 'none') })).toEqual([
    'SVC_SECRET_KEY_FILE: the file cannot be read (ENOENT).',
  ])
  expect(problemsOf({ SVC_SECRET_KEY_FILE: fileOf(key), SVC_SECRET_KEY: key })).toEqual([
    'SVC_SECRET_KEY: given twice, directly and as a file.',
  ])
})

test('no value of a secret is ever shown', () => {
  const bad = Object.entries(settings)
    .filter(([, setting]) => 'secret' in setting)
    .map(([name]) => [name, 'hunter2 hunter2'])
  expect(problemsOf({ ...Object.fromEntries(bad), SVC_SECRET_KEY_FILE: fileOf('hunter2') }).join()).not.toContain(
    'hunter2',
  )
})

test('the end of the base address is trimmed, so that links join', () => {
  expect(readConfig({ SVC_BASE_URL: 'https://svc.test/' }).config.SVC_BASE_URL).toBe('https://svc.test')
})

test('settings that nothing reads yet are named', () => {
  expect(readConfig({ SVC_ROLE: 'api', SVC_PORT: '1' }).unused).toEqual(['SVC_ROLE'])
})
