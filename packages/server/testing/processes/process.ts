import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { secrets } from '../secrets.ts'
import { expectNotLogged } from '../secrets-search.ts'
import { nodeFlags } from './node-flags.ts'
import { freePort } from './port.ts'
import { programOf } from './program.ts'
import { surroundings } from './surroundings.ts'

/** A test that fails before it stops its processes must not leave them behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface ServiceProcess {
  url: string
  pid: number
  /** Everything that it has printed so far. */
  printed(): string
  /** kill -9, without flushing or logging. Resolves when the process is gone; rejects if it logged a secret. */
  kill(): Promise<void>
  /** Sends SIGTERM. Returns the exit code, or rejects like `kill`. */
  stop(): Promise<number | null>
}

/**
 * Starts the program in a separate process, with verbose logs, on a free port or a given one. Resolves when it is
 * ready. With `command`, the operator's command starts it.
 */
export async function startProcess(
  settings: Record<string, string>,
  onLine: (line: string) => void = () => undefined,
  command?: string[],
): Promise<ServiceProcess> {
  secrets.note(settings.SVC_SECRET_KEY ?? '')
  const port = settings.SVC_PORT ?? (await freePort())
  const child = spawn(process.execPath, [...nodeFlags, programOf(command ? 'operator' : 'main'), ...(command ?? [])], {
    env: { ...surroundings(), SVC_LOG_LEVEL: 'debug', ...settings, SVC_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  // By then, all of its output has been read.
  const exited = once(child, 'close').finally(() => running.delete(child))
  const lines: string[] = []
  const printed = () => lines.join('\n')
  await ready(child, (line) => {
    lines.push(line)
    onLine(line)
  })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = await exited
    await expectNotLogged(printed())
    return code
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    printed,
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}

function ready(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  let complaint = ''
  createInterface({ input: child.stderr! }).on('line', (line) => {
    complaint += `${line}\n`
    onLine(line)
  })
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`the service did not start: ${complaint}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      onLine(line)
      if (line.includes('"Svc is ready"')) resolve()
    })
  })
}
