import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../../../sdk/src/index.ts'
import { stream } from '../../../sdk/src/stream.ts'
import { booleanFlag } from '../../testing/boolean-flag.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { freePort, type ServiceProcess, startProcess } from '../../testing/process.ts'
import { callProcess, provisionedSettings } from '../../testing/provisioned.ts'

const rounds = process.env.SVC_TEST_FULL === '1' ? 10 : 2
const writersPerNode = 3
const hearLimitMs = 1_000
// A client tries again after 1 s, 2 s, 4 s … a minute, give or take a fifth, however soon the node is back.
const catchUpLimitMs = 75_000

interface Node {
  settings: Record<string, string>
  process: ServiceProcess
  /** Each of its writers has a flag of its own. */
  flags: Flag[]
}

/** What the API has confirmed of a flag, and what the call that the crash cut off may have done beyond it. */
interface Flag {
  key: string
  path: string
  enabled: boolean
  /** Of the newest answer. */
  revision: number
  pending?: boolean
}

test(`kill -9 of one node of two, ${rounds} times: the other has all that either acknowledged, and its clients as well`, {
  timeout: 400_000,
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

/** A client of an application beside the node, once it streams. */
async function follow({ process }: Node, { sdkKey }: Place): Promise<Client> {
  const logger = { warn: () => undefined }
  const client = createClient({ sdkKey, baseUrl: process.url, pollIntervalMs: 1_000, stream, logger })
  await client.ready
  await expect.poll(() => client.streaming, { timeout: catchUpLimitMs }).toBe(true)
  return client
}

/** Both nodes are written to; the one dies in the middle of it, and the other is written to a while longer. */
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
  // No call ends otherwise than with its connection.
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

/** API, data file and client say the same, and what was acknowledged. */
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
    // What the crash cut off has happened, or has not.
    flag.enabled = enabled
    delete flag.pending
  }
}

const call = async (node: ServiceProcess, method: string, path: string, body?: unknown) =>
  (await callProcess(node, method, path, body)).data
