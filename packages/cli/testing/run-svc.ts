import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from '../src/run.ts'
import type { World } from '../src/world.ts'

const sources = [process.execPath, fileURLToPath(new URL('../src/main.ts', import.meta.url))]

/** What a command line did. */
export interface Ran {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** A person's machine: a home of its own, and the command line in it. */
export interface Desk {
  /** The home, which is also the folder that commands start in. */
  home: string
  /** Variables of every command. */
  env: Record<string, string>
  /**
   * Runs `svc` with pipes: in this process, unless the desk has a command for it. A process takes ten times as long to
   * start as most commands take. `input` is what comes on standard input; without it, the input is empty.
   */
  svc(args: string[], given?: { input?: string | Buffer; env?: Record<string, string>; cwd?: string }): Promise<Ran>
  /** Runs `svc` in a pseudo-terminal of 80 columns. */
  terminal(args: string[], given?: { env?: Record<string, string>; cwd?: string }): Terminal
  remove(): void
}

export interface Terminal {
  /** What the terminal has shown so far. */
  shown(): string
  type(text: string): void
  /** Waits until a text has been shown. Rejects if the program ends before. */
  sees(text: string): Promise<void>
  ended: Promise<{ exitCode: number | null; shown: string }>
}

/** @param command how `svc` is started as a process; from the sources unless told otherwise */
export function openDesk(env: Record<string, string> = {}, command?: string[]): Desk {
  const { PATH, NODE_COMPILE_CACHE, LD_PRELOAD } = process.env
  // If `faketime` moves the clock of the tests, a command must live on the same day.
  const clock = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('FAKETIME')))
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-'))
  const children = new Set<ChildProcess>()
  const variables = (more: Record<string, string>) => ({ PATH, HOME: home, TERM: 'xterm', ...env, ...more })
  const start = (program: string, args: string[], cwd: string, more: Record<string, string>) => {
    const child = spawn(program, args, { cwd, env: { NODE_COMPILE_CACHE, LD_PRELOAD, ...clock, ...variables(more) } })
    children.add(child)
    child.once('close', () => children.delete(child))
    return child
  }
  return {
    home,
    env,
    svc(args, { input = '', env: more = {}, cwd = home } = {}) {
      if (!command)
        return runSvc({ args, env: variables(more), cwd, home }, [
          typeof input === 'string' ? Buffer.from(input) : input,
        ])
      const [program, ...rest] = [...command, ...args]
      const child = start(program!, rest, cwd, more)
      // A command that fails early does not read its input.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      const ran: Ran = { exitCode: null, stdout: '', stderr: '' }
      child.stdout.setEncoding('utf8').on('data', (text) => {
        ran.stdout += text
      })
      child.stderr.setEncoding('utf8').on('data', (text) => {
        ran.stderr += text
      })
      return new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (exitCode) => resolve({ ...ran, stderr: withoutWaiting(ran.stderr), exitCode }))
      })
    },
    terminal(args, { env: more = {}, cwd = home } = {}) {
      const line = `stty cols 80; exec ${[...(command ?? sources), ...args].map(quoted).join(' ')}`
      const child = start('script', ['--quiet', '--return', '--command', line, '/dev/null'], cwd, more)
      let shown = ''
      child.stdout.setEncoding('utf8').on('data', (text) => {
        shown += text
      })
      const ended = new Promise<{ exitCode: number | null; shown: string }>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (exitCode) => resolve({ exitCode, shown }))
      })
      return {
        shown: () => shown,
        type: (text) => void child.stdin.write(text),
        sees: (text) =>
          new Promise((resolve, reject) => {
            const look = () => {
              if (!shown.includes(text)) return
              child.stdout.off('data', look)
              resolve()
            }
            child.stdout.on('data', look)
            child.once('close', () => reject(new Error(`"${text}" was not shown: ${shown}`)))
            look()
          }),
        ended,
      }
    },
    remove() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs `svc` in this process. It reads `input` only if it asks for its standard input. */
export async function runSvc(
  world: Pick<World, 'args' | 'env' | 'cwd' | 'home'>,
  input: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const printed = Promise.all([text(stdout), text(stderr)])
  const exitCode = await run({
    ...world,
    platform: process.platform,
    stdin: Readable.from(input) as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    fetch,
    now: () => new Date(),
    sleep: (ms) => sleep(ms),
    onInterrupt: () => undefined,
  })
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { exitCode, stdout: out, stderr: withoutWaiting(err) }
}

/** On a busy machine, the command line says every 10 s that it waits. */
const withoutWaiting = (stderr: string): string => stderr.replace(/^Still waiting for the service \(\d+ s\)\.\n/gm, '')
