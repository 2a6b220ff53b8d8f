import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { providerList } from './platform/oidc/settings.ts'
import { allowedHostsProblem, proxyUrlProblem } from './platform/outbound/index.ts'

interface Setting<Schema extends z.ZodType> {
  schema: Schema
  /** As an operator would write it; null: none. */
  fallback: string | null
  meaning: string
  /** Never shown, and may be given as the path of a file in `NAME_FILE`. */
  secret?: true
  /** Part of the contract, but nothing in this version reads it: accepted, checked for shape, and warned about. */
  reserved?: true
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  fallback: string | null,
  meaning: string,
  more: Pick<Setting<Schema>, 'secret' | 'reserved'> = {},
): Setting<Schema> => ({ schema, fallback, meaning, ...more })

const port = z.coerce.number('A port is a number.').int().min(1).max(65_535)
const count = z.coerce.number('This is a number.').int().min(1)
const webUrl = z.url({ protocol: /^https?$/, error: 'This is an address that begins with http:// or https://.' })
const secretKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'The key is 32 random bytes in base64url, 43 characters.')
  .transform((text) => Buffer.from(text, 'base64url'))
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationPattern = /^(\d{1,9})(ms|s|m|h|d)$/

function milliseconds(text: string): number {
  const [, amount, unit] = durationPattern.exec(text) ?? []
  return Number(amount) * unitMs[unit as keyof typeof unitMs]
}

const durationRule = 'A duration is written 500ms, 10s, 5m, 2h or 30d.'
const duration = z.string().regex(durationPattern, durationRule).transform(milliseconds)
const durations = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(z.string().regex(durationPattern, `${durationRule} Several are separated by commas.`)))
  .transform((list) => list.map(milliseconds))
const text = z.string()

/** A text that the part which reads it finds nothing wrong with. */
const problemFree = (problemOf: (value: string) => string | undefined) =>
  text.superRefine((value, context) => {
    const message = problemOf(value)
    if (message) context.addIssue({ code: 'custom', message })
  })

const proxies = text
  .refine((value) => ['true', 'false'].includes(value) || value.split(',').every(isProxy), {
    error: 'This is true, false, or addresses and networks such as 10.0.0.0/8, separated by commas.',
  })
  .transform((value) => (value === 'true' ? true : value === 'false' ? false : value))
const mailAddress = text.regex(
  /^(?:[^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
  'This is svc@example.org or Svc <svc@example.org>.',
)
const reserved = { reserved: true } as const
const secret = { secret: true } as const

function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.trim().split('/')
  const version = isIP(address)
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text.trim())) return true
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version !== 0 && more.length === 0 && isNetwork
}

/** Every setting of the service: docs, validation and values come from this table. */
export const settings = {
  SVC_HOST: setting(text.min(1), '127.0.0.1', 'Address to listen on.'),
  SVC_PORT: setting(port, '4000', 'Port to listen on.'),
  SVC_BASE_URL: setting(
    webUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
    null,
    'Public address, used in links and `docUrl`. Default: `http://{host}:{port}`.',
  ),
  SVC_DATABASE_URL: setting(
    z.url({ protocol: /^postgres(ql)?$/, error: 'This is an address that begins with postgres://.' }).optional(),
    null,
    'PostgreSQL server, 15 or newer. Unset: the embedded database in `SVC_DATA_DIR`.',
    secret,
  ),
  SVC_DATA_DIR: setting(text.min(1), './data', 'Folder of the embedded database and the generated secret key.'),
  SVC_SECRET_KEY: setting(
    secretKey.optional(),
    null,
    'Encrypts webhook secrets and second factors at rest, seals cursors. Unset: generated into the data folder. Required with `SVC_DATABASE_URL`.',
    secret,
  ),
  SVC_REDIS_URL: setting(
    z.url({ protocol: /^rediss?$/, error: 'This is an address that begins with redis:// or rediss://.' }).optional(),
    null,
    'Redis or Valkey, for rate limits that all nodes share. Unset, or while it is away: each node counts for itself.',
    secret,
  ),
  SVC_CLICKHOUSE_URL: setting(text.optional(), null, 'Experiment events go to ClickHouse.', { ...secret, ...reserved }),
  SVC_BOOTSTRAP_FILE: setting(text.min(1).optional(), null, 'Provisioning file, applied at every start.'),
  SVC_ROLE: setting(z.enum(['all', 'api', 'worker']), 'all', 'Which parts this node runs.', reserved),
  SVC_TRUST_PROXY: setting(
    proxies,
    'false',
    'Whose `X-Forwarded-For` to believe: `false`, `true`, or a list of addresses and networks.',
  ),
  SVC_LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least level of the JSON logs on standard output.',
  ),
  SVC_TOKEN_ROTATION_GRACE: setting(
    duration,
    '24h',
    'How long the old secret of a rotated service token still works: never beyond the token’s own expiry.',
  ),
  SVC_WEBHOOK_RETRY_DELAYS: setting(durations, '1m,5m,30m,2h,12h', 'The delay before each retry of a delivery.'),
  SVC_WEBHOOK_TIMEOUT: setting(duration, '10s', 'For one delivery attempt, from connecting to the last byte read.'),
  SVC_WEBHOOK_ALLOWED_HOSTS: setting(
    problemFree(allowedHostsProblem).optional(),
    null,
    'Comma-separated `host[:port]` that may be private, have another port, or both: an operator’s own receivers.',
  ),
  SVC_WEBHOOK_PROXY_URL: setting(
    problemFree(proxyUrlProblem).optional(),
    null,
    'CONNECT proxy for deliveries; without it nothing is sent, and its failures are not charged to the webhook.',
    secret,
  ),
  SVC_SMTP_URL: setting(
    z.url({ protocol: /^smtps?$/, error: 'This is an address that begins with smtp:// or smtps://.' }).optional(),
    null,
    'Mail server, as `smtps://user:password@host`. Unset: links are shown to whoever invites.',
    secret,
  ),
  SVC_MAIL_FROM: setting(
    mailAddress.optional(),
    null,
    'Sender of mail: `svc@example.org` or `Svc <svc@example.org>`. Required with `SVC_SMTP_URL`.',
  ),
  SVC_OIDC_PROVIDERS: setting(
    providerList.optional(),
    null,
    'OpenID Connect providers, a JSON list: `[{ "id", "name", "issuer", "clientId", "clientSecret" }]`.',
    secret,
  ),
  SVC_RATE_LIMIT_READ: setting(count, '600', 'Reads per token and minute on webhook routes; ten times that elsewhere.'),
  SVC_RATE_LIMIT_WRITE: setting(
    count,
    '120',
    'Writes per token and minute on webhook routes; ten times that elsewhere.',
  ),
  SVC_DELIVERY_RETENTION: setting(duration, '30d', 'How long delivery records and events are kept.'),
  SVC_TELEMETRY_OTLP_URL: setting(text.optional(), null, 'OpenTelemetry traces.', reserved),
} satisfies Record<string, Setting<z.ZodType>>

