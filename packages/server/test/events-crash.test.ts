import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'

const lanes = 4
const eventsOfBatch = 50

interface Batch {
  ids: string[]
  answered: boolean
}

test('after kill -9 and SIGTERM during ingestion, nothing that was answered is lost, and nothing counts twice', {
  timeout: 900_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = await provisionedSettings(address)
  let service = await startForTest(settings)
  const project = (await callProcess(service, 'POST', '/api/v1/projects', { name: 'Crash' })).data
  const [{ sdkKey }] = (await callProcess(service, 'GET', `/api/v1/projects/${project.id}/environments`)).data

  const batches = await endWhileSending(service, sdkKey, () => service.kill())
  expect(batches.some(({ answered }) => !answered)).toBe(true)
  service = await startForTest(settings)
  // The SDK repeats batches without an answer. Answered batches are repeated too, to check that they are recognized.
  for (const { ids, answered } of batches) {
    const { accepted, duplicates } = await send(service, sdkKey, ids)
    expect(accepted + duplicates).toBe(ids.length)
    if (answered) expect(accepted).toBe(0)
  }
  const drained = await endWhileSending(service, sdkKey, async () => expect(await service.stop()).toBe(0))

  const database = await openDatabase({ ...address, log: quiet })
  try {
    const { rows } = await sql<{ id: string }>`select id from tracked_events`.execute(database.db)
    const stored = new Set(rows.map(({ id }) => id))
    expect(stored.size, 'each once').toBe(rows.length)
    const promised = [...batches, ...drained.filter(({ answered }) => answered)]
    expect(promised.flatMap(({ ids }) => ids).filter((id) => !stored.has(id))).toEqual([])
  } finally {
    await database.close()
  }
})

async function endWhileSending(service: ServiceProcess, sdkKey: string, end: () => Promise<void>): Promise<Batch[]> {
  const batches: Batch[] = []
  const endAfter = randomInt(10, 40)
  let ended: Promise<void> | undefined
  const lane = async () => {
    for (;;) {
      const batch = { ids: Array.from({ length: eventsOfBatch }, () => randomUUID()), answered: false }
      batches.push(batch)
      await send(service, sdkKey, batch.ids)
      batch.answered = true
      if (batches.length >= endAfter) ended ??= end()
    }
  }
  // Every lane ends with its connection.
  await Promise.allSettled(Array.from({ length: lanes }, lane))
  await ended
  return batches
}

async function send(service: ServiceProcess, sdkKey: string, ids: readonly string[]) {
  const events = ids.map((id) => ({ type: 'track', id, ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' }))
  const answer = await fetch(`${service.url}/api/sdk/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sdkKey, events }),
  })
  const text = await answer.text()
  if (answer.status !== 202) throw new Error(`${answer.status}: ${text}`)
  return JSON.parse(text) as { accepted: number; duplicates: number }
}
