import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../problem.ts'
import type { World } from '../world.ts'

/** The paths of the user's own files. */
export interface UserFiles {
  config: string
  credentials: string
  /** Folder for what programs remember, such as the development secret of `webhook listen`. */
  state: string
  /** Folder for what can be deleted at any time. */
  cache: string
}

/** The token for an address. `org` is the organization it was stored with, if a person has several. */
export interface Credential {
  token: string
  name: string
  org: string | null
}

export function userFiles({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): UserFiles {
  const folder = (variable: string, ...fallback: string[]) => join(env[variable] || join(home, ...fallback), 'svc')
  if (platform === 'win32') {
    const roaming = folder('APPDATA', 'AppData', 'Roaming')
    const local = folder('LOCALAPPDATA', 'AppData', 'Local')
    return { ...filesIn(roaming), state: local, cache: join(local, 'cache') }
  }
  return {
    ...filesIn(folder('XDG_CONFIG_HOME', '.config')),
    state: folder('XDG_STATE_HOME', '.local', 'state'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
  }
}

const filesIn = (folder: string) => ({
  config: join(folder, 'config.json'),
  credentials: join(folder, 'credentials.json'),
})

const configFields = ['url', 'org', 'project', 'env']

/** The user's defaults. */
export function readUserConfig({ config }: UserFiles): Record<string, string> {
  const content = readObject(config) ?? {}
  for (const [name, value] of Object.entries(content)) {
    if (!configFields.includes(name))
      throw new Problem('file_invalid', `${config}: ${name} is not a field. Use ${configFields.join(', ')}.`)
    if (typeof value !== 'string') throw new Problem('file_invalid', `${config}: ${name} must be a string.`)
  }
  return content as Record<string, string>
}

export const writeUserConfig = ({ config }: UserFiles, content: Record<string, string>): void =>
  writePrivate(config, content)

/** The stored tokens by address. Tightens the modes of a file that others could read. */
export function readCredentials({ credentials }: UserFiles): Record<string, Credential> {
  tighten(dirname(credentials), 0o700)
  tighten(credentials, 0o600)
  const content = readObject(credentials, () => brokenCredentials(credentials, 'is not valid JSON')) ?? {}
  for (const [address, entry] of Object.entries(content))
    if (typeof (entry as Credential | null)?.token !== 'string')
      throw brokenCredentials(credentials, `has no token for ${address}`)
  return content as unknown as Record<string, Credential>
}

/** Errors of a JSON parser quote the text, and this one has tokens. */
const brokenCredentials = (path: string, what: string): Problem =>
  new Problem('file_invalid', `${path} ${what}. Correct it, or delete it and use svc auth login.`)

export const writeCredentials = ({ credentials }: UserFiles, content: Record<string, Credential>): void =>
  writePrivate(credentials, content)

/** Replaces a file as a whole, readable for its owner alone. */
export function writePrivate(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

function tighten(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false })
  // Windows has no such modes: there, the folder of the profile belongs to its user.
  if (found && process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(path, mode)
}

/** Editors and shells of Windows put a byte order mark in front of a text. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/** The JSON object in a file; undefined if there is no file. `broken` makes the error for a file that is not JSON. */
export function readObject(path: string, broken?: () => Problem): Record<string, unknown> | undefined {
  let text: string
  try {
    text = withoutMark(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Problem('file_invalid', `${path} cannot be read (${code}).`)
  }
  return objectIn(text, path, broken)
}

/** The value in a text of JSON. Messages call it `path`. */
export function jsonIn(text: string, path: string, broken?: () => Problem): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw broken?.() ?? new Problem('file_invalid', `${path} is not valid JSON: ${(error as Error).message}.`)
  }
}

export function objectIn(text: string, path: string, broken?: () => Problem): Record<string, unknown> {
  const value = jsonIn(text, path, broken)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('file_invalid', `${path} must be a JSON object.`)
  return value as Record<string, unknown>
}
