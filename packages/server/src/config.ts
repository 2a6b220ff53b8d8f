import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { nearest } from '@svc/core'
import { z } from 'zod'
import { providerList } from './platform/oidc/settings.ts'
import { allowedHostsProblem, proxyUrlProblem } from './platform/outbound/index.ts'

interface Setting<Schema extends z.ZodType> {
  schema: Schema
  /** As an operator would write it. Null: no default. */
  fallback: string | null
  meaning: string
  /** Never shown. Can be given as the path of a file in `NAME_FILE`. */
  secret?: true
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  fallback: string | null,
  meaning: string,
  more: Pick<Setting<Schema>, 'secret'> = {},
): Setting<Schema> => ({ schema, fallback, meaning, ...more })

// Every message continues after the name of the setting: "SVC_PORT" "must be between 1 and 65535" "(got 99999).".
const text = z.string('must be given')

const wholeNumber = (min: number, max: number, range: string) =>
  text
    .regex(/^[+-]?\d+$/, `must be a whole number, ${range}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be ${range}`).max(max, `must be ${range}`))

const maxPort = 65_535
const port = wholeNumber(1, maxPort, `between 1 and ${maxPort}`)
const ratio = text
  .regex(/^(?:0?\.\d{1,9}|[01](?:\.0*)?)$/, 'must be a number from 0 to 1, such as 0.1')
  .transform(Number)
const count = wholeNumber(1, Number.MAX_SAFE_INTEGER, 'at least 1')

/** An address that begins with one of the schemes. */
const address = (schemes: readonly string[], example: string) =>
  text.superRefine((value, context) => {
    const begins = schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}://`))
    const rule = begins
      ? `must be a complete address such as ${example}; percent-encode special characters in it`
      : `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`
    if (!begins || !URL.canParse(value)) context.addIssue({ code: 'custom', message: rule })
  })

const secretKey = text
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 random bytes in base64url, 43 characters')
  .transform((key) => Buffer.from(key, 'base64url'))
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationPattern = /^(\d{1,9})(ms|s|m|h|d)$/

function milliseconds(duration: string): number {
  const [, amount, unit] = durationPattern.exec(duration) ?? []
  return Number(amount) * unitMs[unit as keyof typeof unitMs]
}

const duration = text
  .regex(durationPattern, 'must be a duration such as 500ms, 10s, 5m, 2h or 30d')
  .transform(milliseconds)
const unitBytes = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
const sizePattern = /^(\d{1,6})(KiB|MiB|GiB)$/
/** In bytes. */
const size = text.regex(sizePattern, 'must be a size such as 512KiB, 128MiB or 2GiB').transform((written) => {
  const [, amount, unit] = sizePattern.exec(written) ?? []
  return Number(amount) * unitBytes[unit as keyof typeof unitBytes]
})
const durations = text
  .refine((list) => list.split(',').every((each) => durationPattern.test(each)), {
    error: 'must be durations such as 500ms, 10s, 5m, 2h or 30d, separated by commas without spaces',
  })
  .transform((list) => list.split(',').map(milliseconds))

const oneOf = <const Choice extends string>(...choices: Choice[]) =>
  z.enum(choices, `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)

/** A value that `problemOf` finds no problem with. Its message already includes the value. */
const problemFree = (problemOf: (value: string) => string | undefined) =>
  text.superRefine((value, context) => {
    const message = problemOf(value)
    if (message) context.addIssue({ code: 'custom', message, params: saysWhatItGot })
  })

const saysWhatItGot = { saysWhatItGot: true }

const proxies = text
  .refine((value) => ['true', 'false'].includes(value) || value.split(',').every(isProxy), {
    error: 'must be true, false, or addresses and networks such as 10.0.0.0/8, separated by commas',
  })
  .transform((value) => (value === 'true' ? true : value === 'false' ? false : value))
const mailAddress = text.regex(
  /^(?:[^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
  'must be an address such as svc@example.org or Svc <svc@example.org>',
)
/** As OpenTelemetry's own variables write them: `name=value,name=value`, values percent-encoded. */
const headerList = text
  .refine((list) => list.split(',').every((each) => headerPattern.test(each.trim()) && isDecodable(each)), {
    error: 'must be headers such as name=value, separated by commas; percent-encode special characters in values',
  })
  .transform((list) =>
    Object.fromEntries(
      list.split(',').map((each) => {
        const [name = '', ...value] = each.trim().split('=')
        return [name.trim(), decodeURIComponent(value.join('=').trim())]
      }),
    ),
  )
const headerPattern = /^[\w!#$%&'*+.^`|~-]+\s*=\s*[\x20-\x7e]*$/

function isDecodable(text: string): boolean {
  try {
    return /^[\x20-\x7e]*$/.test(decodeURIComponent(text))
  } catch {
    return false
  }
}

