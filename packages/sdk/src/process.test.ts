import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { datafileOf } from '../test/datafile.ts'
import { answerStatus, answerStream, answerWith, startService } from '../test/service.ts'

const run = promisify(execFile)
/** Reached only if a program does not end. */
const programLimitMs = 50_000
const door = new URL('index.ts', import.meta.url)
const streamDoor = new URL('stream.ts', import.meta.url)
const storageDoor = new URL('storage.ts', import.meta.url)
const fileStoreDoor = new URL('file-store.ts', import.meta.url)
let service: Awaited<ReturnType<typeof startService>>

beforeEach(async () => {
  service = await startService(answerStatus(500))
})
afterEach(() => service.close())

/** Runs a Node program with a client to its end and returns its output. */
async function outputOf(program: string): Promise<string> {
  const options = JSON.stringify({ sdkKey: 'sdk_1', baseUrl: service.baseUrl })
  const source = `import { createClient } from ${JSON.stringify(door)}
    const options = { ...${options}, logger: { warn() {} } }
    const client = createClient(options)
    ${program}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], { timeout: programLimitMs })
  return stdout.trim()
}

it('a program that awaits nothing ends, although the service fails', async () => {
  expect(await outputOf(`console.log(client.getBoolean('a', true))`)).toBe('true')
  expect(service.requests).toHaveLength(1)
})

it('a program that awaits ready stays alive through failures and then ends', async () => {
  service.answer = (request, response) =>
    (service.requests.length > 1 ? answerWith(datafileOf(9)) : answerStatus(500))(request, response)
  expect(await outputOf('await client.ready; console.log(client.revision)')).toBe('9')
  expect(service.requests).toHaveLength(2)
})

it('a program ends although its heartbeat gets an endless answer', async () => {
  service.answer = answerWith(datafileOf(9))
  service.heartbeatAnswer = (_request, response) => response.writeHead(200).write('{')
  expect(await outputOf('await client.ready; client.close(); console.log(client.status)')).toBe('closed')
})

it('a program ends after it closes its stream', async () => {
  service.answer = answerWith(datafileOf(9))
  service.streamAnswer = answerStream()
  const program = `const { stream } = await import(${JSON.stringify(streamDoor)})
    const streaming = createClient({ ...options, stream })
    await streaming.ready
    while (!streaming.streaming) await new Promise(setImmediate)
    streaming.close()
    console.log(streaming.status)`
  expect(await outputOf(program)).toBe('closed')
})

it('a program with a stored file ends, although the service fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'svc-sdk_1.json'), JSON.stringify(datafileOf(9)))
  const program = `const { fileStore } = await import(${JSON.stringify(fileStoreDoor)})
    const kept = createClient({ ...options, store: fileStore(${JSON.stringify(folder)}) })
    await kept.ready
    console.log(kept.status, kept.revision)`
  expect(await outputOf(program)).toBe('stale 9')
})

it('a program ends although its store never answers', async () => {
  const program = `const { createStore } = await import(${JSON.stringify(storageDoor)})
    const never = () => new Promise(() => {})
    const waiting = createClient({ ...options, store: createStore({ load: never, save: never }) })
    console.log(waiting.status)`
  expect(await outputOf(program)).toBe('connecting')
})
