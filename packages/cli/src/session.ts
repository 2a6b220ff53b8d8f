import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer as bytesOf } from 'node:stream/consumers'
import { readSettings, type Settings } from './files/settings.ts'
import { jsonIn, objectIn, withoutMark } from './files/user-files.ts'
import { mistypedVariables } from './files/variables.ts'
import type { GlobalValues } from './options.ts'
import { Problem, usage } from './problem.ts'
import { type Connection, connect } from './service/connection.ts'
import type { Output } from './terminal/output.ts'
import { openPrompt, type Prompt } from './terminal/prompt.ts'
import { Unnamed } from './unnamed.ts'
import type { World } from './world.ts'

/** What a command works with. The settings are read when they are first needed, so help works with a broken file. */
export interface Session {
  world: World
  globals: GlobalValues
  settings: Settings
  output: Output
  prompt: Prompt
  /** The service, with the token. Throws `no_credentials` if there is none. */
  connection: Connection
  /** Whether reads that answer 304 are asked for only what has changed. Set before the first call. */
  remembers: boolean
  /** The service, with another token or with none. */
  connectWith(token: string | undefined): Connection
  /** The project that the command is about. Throws a usage problem if none is named. */
  project: string
  /** The same, or this one if none is named, because a file names its project. */
  projectOr(key: string | undefined): string
  /** The environment that the command is about. Throws a usage problem if none is named. */
  env: string
  /** The text of a file; `-` is standard input. */
  readText(path: string): Promise<string>
  /** The bytes of a file; `-` is standard input. */
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer>>
  /** A file as it is read, and its size if that is known; `-` is standard input. */
  openFile(path: string): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number | null }>
  /** The JSON value in a file; `-` is standard input. */
  readJson(path: string): Promise<unknown>
  /** The same, which must be an object. */
  readObject(path: string): Promise<Record<string, unknown>>
}

export function openSession(world: World, globals: GlobalValues, output: Output): Session {
  let settings: Settings | undefined
  let connection: Connection | undefined
  const needed = (name: 'project' | 'env', what: string): string => {
    const found = session.settings[name]
    if (found) return found.value
    throw new Unnamed(
      name,
      `${what} is required. Use --${name}, or set SVC_${name.toUpperCase()} or "${name}" in svc.json.`,
    )
  }
  const readIn = (path: string) => readFile(world.cwd, path)
  const session: Session = {
    world,
    globals,
    output,
    remembers: false,
    prompt: openPrompt(world, globals),
    get settings() {
      if (!settings) {
        settings = readSettings(world, globals, readIn)
        for (const text of mistypedVariables(world.env)) output.say(text)
      }
      return settings
    },
    get connection() {
      const { token, tokenMissing } = session.settings
      if (!token) throw new Problem('no_credentials', tokenMissing!)
      if (!session.settings.url)
        throw usage('The address of the service is unknown. Use --url, or set SVC_URL or "url" in svc.json.')
      connection ??= connect(world, session.settings, token.value, output, globals, session.remembers)
      return connection
    },
    connectWith: (token) => connect(world, session.settings, token, output, globals),
    get project() {
      return needed('project', 'A project')
    },
    projectOr: (key) => (session.settings.project || key === undefined ? session.project : key),
    get env() {
      return needed('env', 'An environment')
    },
    async readText(path) {
      return withoutMark(path === '-' ? textIn(await bytesOf(world.stdin), path) : readIn(path))
    },
    readBytes: async (path) => (path === '-' ? bytesOf(world.stdin) : bytesIn(world.cwd, path)),
    openFile: async (path) => (path === '-' ? { bytes: world.stdin, size: null } : opened(world.cwd, path)),
    async readJson(path) {
      return jsonIn(await session.readText(path), shownPath(path))
    },
    async readObject(path) {
      return objectIn(await session.readText(path), shownPath(path))
    },
  }
  return session
}

/** The name of a file for people, within a sentence. */
export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path)

/** The same, where a sentence begins. */
export const shownPath = (path: string): string => (path === '-' ? 'Standard input' : path)

/** Windows PowerShell writes UTF-16 for `>`, which would become a file of replacement characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textIn(bytes: Buffer, path: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('file_invalid', `${shownPath(path)} is not in UTF-8.`)
  }
}

const readFile = (folder: string, path: string): string => textIn(bytesIn(folder, path), path)

async function opened(folder: string, path: string) {
  try {
    const handle = await open(resolve(folder, path))
    return { bytes: handle.createReadStream(), size: (await handle.stat()).size }
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, error: unknown) =>
  new Problem('file_invalid', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)

function bytesIn(folder: string, path: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(resolve(folder, path))
  } catch (error) {
    throw unreadable(path, error)
  }
}