const headerToken = text.regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')
const leastVisitorMemory = 8 * 2 ** 20
const secret = { secret: true } as const

function isProxy(proxy: string): boolean {
  const [address = '', bits, ...more] = proxy.trim().split('/')
  const version = isIP(address)
  if (['loopback', 'linklocal', 'uniquelocal'].includes(proxy.trim())) return true
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version !== 0 && more.length === 0 && isNetwork
}

/** Every setting of the service. Docs, validation and values come from this table. */
export const settings = {
  SVC_HOST: setting(text.min(1), '127.0.0.1', 'Address to listen on.'),
  SVC_PORT: setting(port, '4000', 'Port to listen on.'),
  SVC_BASE_URL: setting(
    address(['http', 'https'], 'https://svc.example.org')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    null,
    'Public address of the service, used in links and `docUrl`. Default: `http://{host}:{port}`.',
  ),
  SVC_DATABASE_URL: setting(
    address(['postgres', 'postgresql'], 'postgres://user:password@host/database').optional(),
    null,
    'PostgreSQL server, version 15 or newer. Default: the embedded database in `SVC_DATA_DIR`.',
    secret,
  ),
  SVC_DATA_DIR: setting(text.min(1), './data', 'Folder for the embedded database and the generated secret key.'),
  SVC_SECRET_KEY: setting(
    secretKey.optional(),
    null,
    'Key that encrypts webhook secrets and second factors at rest, and cursors. Default: generated in the data folder. Required with `SVC_DATABASE_URL`.',
    secret,
  ),
  SVC_REDIS_URL: setting(
    address(['redis', 'rediss'], 'redis://host:6379').optional(),
    null,
    'Redis or Valkey server, for rate limits that all nodes share. Without it, and while it is unreachable, each node counts separately.',
    secret,
  ),
  SVC_CLICKHOUSE_URL: setting(
    address(['http', 'https'], 'http://host:8123/database').optional(),
    null,
    'ClickHouse server for exposures and tracked events, with its database as the path: `http://user:password@host:8123/svc`. Without it, they are kept in the main database.',
    secret,
  ),
  SVC_BOOTSTRAP_FILE: setting(
    text.min(1).optional(),
    null,
    'Path of the provisioning file, which is applied at every start.',
  ),
  SVC_ROLE: setting(
    oneOf('all', 'api', 'worker'),
    'all',
    'What this node does. `api`: only answers requests. `worker`: delivers webhooks, runs schedules and cleans up, and answers only for its health and metrics. `all`: both. The embedded database requires `all`.',
  ),
  SVC_TRUST_PROXY: setting(
    proxies,
    'false',
    'Proxies whose `X-Forwarded-For` is trusted: `false` (none), `true` (all), or a list of addresses and networks.',
  ),
  SVC_LOG_LEVEL: setting(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest level of log lines that are written to standard output.',
  ),
  SVC_LOG_FORMAT: setting(
    oneOf('auto', 'json', 'pretty'),
    'auto',
    'Format of log lines: `json`, `pretty` (text for people), or `auto` (`pretty` in a terminal, otherwise `json`).',
  ),
  SVC_METRICS_PORT: setting(
    port.optional(),
    null,
    'Separate port for `/metrics`, on `SVC_HOST`. This port requires no token.',
  ),
  SVC_METRICS_TOKEN: setting(
    headerToken.optional(),
    null,
    'Bearer token for `/metrics` on the public port. Without it, the public port answers 404 for `/metrics`.',
    secret,
  ),
  SVC_TOKEN_ROTATION_GRACE: setting(
    duration,
    '24h',
    'How long the old secret of a rotated service token keeps working, at most until the token expires.',
  ),
  SVC_WEBHOOK_RETRY_DELAYS: setting(
    durations,
    '1m,5m,30m,2h,12h',
    'Delay before each retry of a delivery, separated by commas.',
  ),
  SVC_JOB_RETRY_DELAYS: setting(
    durations,
    '1m,5m,30m',
    'Delay before each retry of a background job after a temporary fault, separated by commas.',
  ),
  SVC_WEBHOOK_TIMEOUT: setting(
    duration,
    '10s',
    'Time limit of one delivery attempt, from connecting to the last byte read.',
  ),
  SVC_WEBHOOK_ALLOWED_HOSTS: setting(
    problemFree(allowedHostsProblem).optional(),
    null,
    'Hosts of webhooks and catalog sources that can have a private address or a port other than 443: a list of `host[:port]`, separated by commas.',
  ),
  SVC_WEBHOOK_PROXY_URL: setting(
    problemFree(proxyUrlProblem).optional(),
    null,
    'CONNECT proxy for all deliveries and catalog sources. If it fails, nothing is sent directly, and the failure does not count against the webhook.',
    secret,
  ),
  SVC_SMTP_URL: setting(
    address(['smtp', 'smtps'], 'smtps://user:password@host').optional(),
    null,
    'Mail server, as `smtps://user:password@host`. Without it, the dashboard shows links for you to pass on.',
    secret,
  ),
  SVC_MAIL_FROM: setting(
    mailAddress.optional(),
    null,
    'Sender of mails: `svc@example.org` or `Svc <svc@example.org>`. Required with `SVC_SMTP_URL`.',
  ),
  SVC_OIDC_PROVIDERS: setting(
    providerList.optional(),
    null,
    'OpenID Connect providers, as a JSON list: `[{ "id", "name", "issuer", "clientId", "clientSecret" }]`.',
    secret,
  ),
  SVC_RATE_LIMIT_READ: setting(
    count,
    '600',
    'Reads per token and minute on webhook routes. Other routes allow ten times as many.',
  ),
  SVC_RATE_LIMIT_WRITE: setting(
    count,
    '120',
    'Writes per token and minute on webhook routes. Other routes allow ten times as many.',
  ),
  SVC_RATE_LIMIT_OFREP: setting(count, '60000', 'Evaluations through OFREP per SDK key, address and minute.'),
  SVC_RATE_LIMIT_EVENTS: setting(
    count,
    '6000',
    'Batches of exposures and tracked events per address and minute. Many visitors can share an address.',
  ),
  SVC_RATE_LIMIT_RECOMMENDATIONS: setting(
    count,
    '6000',
    'Requests for recommendations per address and minute. Many visitors can share an address.',
  ),
  SVC_STREAMS_PER_ADDRESS: setting(
    count,
    '1000',
    'Open streams per SDK key and address on a node, at most half of the streams of the node. Many visitors can share an address.',
  ),
  SVC_VISITOR_MEMORY: setting(
    size.refine((bytes) => bytes >= leastVisitorMemory, 'must be at least 8MiB'),
    '128MiB',
    'Maximum memory of a node for callers without an account: counts of requests and attempts, visitors of OFREP and waiting exposures. When a part is full, its oldest entries are dropped.',
  ),
  SVC_EVENTS_PER_DAY: setting(
    count,
    '50000000',
    'Maximum number of exposures and tracked events that are stored per environment and day (UTC). SDK keys are public, so anyone can send events.',
  ),
  SVC_EVENT_BYTES_PER_DAY: setting(
    size,
    '20GiB',
    'Approximate maximum size of the exposures and tracked events that are stored per environment and day (UTC).',
  ),
  SVC_EVENT_DISK_RESERVE: setting(
    ratio,
    '0.1',
    'Share of the disk of the database to keep free. Below it, exposures and tracked events are not stored; everything else continues. On a PostgreSQL server, it requires `SVC_DATABASE_SIZE`.',
  ),
  SVC_DATABASE_SIZE: setting(
    size.optional(),
    null,
    'Maximum size of the database on a PostgreSQL server, such as the size of its disk without other data, because PostgreSQL does not report free space. Exposures and tracked events stop when only the share `SVC_EVENT_DISK_RESERVE` of it is left, unless they are in ClickHouse. Without it, they continue until the disk is full. The embedded database ignores it.',
  ),
  SVC_DELIVERY_RETENTION: setting(duration, '30d', 'How long delivery records and events are kept.'),
  SVC_EVENT_RETENTION: setting(duration, '90d', 'How long exposures and tracked events are kept, in whole days.'),
  SVC_TELEMETRY_OTLP_URL: setting(
    address(['http', 'https'], 'http://collector:4318')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    null,
    'Base address of an OpenTelemetry collector that accepts OTLP over HTTP. Spans are sent to `/v1/traces` there. Without it, there are no traces.',
  ),
} satisfies Record<string, Setting<z.ZodType>>

