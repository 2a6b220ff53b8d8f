import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestDatabase } from '../packages/server/testing/database.ts'
import { startProcess } from '../packages/server/testing/process.ts'
import { secrets } from '../packages/server/testing/secrets.ts'

export const root = new URL('..', import.meta.url).pathname

/** The service as an operator starts it: its own process with a new, empty data folder. */
export interface RunningService {
  url: string
  dataDir: string
  /** Calls the API with the token of the first start. Returns `data`; throws on a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Ends the process with SIGTERM and returns its exit code. Rejects if a secret was stored. Call it once. */
  stop(): Promise<number | null>
}

/** @param settings further settings of the service */
export async function startService(settings: Record<string, string> = {}): Promise<RunningService> {
  const { address, remove } = await createTestDatabase()
  const { dataDir } = address
  const { url, stop } = await startProcess({ ...settings, SVC_DATA_DIR: dataDir })
  const token = (await readFile(join(dataDir, 'initial-token'), 'utf8')).trim()
  secrets.note(token)
  let stopped: Promise<number | null> | undefined
  const stopAndSearch = async () => {
    try {
      return await stop()
    } finally {
      await remove()
    }
  }
  return {
    url,
    dataDir,
    async call(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as { data: unknown }
      secrets.noteBodies(body, answer)
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer.data
    },
    stop() {
      stopped ??= stopAndSearch()
      return stopped
    },
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