const together = [
  ['SVC_SMTP_URL', 'SVC_MAIL_FROM'],
  ['SVC_MAIL_FROM', 'SVC_SMTP_URL'],
] as const

type SettingName = keyof typeof settings

export type Config = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

/** Where the service is found: as the operator says, or where it listens. */
export function baseUrlOf({ SVC_BASE_URL: given, SVC_HOST: host, SVC_PORT: port }: Config): string {
  return given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Every problem at once: the operator mends them in one go. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the settings. Throws a ConfigError that lists every wrong, missing or unknown one; no value of a secret is
 * shown in it.
 */
export function readConfig(environment: Record<string, string | undefined>): { config: Config; unused: string[] } {
  const problems: string[] = []
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('SVC_') || value === undefined || value === '') continue
    const plainName = name.endsWith('_FILE') && isSecret(name.slice(0, -'_FILE'.length)) ? name.slice(0, -5) : name
    if (!Object.hasOwn(settings, plainName)) problems.push(`${name}: there is no such setting.${suggestion(name)}`)
    else if (given.has(plainName)) problems.push(`${plainName}: given twice, directly and as a file.`)
    else if (plainName === name) given.set(name, value)
    else readSecretFile(name, value, given, problems)
  }
  const config: Record<string, unknown> = {}
  for (const [name, { schema, fallback }] of Object.entries(settings) as [SettingName, Setting<z.ZodType>][]) {
    const parsed = schema.safeParse(given.get(name) ?? fallback ?? undefined)
    if (parsed.success) config[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues[0]?.message}`)
  }
  if (given.has('SVC_DATABASE_URL') && !given.has('SVC_SECRET_KEY'))
    problems.push('SVC_SECRET_KEY: required with SVC_DATABASE_URL, the same on every node.')
  for (const [one, other] of together)
    if (given.has(one) && !given.has(other)) problems.push(`${other}: required with ${one}.`)
  if (problems.length > 0) throw new ConfigError(problems)
  const unused = [...given.keys()].filter((name) => (settings[name as SettingName] as Setting<z.ZodType>).reserved)
  return { config: config as Config, unused }
}

const isSecret = (name: string): boolean =>
  Object.hasOwn(settings, name) && (settings[name as SettingName] as Setting<z.ZodType>).secret === true

function readSecretFile(name: string, path: string, given: Map<string, string>, problems: string[]): void {
  try {
    given.set(name.slice(0, -'_FILE'.length), readFileSync(path, 'utf8').trim())
  } catch (error) {
    problems.push(`${name}: the file cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const likeness = 0.6

/** The known name that shares most pairs of letters with the mistaken one, if it shares enough. */
function suggestion(name: string): string {
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
