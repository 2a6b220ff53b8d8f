import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface ServiceProcess {
  url: string
  pid: number
  /** kill -9: nothing is flushed, nothing is said. Resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
}

/** The shipped program as a process of its own, on a free port or its own, once it says that it is ready. */
export async function startProcess(settings: Record<string, string>): Promise<ServiceProcess> {
  const port = settings.SVC_PORT ?? (await freePort())
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...settings, SVC_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that fails before it stops the process must not leave it behind.
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const exited = once(child, 'exit').finally(() => process.off('exit', end))
  await ready(child)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}

async function ready(child: ChildProcess): Promise<void> {
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint += chunk
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.includes('"Svc is ready"')) continue
    // Nobody reads on: an unread pipe would in the end hold the process up.
    child.stdout!.resume()
    return
  }
  throw new Error(`the service did not start: ${complaint}`)
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
