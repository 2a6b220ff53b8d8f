import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
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
    SVC_LOG_FORMAT: 'auto',
    SVC_TOKEN_ROTATION_GRACE: '24h',
    SVC_WEBHOOK_RETRY_DELAYS: '1m,5m,30m,2h,12h',
    SVC_JOB_RETRY_DELAYS: '1m,5m,30m',
    SVC_WEBHOOK_TIMEOUT: '10s',
    SVC_RATE_LIMIT_READ: '600',
    SVC_RATE_LIMIT_WRITE: '120',
    SVC_RATE_LIMIT_OFREP: '60000',
    SVC_RATE_LIMIT_EVENTS: '6000',
    SVC_RATE_LIMIT_RECOMMENDATIONS: '6000',
    SVC_STREAMS_PER_ADDRESS: '1000',
    SVC_VISITOR_MEMORY: '128MiB',
    SVC_EVENTS_PER_DAY: '50000000',
    SVC_EVENT_BYTES_PER_DAY: '20GiB',
    SVC_EVENT_DISK_RESERVE: '0.1',
    SVC_DELIVERY_RETENTION: '30d',
    SVC_EVENT_RETENTION: '90d',
  })
  expect(readConfig({}).config).toMatchObject({ SVC_PORT: 4000, SVC_TRUST_PROXY: false, SVC_RATE_LIMIT_WRITE: 120 })
})

test('an empty value counts as unset, and names of other programs are ignored', () => {
  expect(readConfig({ SVC_PORT: '', PATH: '/bin', SVCX: '1' }).config.SVC_PORT).toBe(4000)
})

const contract = `HOST PORT BASE_URL DATABASE_URL DATA_DIR SECRET_KEY REDIS_URL CLICKHOUSE_URL BOOTSTRAP_FILE ROLE
  TRUST_PROXY LOG_LEVEL LOG_FORMAT METRICS_PORT METRICS_TOKEN TOKEN_ROTATION_GRACE WEBHOOK_RETRY_DELAYS JOB_RETRY_DELAYS WEBHOOK_TIMEOUT WEBHOOK_ALLOWED_HOSTS
  WEBHOOK_PROXY_URL SMTP_URL MAIL_FROM OIDC_PROVIDERS RATE_LIMIT_READ RATE_LIMIT_WRITE RATE_LIMIT_OFREP RATE_LIMIT_EVENTS
  RATE_LIMIT_RECOMMENDATIONS STREAMS_PER_ADDRESS VISITOR_MEMORY EVENTS_PER_DAY EVENT_BYTES_PER_DAY EVENT_DISK_RESERVE DATABASE_SIZE
  DELIVERY_RETENTION EVENT_RETENTION TELEMETRY_OTLP_URL`

test('the settings are those of the operating contract', () => {
  expect(Object.keys(settings)).toEqual(contract.split(/\s+/).map((name) => `SVC_${name}`))
})

const durationRule = 'must be a duration such as 500ms, 10s, 5m, 2h or 30d'
const portRange = 'between 1 and 65535'
const proxyRule = 'must be true, false, or addresses and networks such as 10.0.0.0/8, separated by commas'
const senderRule = 'must be an address such as svc@example.org or Svc <svc@example.org>'

