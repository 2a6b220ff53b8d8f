import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '../packages/server/testing/databases/address.ts'
import { createTestDatabase } from '../packages/server/testing/databases/database.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { startProcess } from '../packages/server/testing/processes/process.ts'
import { secrets } from '../packages/server/testing/secrets.ts'
import { startTestService } from '../packages/server/testing/service.ts'
import { untilTaken } from './turned-away.ts'

export const root = new URL('..', import.meta.url).pathname

/** A service with a new, empty database. */
export interface OpenService {
  url: string
  /** The token of the first start, or the first of those that were asked for. */
  token: string
  /** The tokens that were asked for, by name. */
  tokens: Record<string, string>
  /** Calls the API with `token`. Returns `data`; throws on a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Ends the service. Rejects if a secret was stored. */
  stop(): Promise<unknown>
}

/** The service as an operator starts it: its own process with a data folder. */
export interface RunningService extends OpenService {
  dataDir: string
  /** Ends the process with SIGTERM and returns its exit code. Rejects if a secret was stored. Call it once. */
  stop(): Promise<number | null>
}

/**
 * @param settings further settings of the service
 * @param scopes the scopes of tokens, by name, in place of the token of the first start
 */
export async function startService(
  settings: Record<string, string> = {},
  scopes?: Record<string, string[]>,
): Promise<RunningService> {
  const { address, remove } = await createTestDatabase()
  const { dataDir } = address
  // On a server, the first start makes no token.
  const wanted = scopes ?? (address.url ? { first: ['admin:*'] } : undefined)
  const provisioned = wanted && (await provision(wanted))
  const { url, stop } = await startProcess({ ...settingsAt(address), ...settings, ...provisioned?.settings })
  const tokens = provisioned?.tokens ?? {}
  const [first] = Object.values(tokens)
  const token = first ?? (await readFile(join(dataDir, 'initial-token'), 'utf8')).trim()
  for (const secret of [token, ...Object.values(tokens)]) secrets.note(secret)
  let stopped: Promise<number | null> | undefined
  const stopAndSearch = async () => {
    try {
      return await stop()
    } finally {
      await remove()
      await provisioned?.remove()
    }
  }
  return {
    url,
    dataDir,
    token,
    tokens,
    call: callsTo(url, token),
    stop() {
      stopped ??= stopAndSearch()
      return stopped
    },
  }
}

/**
 * The same inside this process, for a quarter of the processor time: for tests of what calls a service. They must not
 * block this process until it answers.
 */
export async function openService(
  settings: Record<string, string> = {},
  scopes: Record<string, string[]> = { first: ['admin:*'] },
): Promise<OpenService> {
  const provisioned = await provision(scopes)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const given = { SVC_BASE_URL: url, ...settings, ...provisioned.settings }
  const service = await startTestService({ settings: given })
  await service.app.listen({ host: '127.0.0.1', port })
  const { tokens } = provisioned
  const token = Object.values(tokens)[0]!
  for (const secret of Object.values(tokens)) secrets.note(secret)
  let stopped: Promise<void> | undefined
  return {
    ...{ url, token, tokens, call: callsTo(url, token) },
    stop() {
      stopped ??= service.close().finally(() => provisioned.remove())
      return stopped
    },
  }
}

const callsTo =
  (url: string, token: string): OpenService['call'] =>
  async (method, path, body) => {
    const { status, body: answer } = await untilTaken(async () => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as { data: unknown; error?: { code: string } } }
    })
    secrets.noteBodies(body, answer)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }

/** Where a service keeps its data. On a server, its secret key is a setting. */
export const settingsAt = ({ dataDir, url }: Address): Record<string, string> => ({
  SVC_DATA_DIR: dataDir,
  ...(url && { SVC_DATABASE_URL: url, SVC_SECRET_KEY: randomBytes(32).toString('base64url') }),
})

/** A provisioning file with an organization and its tokens. */
async function provision(scopes: Record<string, string[]>) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-provisioning-'))
  const file = join(folder, 'provisioning.json')
  const serviceTokens = Object.entries(scopes).map(([name, scopes]) => ({
    ...{ name, scopes, secret: `svc_svc_${randomBytes(32).toString('base64url')}` },
  }))
  await writeFile(file, JSON.stringify({ organizations: [{ name: 'Shop', serviceTokens }] }))
  return {
    settings: { SVC_BOOTSTRAP_FILE: file },
    tokens: Object.fromEntries(serviceTokens.map(({ name, secret }) => [name, secret])),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts Node in the root of the repository with these settings of the service, and none of the caller's. */
export function spawnNode(args: string[], settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export function cleanEnvironment(settings: Record<string, string>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))
  return { ...Object.fromEntries(inherited), ...settings }
}

/** Ends a process with SIGTERM and waits for it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<unknown>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
