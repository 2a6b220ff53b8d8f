import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../../../sdk/src/index.ts'
import { stream } from '../../../sdk/src/stream.ts'
import { booleanFlag } from '../../testing/boolean-flag.ts'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { isFull } from '../../testing/full.ts'
import { freePort } from '../../testing/processes/port.ts'
import { type ServiceProcess, startProcess } from '../../testing/processes/process.ts'
import { callProcess, provisionedSettings } from '../../testing/processes/provisioned.ts'

const rounds = isFull ? 10 : 1
const writersPerNode = 3
const hearLimitMs = 60_000
// A client retries after 1 s, 2 s, 4 s … up to a minute, with 20 % jitter, regardless of when the node is back.
const catchUpLimitMs = 150_000

interface Node {
  settings: Record<string, string>
  process: ServiceProcess
  /** One flag for each writer. */
  flags: Flag[]
}

/** The confirmed state of a flag, and what the call that the crash interrupted may have changed. */
interface Flag {
  key: string
  path: string
  enabled: boolean
  /** The revision in the newest answer. */
  revision: number
  pending?: boolean
}

test(`no acknowledged write of two nodes is lost, for clients too, after kill -9 of one node (rounds: ${rounds})`, {
  timeout: 1_200_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  const settings = await provisionedSettings(address)
  const nodes = [await startNode(settings), await startNode(settings)] as const
  const place = await newEnvironment(nodes[0].process)
  for (const [index, node] of nodes.entries())
    for (let writer = 0; writer < writersPerNode; writer += 1)
      node.flags.push(await newFlag(node.process, place, `node-${index}-writer-${writer}`))

  for (let round = 0; round < rounds; round += 1) {
    const [victim, survivor] = round % 2 ? [nodes[1], nodes[0]] : nodes
    await killUnderLoad(victim, survivor, place)
  }
  for (const node of nodes) expect(await node.process.stop()).toBe(0)
  await remove()
})

async function startNode(settings: Record<string, string>): Promise<Node> {
  const own = { ...settings, SVC_PORT: String(await freePort()) }
  return { settings: own, process: await startProcess(own), flags: [] }
}

interface Place {
  path: string
  envId: string
  sdkKey: string
}

async function newEnvironment(node: ServiceProcess): Promise<Place> {
  const path = `/api/v1/projects/${(await call(node, 'POST', '/api/v1/projects', { name: 'Crash' })).id}`
  const [environment] = await call(node, 'GET', `${path}/environments`)
  return { path, envId: environment.id, sdkKey: environment.sdkKey }
}

async function newFlag(node: ServiceProcess, { path }: Place, key: string): Promise<Flag> {
  const { id } = await call(node, 'POST', `${path}/flags`, booleanFlag(key))
  return { key, path: `${path}/flags/${id}`, enabled: false, revision: 0 }
}

async function killUnderLoad(victim: Node, survivor: Node, place: Place): Promise<void> {
  const [lost, kept] = [await follow(victim, place), await follow(survivor, place)]
  await writeUntilKilled(victim, survivor, place)
  const endedAt = performance.now()
  const flags = [...victim.flags, ...survivor.flags]
  const newest = Math.max(...flags.map(({ revision }) => revision))

  await expect.poll(() => kept.revision, { timeout: hearLimitMs, interval: 1 }).toBeGreaterThanOrEqual(newest)
  const heardMs = Math.round(performance.now() - endedAt)
  await expectAgreement(survivor, kept, place, flags)

  const last = lost.dataFile
  expect(last).not.toBeNull()
  for (const flag of survivor.flags) await flip(survivor, flag, place)
  expect(lost.dataFile).toBe(last)

  const startedAt = performance.now()
  victim.process = await startProcess(victim.settings)
  const readyMs = Math.round(performance.now() - startedAt)
  await expectAgreement(victim, lost, place, flags)
  const caughtUpMs = Math.round(performance.now() - startedAt)
  console.info(`Two nodes: ${newest} revisions; heard after ${heardMs} ms, up ${readyMs}, caught up ${caughtUpMs}`)
  lost.close()
  kept.close()
}

/** Starts an SDK client on a node and waits until it streams. */
async function follow({ process }: Node, { sdkKey }: Place): Promise<Client> {
  const logger = { warn: () => undefined }
  const client = createClient({ sdkKey, baseUrl: process.url, pollIntervalMs: 1_000, stream, logger })
  await client.ready
  await expect.poll(() => client.streaming, { timeout: catchUpLimitMs }).toBe(true)
  return client
}

/** Writes to both nodes, kills one of them meanwhile, and continues writing to the other for a while. */
async function writeUntilKilled(victim: Node, survivor: Node, place: Place): Promise<void> {
  const killAfter = randomInt(10, 60)
  const more = 10
  let answers = 0
  let after = 0
  let killed: Promise<void> | undefined
  const writeToVictim = async (flag: Flag) => {
    while (true) {
      await flip(victim, flag, place)
      answers += 1
      if (answers >= killAfter) killed ??= victim.process.kill()
    }
  }
  const writeToSurvivor = async (flag: Flag) => {
    for (; after < more; after += killed ? 1 : 0) await flip(survivor, flag, place)
  }
  const [ends] = await Promise.all([
    Promise.allSettled(victim.flags.map(writeToVictim)),
    Promise.all(survivor.flags.map(writeToSurvivor)),
  ])
  // Every call must end with its connection.
  for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { message: 'fetch failed' } })
  await killed
}

async function flip(node: Node, flag: Flag, { envId }: Place): Promise<void> {
  const enabled = !flag.enabled
  flag.pending = enabled
  const { dataFile } = await call(node.process, 'POST', `${flag.path}/envs/${envId}/${enabled ? 'run' : 'pause'}`)
  Object.assign(flag, { enabled, revision: dataFile.revision })
  delete flag.pending
}

/** Expects that API, data file and client agree and have everything acknowledged. */
async function expectAgreement({ process }: Node, client: Client, place: Place, flags: Flag[]): Promise<void> {
  const { dataFile } = await call(process, 'GET', `${place.path}/environments/${place.envId}`)
  const answer = await fetch(`${process.url}/api/sdk/v1/datafile/${place.sdkKey}.json`)
  expect(answer.headers.get('etag')).toBe(dataFile.etag)
  await expect.poll(() => client.revision, { timeout: catchUpLimitMs }).toBe(dataFile.revision)
  expect(client.dataFile).toEqual(await answer.json())
  for (const flag of flags) {
    const { environments } = await call(process, 'GET', flag.path)
    const { enabled } = environments.find(({ envId }: { envId: string }) => envId === place.envId)
    expect([flag.enabled, flag.pending ?? flag.enabled], flag.key).toContain(enabled)
    expect(client.dataFile!.flags[flag.key]!.enabled).toBe(enabled)
    // The interrupted call has either happened or not.
    flag.enabled = enabled
    delete flag.pending
  }
}

const call = async (node: ServiceProcess, method: string, path: string, body?: unknown) =>
  (await callProcess(node, method, path, body)).data
