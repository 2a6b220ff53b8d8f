import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { giveBackMemoryWhenIdle } from '../../memory.ts'
import { statementNames } from '../statement-names.ts'
import { type Failure, failureFields, type Reply, type Request, type Result } from './messages.ts'
import { openPglite } from './pglite.ts'
import { keepUp, type Upkeep } from './upkeep.ts'

const upkeepIntervalMs = 1_000
const bytea = 17

const port = parentPort!
const say = (reply: Reply) => port.postMessage(reply)

const [program] = (await once(port, 'message')) as [WebAssembly.Module]
// Without a listener, the port would not keep the thread alive while the database opens.
port.ref()
const { pglite, client } = await openPglite(workerData.folder, program)
client.on('error', die)
client.on('notification', ({ channel, payload }) => say({ say: 'notice', channel, payload: payload ?? '' }))

const nameOf = statementNames()
let waiting = 0
let usedAt = Date.now()
let isUpkeepDue = false
let tail = Promise.resolve()

port.on('message', (request: Request) => {
  waiting++
  tail = tail.then(() => answer(request)).then(keepUpWhenDue)
})

const upkeep: Upkeep = { checkpointedAt: Date.now(), vacuumedAt: Date.now() }
const upkeepTimer = setInterval(() => {
  isUpkeepDue = true
  tail = tail.then(keepUpWhenDue)
}, upkeepIntervalMs)

say({ say: 'ready' })
giveBackMemoryWhenIdle()

async function answer(request: Request): Promise<void> {
  if (request.ask === 'close') return close(request.id)
  const { id, text, values } = request
  try {
    const result = await run(text, values)
    say({ say: 'result', id, result, inTransaction: inTransaction() })
  } catch (error) {
    if (isFatal(error)) die(error)
    say({ say: 'failure', id, failure: failureOf(error), inTransaction: inTransaction() })
  }
  waiting--
  usedAt = Date.now()
}

async function run(text: string, values: readonly unknown[]): Promise<Result> {
  // Without values, the simple protocol is used: it accepts several statements at once.
  const name = values.length > 0 ? nameOf(text) : undefined
  const query = { text, values: [...values], ...(name === undefined ? {} : { name }) }
  const { command, rowCount, rows, fields } = await client.query(query)
  const byteColumns = fields?.filter((field) => field.dataTypeID === bytea).map((field) => field.name) ?? []
  return { command, rowCount, rows: rows ?? [], byteColumns }
}

const inTransaction = (): boolean =>
  (client as unknown as { getTransactionStatus(): string }).getTransactionStatus() !== 'I'

async function keepUpWhenDue(): Promise<void> {
  if (!isUpkeepDue || inTransaction()) return
  isUpkeepDue = false
  const now = Date.now()
  const isIdle = waiting === 0 && now - usedAt > upkeepIntervalMs
  try {
    await keepUp(async (text) => (await client.query(text)).rows, upkeep, now, isIdle)
  } catch (error) {
    if (isFatal(error)) die(error)
    say({ say: 'trouble', message: `upkeep of the embedded database failed: ${failureOf(error).message}` })
  }
}

async function close(id: number): Promise<void> {
  clearInterval(upkeepTimer)
  if (inTransaction()) await client.query('rollback')
  await client.query('checkpoint')
  await pglite.close()
  say({ say: 'result', id, result: { command: 'CLOSE', rowCount: 0, rows: [], byteColumns: [] }, inTransaction: false })
  port.close()
}

const isFatal = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError || ['FATAL', 'PANIC'].includes(failureOf(error).severity ?? '')

// The memory of a crashed database cannot be trusted, but its files can: the next start replays the log.
function die(error: unknown): never {
  say({ say: 'trouble', message: `the embedded database crashed: ${failureOf(error).message}` })
  process.exit(1)
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  const failure: Failure = { message: error.message }
  for (const field of failureFields) {
    const value: unknown = Reflect.get(error, field)
    if (typeof value === 'string') failure[field] = value
  }
  return failure
}
