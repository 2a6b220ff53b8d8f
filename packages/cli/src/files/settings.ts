import type { GlobalValues } from '../options.ts'
import { Problem, usage } from '../problem.ts'
import type { World } from '../world.ts'
import { findProjectFile } from './project-file.ts'
import { type Credential, readCredentials, readUserConfig, type UserFiles, userFiles } from './user-files.ts'

/** A value with the place it comes from, as `doctor` shows it. */
export interface Sourced {
  value: string
  source: string
}

/** The settings of every command. */
export interface Settings {
  url: Sourced | undefined
  org: Sourced | undefined
  project: Sourced | undefined
  env: Sourced | undefined
  token: Sourced | undefined
  /** Why there is no token, as a sentence; undefined if there is one. */
  tokenMissing: string | undefined
  timeoutMs: number
  files: UserFiles
  /** The `svc.json` that counts here. */
  projectFile: { path: string; content: Record<string, unknown> } | undefined
}

const names = ['url', 'org', 'project', 'env'] as const
const defaultTimeoutMs = 30_000

/** Reads flags, environment, `svc.json` and the user's files, in this order. */
export function readSettings(
  world: Pick<World, 'env' | 'cwd' | 'home' | 'platform'>,
  globals: GlobalValues,
  readFile: (path: string) => string,
): Settings {
  const files = userFiles(world)
  const projectFile = findProjectFile(world.cwd)
  const userConfig = readUserConfig(files)
  const found = (name: (typeof names)[number]): Sourced | undefined => {
    // A script with an empty variable must not reach the project that another source names.
    if (globals[name] === '') throw usage(`--${name} must not be empty.`)
    const variable = `SVC_${name.toUpperCase()}`
    const places: [unknown, string][] = [
      [globals[name], `--${name}`],
      [world.env[variable], variable],
      [projectFile?.content[name], projectFile?.path ?? ''],
      [userConfig[name], files.config],
    ]
    for (const [value, source] of places) if (typeof value === 'string' && value !== '') return { value, source }
    return undefined
  }
  const given = found('url')
  const url = given && { ...given, value: addressOf(given) }
  const credentials = readCredentials(files)
  const stored = url && Object.hasOwn(credentials, url.value) ? credentials[url.value] : undefined
  const isUsersAddress =
    url === undefined ||
    url.source !== projectFile?.path ||
    stored !== undefined ||
    (userConfig.url !== undefined && sameAddress(userConfig.url, url.value))
  return {
    url,
    org: found('org') ?? orgOf(stored, files),
    project: found('project'),
    env: found('env'),
    ...tokenOf({ world, stored, url, isUsersAddress, files, readFile }),
    timeoutMs: globals.timeout === undefined ? defaultTimeoutMs : durationOf(globals.timeout),
    files,
    projectFile,
  }
}

function tokenOf({
  world: { env },
  stored,
  url,
  isUsersAddress,
  files,
  readFile,
}: {
  world: Pick<World, 'env'>
  stored: Credential | undefined
  url: Sourced | undefined
  isUsersAddress: boolean
  files: UserFiles
  readFile(path: string): string
}): Pick<Settings, 'token' | 'tokenMissing'> {
  const variable = env.SVC_TOKEN ? 'SVC_TOKEN' : env.SVC_TOKEN_FILE ? 'SVC_TOKEN_FILE' : undefined
  if (variable) {
    // A foreign repository must not be able to send the token to its own address.
    if (!isUsersAddress)
      return {
        token: undefined,
        tokenMissing: `${variable} is not sent to ${url?.value}, because this address comes from ${url?.source}. Set SVC_URL or use --url.`,
      }
    const value = variable === 'SVC_TOKEN' ? env.SVC_TOKEN! : readFile(env.SVC_TOKEN_FILE!)
    const line = (value.trim().split('\n')[0] ?? '').trim()
    if (line === '') throw new Problem('file_invalid', `SVC_TOKEN_FILE: ${env.SVC_TOKEN_FILE} has no token in it.`)
    return { token: { value: line, source: variable }, tokenMissing: undefined }
  }
  if (stored) return { token: { value: stored.token, source: files.credentials }, tokenMissing: undefined }
  const tokenMissing = url
    ? `There is no token for ${url.value}. Run svc auth login --url ${url.value}, or set SVC_TOKEN.`
    : 'The address of the service is unknown. Run svc auth login --url URL, or set SVC_URL and SVC_TOKEN.'
  return { token: undefined, tokenMissing }
}

const orgOf = (stored: Credential | undefined, files: UserFiles): Sourced | undefined =>
  stored?.org ? { value: stored.org, source: files.credentials } : undefined

/** The address without a trailing slash. Throws a usage problem if it is not an address. */
export function addressOf({ value, source }: Sourced): string {
  const wrong = (rule: string) => usage(`${source}: the address of the service ${rule} (got ${value}).`)
  let url: URL
  try {
    url = new URL(value)
  } catch {
    throw wrong('must be like https://flags.example.com')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('must begin with https:// or http://')
  if (url.username || url.password || url.search || url.hash)
    throw usage(`${source}: the address of the service must have no user, password, query or hash.`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function sameAddress(one: string, other: string): boolean {
  try {
    return addressOf({ value: one, source: '' }) === other
  } catch {
    return false
  }
}

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a duration such as `500ms`, `30s` or `5m`. */
export function durationOf(text: string, name = '--timeout'): number {
  const [, number, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  const ms = Number(number) * (units[unit ?? ''] ?? Number.NaN)
  if (!(ms > 0)) throw usage(`${name} must be a duration such as 500ms, 30s or 5m (got ${text}).`)
  return ms
}