test.each([
  ['SVC_PORT', 'http', `must be a whole number, ${portRange} (got http).`],
  ['SVC_PORT', '0x50', `must be a whole number, ${portRange} (got 0x50).`],
  ['SVC_PORT', '80.5', `must be a whole number, ${portRange} (got 80.5).`],
  ['SVC_PORT', '-1', `must be ${portRange} (got -1).`],
  ['SVC_PORT', '0', `must be ${portRange} (got 0).`],
  ['SVC_PORT', '99999', `must be ${portRange} (got 99999).`],
  ['SVC_BASE_URL', 'example.test', 'must begin with http:// or https:// (got example.test).'],
  ['SVC_BASE_URL', 'ftp://example.test', 'must begin with http:// or https:// (got ftp://example.test).'],
  ['SVC_BASE_URL', `x${'y'.repeat(200)}`, `must begin with http:// or https:// (got x${'y'.repeat(99)}…).`],
  ['SVC_BASE_URL', 'a\u001b[2J\nb', 'must begin with http:// or https:// (got a�[2J�b).'],
  ['SVC_DATABASE_URL', 'mysql://example.test', 'must begin with postgres:// or postgresql://.'],
  [
    'SVC_DATABASE_URL',
    'postgres://svc:a/b@db:x/svc',
    'must be a complete address such as postgres://user:password@host/database; percent-encode special characters in it.',
  ],
  ['SVC_REDIS_URL', 'localhost:6379', 'must begin with redis:// or rediss://.'],
  ['SVC_SECRET_KEY', 'short', 'must be 32 random bytes in base64url, 43 characters.'],
  ['SVC_SECRET_KEY', `${key}A`, 'must be 32 random bytes in base64url, 43 characters.'],
  ['SVC_ROLE', 'boss', 'must be all, api or worker (got boss).'],
  ['SVC_LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug, trace or silent (got loud).'],
  ['SVC_TRUST_PROXY', 'yes', `${proxyRule} (got yes).`],
  ['SVC_TRUST_PROXY', '10.0.0.0/33', `${proxyRule} (got 10.0.0.0/33).`],
  ['SVC_TOKEN_ROTATION_GRACE', '1 day', `${durationRule} (got 1 day).`],
  [
    'SVC_WEBHOOK_RETRY_DELAYS',
    '1m,,5m',
    'must be durations such as 500ms, 10s, 5m, 2h or 30d, separated by commas without spaces (got 1m,,5m).',
  ],
  ['SVC_WEBHOOK_TIMEOUT', '10', `${durationRule} (got 10).`],
  [
    'SVC_WEBHOOK_ALLOWED_HOSTS',
    '10.0.0.1',
    'must name each host by its hostname, not by its IP address (got 10.0.0.1).',
  ],
  ['SVC_WEBHOOK_ALLOWED_HOSTS', 'me:hunter2@host', 'must not contain a username or password.'],
  ['SVC_WEBHOOK_PROXY_URL', 'proxy:3128', 'must be an address such as http://host:port or https://host:port.'],
  ['SVC_SMTP_URL', 'https://mail.example.org', 'must begin with smtp:// or smtps://.'],
  ['SVC_MAIL_FROM', 'svc', `${senderRule} (got svc).`],
  ['SVC_MAIL_FROM', 'Svc <svc@example.org', `${senderRule} (got Svc <svc@example.org).`],
  ['SVC_RATE_LIMIT_READ', '0', 'must be at least 1 (got 0).'],
  ['SVC_RATE_LIMIT_WRITE', 'many', 'must be a whole number, at least 1 (got many).'],
  ['SVC_DELIVERY_RETENTION', '30 d', `${durationRule} (got 30 d).`],
])('%s=%j: the message names the rule, and the value unless it is a secret', (name, value, said) => {
  const problems = problemsOf({ [name]: value }).filter((problem) => problem.startsWith(`${name} `))
  expect(problems).toEqual([`${name} ${said}`])
})

test.each(['api', 'worker'])('without a database server, the role %s is refused', (role) => {
  const rule = `SVC_ROLE must be all without SVC_DATABASE_URL (got ${role}): the embedded database has one node, which does everything.`
  expect(problemsOf({ SVC_ROLE: role })).toEqual([rule])
  expect(problemsOf({ SVC_ROLE: role, SVC_DATABASE_URL: 'postgres://db/svc', SVC_SECRET_KEY: key })).toEqual([])
})

test('the names of the command line are ignored', () => {
  const names = ['URL', 'TOKEN', 'TOKEN_FILE', 'ORG', 'PROJECT', 'ENV', 'WEBHOOK_SECRET']
  expect(problemsOf(Object.fromEntries(names.map((name) => [`SVC_${name}`, 'x'])))).toEqual([])
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
  expect(problems.map((problem) => problem.split(/[: ]/)[0]).sort()).toEqual([
    'SVC_PORT',
    'SVC_ROLE',
    'SVC_SECRET_KEY',
    'SVC_WAT',
  ])
})

test('an unknown name is refused with a suggestion', () => {
  expect(problemsOf({ SVC_RATE_READ_LIMIT: '1' })[0]).toMatch(/is not a setting.*SVC_RATE_LIMIT_READ/)
  expect(problemsOf({ SVC_PORT_FILE: '/x' })[0]).toMatch(/SVC_PORT_FILE is not a setting/)
})

