import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Attempt, Download, Downloaded, FullAttempt, OutboundRequest } from '../index.ts'

const program = fileURLToPath(new URL('caller.ts', import.meta.url))

export interface CallerOptions {
  /** The answers of successive look-ups of a name; the last one repeats. */
  names: Record<string, (string[] | 'never')[]>
  allowedHosts?: string
  proxyUrl?: string
  timeoutMs?: number
}

export type Command = { id: number } & (
  | { name: 'open'; options: CallerOptions }
  | { name: 'check'; url: string }
  | { name: 'post'; url: string }
  | { name: 'request'; request: TextRequest }
  | { name: 'download'; url: string; options: DownloadOptions }
  | { name: 'stop' }
  | { name: 'posts'; urls: string[] }
  | { name: 'close' }
)

/** A request whose body is a text, because it goes to another process. */
export type TextRequest = Omit<OutboundRequest, 'body'> & { body: string | null }

/** A download whose pieces are taken in another process. */
export type DownloadOptions = Partial<Omit<Download, 'onChunk' | 'signal'>> & {
  /** How many turns of the event loop each piece takes. */
  turns?: number
  /** Throws after so many bytes. */
  throwsAfter?: number
}

/** What the other process saw of a download. */
export interface DownloadReport extends Downloaded {
  /** The first bytes, as text. */
  beginning: string
  /** How many pieces it came in. */
  pieces: number
  /** The most pieces that were being taken at once. */
  most: number
  /** By how much the process grew at most. */
  grownBytes: number
  /** What the download rejected with; null if it did not. */
  thrown: string | null
}

export interface Reply {
  id: number
  value: unknown
}

/** The outbound connections in a process that trusts a test's authority. */
export interface Caller {
  /** Starts again with other options. */
  open(options: CallerOptions): Promise<void>
  check(url: string): Promise<string | undefined>
  post(url: string): Promise<Attempt>
  request(request: TextRequest): Promise<FullAttempt>
  download(url: string, options?: DownloadOptions): Promise<DownloadReport>
  /** Ends the download under way by its signal. */
  stop(): Promise<void>
  /** Sends all at once. `grownBytes` is the maximum that the process took from the system for it. */
  posts(urls: string[]): Promise<{ attempts: Attempt[]; grownBytes: number }>
  close(): Promise<void>
  end(): Promise<void>
}

export function startCaller(caPath: string): Caller {
  const child = fork(program, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caPath },
    execArgv: ['--expose-gc'],
    stdio: 'inherit',
  })
  const ask = asking(child)
  return {
    open: async (options) => void (await ask({ name: 'open', options })),
    check: async (url) => (await ask({ name: 'check', url })) as string | undefined,
    post: async (url) => (await ask({ name: 'post', url })) as Attempt,
    request: async (request) => (await ask({ name: 'request', request })) as FullAttempt,
    download: async (url, options = {}) => (await ask({ name: 'download', url, options })) as DownloadReport,
    stop: async () => void (await ask({ name: 'stop' })),
    posts: async (urls) => (await ask({ name: 'posts', urls })) as { attempts: Attempt[]; grownBytes: number },
    close: async () => void (await ask({ name: 'close' })),
    async end() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

type Question<Any = Command> = Any extends Command ? Omit<Any, 'id'> : never

function asking(child: ChildProcess): (question: Question) => Promise<unknown> {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let count = 0
  child.on('message', ({ id, value }: Reply) => {
    open.get(id)?.resolve(value)
    open.delete(id)
  })
  child.once('exit', (code) => {
    for (const { reject } of open.values()) reject(new Error(`the caller ended with ${code}`))
  })
  return (question) =>
    new Promise((resolve, reject) => {
      count += 1
      open.set(count, { resolve, reject })
      child.send({ id: count, ...question })
    })
}