/** Variables of OpenTelemetry, which have an effect only with `SVC_TELEMETRY_OTLP_URL`. Otherwise they are ignored. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    headerList.optional(),
    null,
    'Headers of the requests to the collector: `name=value`, separated by commas.',
    secret,
  ),
  OTEL_TRACES_SAMPLER: setting(
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'parentbased_always_on',
    'Which traces are sent: all, none, or a share of them. With `parentbased_`, the trace of the caller decides if there is one.',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(ratio, '1', 'Share of traces for samplers with `traceidratio`, from 0 to 1.'),
} satisfies Record<string, Setting<z.ZodType>>

const allSettings = { ...settings, ...telemetrySettings }

const together = [
  ['SVC_SMTP_URL', 'SVC_MAIL_FROM'],
  ['SVC_MAIL_FROM', 'SVC_SMTP_URL'],
] as const

type SettingName = keyof typeof allSettings

export type Config = { [Name in SettingName]: z.output<(typeof allSettings)[Name]['schema']> }

/** The address of the service: `SVC_BASE_URL`, or the address that it listens on. */
export function baseUrlOf({ SVC_BASE_URL: given, SVC_HOST: host, SVC_PORT: port }: Config): string {
  return given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Lists every problem at once, so that the operator can fix all of them before the next start. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Settings of the users' command line, because one shell can have the settings of both programs. */
export const otherPrograms = new Set([
  'SVC_URL',
  'SVC_TOKEN',
  'SVC_TOKEN_FILE',
  'SVC_ORG',
  'SVC_PROJECT',
  'SVC_ENV',
  'SVC_WEBHOOK_SECRET',
])

/**
 * Reads the settings. Throws a ConfigError that lists every wrong, missing or unknown setting. It never shows the value
 * of a secret.
 */
export function readConfig(environment: Record<string, string | undefined>): { config: Config } {
  const problems: string[] = []
  const given = new Map<string, string>()
  const sendsTraces = Boolean(environment.SVC_TELEMETRY_OTLP_URL)
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value === '' || otherPrograms.has(name)) continue
    const plainName = name.endsWith('_FILE') && isSecret(name.slice(0, -'_FILE'.length)) ? name.slice(0, -5) : name
    const isOurs = Object.hasOwn(telemetrySettings, plainName) ? sendsTraces : name.startsWith('SVC_')
    if (!isOurs) continue
    if (!Object.hasOwn(allSettings, plainName)) problems.push(`${name} is not a setting.${suggestion(name)}`)
    else if (given.has(plainName))
      problems.push(`${plainName} must be given only once (got it directly and as ${plainName}_FILE).`)
    else if (plainName === name) given.set(name, value)
    else readSecretFile(name, value, given, problems)
  }
  const config: Record<string, unknown> = {}
  for (const [name, { schema, fallback }] of Object.entries(allSettings) as [SettingName, Setting<z.ZodType>][]) {
    const value = given.get(name) ?? fallback ?? undefined
    const parsed = schema.safeParse(value)
    if (parsed.success) config[name] = parsed.data
    else problems.push(`${name} ${problemText(parsed.error.issues[0]!, isSecret(name) ? undefined : value)}`)
  }
  if (given.has('SVC_DATABASE_URL') && !given.has('SVC_SECRET_KEY'))
    problems.push('SVC_SECRET_KEY is required with SVC_DATABASE_URL. Use the same key on every node.')
  if (!given.has('SVC_DATABASE_URL') && (config.SVC_ROLE === 'api' || config.SVC_ROLE === 'worker'))
    problems.push(
      `SVC_ROLE must be all without SVC_DATABASE_URL (got ${config.SVC_ROLE}): the embedded database has one node, which does everything.`,
    )
  for (const [one, other] of together)
    if (given.has(one) && !given.has(other)) problems.push(`${other} is required with ${one}.`)
  if (given.has('SVC_METRICS_PORT') && config.SVC_METRICS_PORT === config.SVC_PORT)
    problems.push(`SVC_METRICS_PORT must differ from SVC_PORT (got ${config.SVC_METRICS_PORT}).`)
  if (problems.length > 0) throw new ConfigError(problems)
  return { config: config as Config }
}

