import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Log } from '../database.ts'
import { unavailable } from '../errors.ts'
import { ofPglite } from './blank.ts'
import type { Failure, Reply, Request, Result } from './messages.ts'

const closeLimitMs = 15_000
/** Rows live for a moment only. Without a limit, V8 lets new objects take up to 192 MB and is not faster. */
const maxYoungGenerationSizeMb = 48

/** The thread of the database. Its queries do not block requests in the main thread. */
export interface Host {
  query(text: string, values: readonly unknown[]): Promise<Result>
  /** Whether the session was in a transaction after its last answer. */
  inTransaction(): boolean
  onNotice(handle: (channel: string, payload: string) => void): void
  isAlive(): boolean
  close(): Promise<void>
}

interface Pending {
  resolve(result: Result): void
  reject(error: Error): void
}

/** Starts the thread and resolves when the database answers. When the thread ends, everything pending is rejected. */
export async function startHost(folder: string, log: Log): Promise<Host> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { folder },
    resourceLimits: { maxYoungGenerationSizeMb },
  })
  // The thread waits for this message first.
  const handOver = compiledProgram().then((program) => worker.postMessage(program))
  handOver.catch(() => worker.terminate())
  const pending = new Map<number, Pending>()
  let lastId = 0
  let inTransaction = false
  let isDead = false
  let handleNotice = (_channel: string, _payload: string): void => {}

  const ask = (request: { ask: 'close' } | { ask: 'query'; text: string; values: readonly unknown[] }) =>
    new Promise<Result>((resolve, reject) => {
      if (isDead) return reject(unavailable('the embedded database has stopped'))
      const id = ++lastId
      worker.postMessage({ ...request, id } satisfies Request)
      pending.set(id, { resolve, reject })
    })

  const settle = (id: number, run: (waiting: Pending) => void) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if (waiting) run(waiting)
  }

  const started = Promise.withResolvers<void>()
  const hear = (reply: Reply) => {
    if ('inTransaction' in reply) inTransaction = reply.inTransaction
    if (reply.say === 'ready') started.resolve()
    else if (reply.say === 'result') settle(reply.id, ({ resolve }) => resolve(wrapBytes(reply.result)))
    else if (reply.say === 'failure') settle(reply.id, ({ reject }) => reject(errorOf(reply.failure)))
    else if (reply.say === 'notice') handleNotice(reply.channel, reply.payload)
    else log.error({}, reply.message)
  }

  const ended = new Promise<void>((resolve) => {
    const end = (error: Error) => {
      isDead = true
      started.reject(error)
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    }
    worker.on('error', (error) => end(unavailable(`the embedded database failed: ${messageOf(error)}`, error)))
    worker.on('exit', () => {
      end(unavailable('the embedded database has stopped'))
      resolve()
    })
  })
  worker.on('message', hear)

  const close = async () => {
    const limit = setTimeout(() => worker.terminate(), closeLimitMs)
    await ask({ ask: 'close' }).catch(() => {})
    await ended
    clearTimeout(limit)
  }

  await Promise.all([handOver, started.promise])
  return {
    query: (text, values) => ask({ ask: 'query', text, values }),
    inTransaction: () => inTransaction,
    onNotice: (handle) => {
      handleNotice = handle
    },
    isAlive: () => !isDead,
    close,
  }
}

let program: Promise<WebAssembly.Module> | undefined

/**
 * PostgreSQL itself. It is compiled while the thread starts, and once for all threads of this process, including those
 * after a crash.
 */
function compiledProgram(): Promise<WebAssembly.Module> {
  program ??= readFile(ofPglite('pglite.wasm')).then((bytes) => WebAssembly.compile(bytes))
  program.catch(() => {
    program = undefined
  })
  return program
}

function wrapBytes(result: Result): Result {
  for (const row of result.byteColumns.length > 0 ? result.rows : [])
    for (const column of result.byteColumns) {
      const bytes = row[column]
      if (bytes instanceof Uint8Array) row[column] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
  return result
}

const errorOf = (failure: Failure): Error => Object.assign(new Error(failure.message), failure)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