test('a secret can be given as the path of a file', () => {
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

test('providers are a JSON list', () => {
  const SVC_OIDC_PROVIDERS = JSON.stringify([provider, { ...provider, id: 'local', issuer: 'http://127.0.0.1:9000' }])
  expect(readConfig({ SVC_OIDC_PROVIDERS }).config.SVC_OIDC_PROVIDERS).toHaveLength(2)
})

test.each([
  ['invalid JSON', '[{', /must be a JSON list/],
  ['not a list', '{}', /the list must be an array/],
  ['a field is missing', JSON.stringify([{ ...provider, clientSecret: undefined }]), /\[0\]\.clientSecret is required/],
  ['a field is unknown', JSON.stringify([{ ...provider, secret: 'hunter2' }]), /\[0\]\.secret is not a known field/],
  ['an id that an address cannot contain', JSON.stringify([{ ...provider, id: 'A/B' }]), /\[0\]\.id must be/],
  [
    'an issuer with http',
    JSON.stringify([{ ...provider, issuer: 'http://id.acme.test' }]),
    /\[0\]\.issuer must .*https/,
  ],
  ['an issuer that is not an address', JSON.stringify([{ ...provider, issuer: 'acme' }]), /\[0\]\.issuer must/],
  ['the same id twice', JSON.stringify([provider, { ...provider, issuer: 'https://b.test' }]), /\[1\]\.id must not/],
  ['the same issuer twice', JSON.stringify([provider, { ...provider, id: 'b' }]), /\[1\]\.issuer must not/],
])('providers with %s are refused with the place and without the secret', (_what, SVC_OIDC_PROVIDERS, problem) => {
  const [told = '', ...more] = problemsOf({ SVC_OIDC_PROVIDERS })
  expect(more).toEqual([])
  expect(told).toMatch(/^SVC_OIDC_PROVIDERS /)
  expect(told).toMatch(problem)
  expect(told).not.toContain('hunter2')
})

test('mail needs a server and a sender', () => {
  const server = { SVC_SMTP_URL: 'smtps://user:hunter2@mail.example.org' }
  const sender = { SVC_MAIL_FROM: 'Svc <svc@example.org>' }
  expect(readConfig({ ...server, ...sender }).config).toMatchObject({ ...server, ...sender })
  expect(problemsOf(server)).toEqual(['SVC_MAIL_FROM is required with SVC_SMTP_URL.'])
  expect(problemsOf(sender)).toEqual(['SVC_SMTP_URL is required with SVC_MAIL_FROM.'])
})

test('a file that cannot be read and a secret given twice are refused', () => {
  expect(problemsOf({ SVC_SECRET_KEY_FILE: join(folder, 'none') })).toEqual([
    `SVC_SECRET_KEY_FILE: cannot read ${join(folder, 'none')} (ENOENT).`,
  ])
  expect(problemsOf({ SVC_SECRET_KEY_FILE: fileOf(key), SVC_SECRET_KEY: key })).toEqual([
    'SVC_SECRET_KEY must be given only once (got it directly and as SVC_SECRET_KEY_FILE).',
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

test('the metrics port must differ from the port of the service', () => {
  expect(problemsOf({ SVC_METRICS_PORT: '4000' })).toEqual(['SVC_METRICS_PORT must differ from SVC_PORT (got 4000).'])
})

test('a trailing slash of the base address is removed', () => {
  expect(readConfig({ SVC_BASE_URL: 'https://svc.test/' }).config.SVC_BASE_URL).toBe('https://svc.test')
})

describe('the variables of OpenTelemetry', () => {
  const url = { SVC_TELEMETRY_OTLP_URL: 'http://collector:4318/' }

  test('are read with the address of a collector', () => {
    const { config } = readConfig({
      ...url,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20s3cret, x-team = shop=eu',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    })
    expect(config).toMatchObject({
      SVC_TELEMETRY_OTLP_URL: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: { Authorization: 'Bearer s3cret', 'x-team': 'shop=eu' },
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: 0.25,
    })
  })

  test('are ignored without it, whatever they are, and others always', () => {
    const { config } = readConfig({ OTEL_TRACES_SAMPLER: 'xray', OTEL_SERVICE_NAME: 'x' })
    expect(config).toMatchObject({ OTEL_TRACES_SAMPLER: 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: 1 })
    expect(problemsOf({ ...url, OTEL_SERVICE_NAME: 'x', OTEL_LOG_LEVEL: '?' })).toEqual([])
  })

  const headersRule =
    'must be headers such as name=value, separated by commas; percent-encode special characters in values.'

  test.each([
    ['OTEL_TRACES_SAMPLER', 'xray', /^must be always_on, .* \(got xray\)\.$/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1, such as 0.1 (got 1.5).'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1', 'must be a number from 0 to 1, such as 0.1 (got -1).'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer hunter2', headersRule],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%', headersRule],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b%0d%0ac: d', headersRule],
    ['SVC_TELEMETRY_OTLP_URL', 'collector:4318', 'must begin with http:// or https:// (got collector:4318).'],
  ])('%s=%s is refused', (name, value, rule) => {
    const [problem = ''] = problemsOf({ ...url, [name]: value })
    const text = problem.slice(name.length + 1)
    if (typeof rule === 'string') expect(text).toBe(rule)
    else expect(text).toMatch(rule)
  })
})