const shownAtMost = 100

/** The rule and, unless it is a secret, the value. */
function problemText({ message, ...issue }: z.core.$ZodIssue, value: string | undefined): string {
  const saysIt = issue.code === 'custom' && issue.params === saysWhatItGot
  if (saysIt || value === undefined) return message.endsWith('.') ? message : `${message}.`
  const shown = value.length > shownAtMost ? `${value.slice(0, shownAtMost)}…` : value
  return `${message} (got ${shown.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '�')}).`
}

const isSecret = (name: string): boolean =>
  Object.hasOwn(allSettings, name) && (allSettings[name as SettingName] as Setting<z.ZodType>).secret === true

function readSecretFile(name: string, path: string, given: Map<string, string>, problems: string[]): void {
  try {
    given.set(name.slice(0, -'_FILE'.length), readFileSync(path, 'utf8').trim())
  } catch (error) {
    problems.push(`${name}: cannot read ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const likeness = 0.6

/** The name that was probably meant: the nearest, or the one that shares most pairs of letters, if it shares enough. */
function suggestion(name: string): string {
  const meant = nearest(name, Object.keys(allSettings))
  if (meant) return ` Did you mean ${meant}?`
  const pairs = (text: string) => new Set(Array.from(text.slice('SVC_'.length), (letter, at) => letter + text[at + 5]))
  const given = pairs(name)
  const [best] = Object.keys(settings)
    .map((known) => {
      const other = pairs(known)
      return { known, share: (2 * given.intersection(other).size) / (given.size + other.size) }
    })
    .sort((one, next) => next.share - one.share)
  return best && best.share >= likeness ? ` Did you mean ${best.known}?` : ''
}
