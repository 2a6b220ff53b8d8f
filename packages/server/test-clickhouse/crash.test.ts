import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import { booleanFlag } from '../testing/boolean-flag.ts'
import type { Address } from '../testing/databases/address.ts'
import { startClickHouse } from '../testing/databases/clickhouse.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { abTest } from '../testing/flags.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'

const lanes = 4
const visitorsOfBatch = 25
const mostAnswers = 20

interface Batch {
  body: string
  answered: boolean
}

test('after kill -9 of the service and of ClickHouse, what was answered counts, each event once', async () => {
  const clickHouse = await startClickHouse()
  onTestFinished(() => clickHouse.stop())
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = { ...(await provisionedSettings(address)), SVC_CLICKHOUSE_URL: clickHouse.url }
  let service = await startForTest(settings)
  const { results, ...of } = await newTest(service)

  const batches = await sendUntil(service, of, () => service.kill())
  await endOpenBatches(address)
  service = await startForTest(settings)
  await repeat(service, batches)
  batches.push(...(await sendUntil(service, of, () => clickHouse.kill())))
  await clickHouse.start()
  expect(await service.stop()).toBe(0)
  await endOpenBatches(address)
  service = await startForTest(settings)
  expect(batches.some(({ answered }) => !answered)).toBe(true)
  await repeat(service, batches)

  const { data } = await callProcess(service, 'POST', `${results}/refresh`)
  const counted = data.metrics[0].variations.reduce((sum: number, variation: { sum: number }) => sum + variation.sum, 0)
  const visitors = batches.length * visitorsOfBatch
  expect([data.units.total, counted]).toEqual([visitors, visitors])
  expect(await service.stop()).toBe(0)
})

async function newTest(service: ServiceProcess) {
  const call = async (method: string, path: string, body?: object) =>
    (await callProcess(service, method, path, body)).data
  const { id } = await call('POST', '/api/v1/projects', { name: 'Crash' })
  const project = `/api/v1/projects/${id}`
  const [{ id: envId, sdkKey }] = await call('GET', `${project}/environments`)
  await call('POST', `${project}/metrics`, {
    ...{ name: 'Orders', key: 'orders', type: 'MEAN', eventKey: 'paid', conversionWindowHours: 1 },
    direction: 'INCREASE',
  })
  const flag = `${project}/flags/${(await call('POST', `${project}/flags`, booleanFlag('tested'))).id}`
  const statistics = { inProgressConversions: 'INCLUDE' }
  const rule = abTest('Test', { metrics: { primary: ['orders'] }, statistics })
  const { id: ruleId, shortId } = await call('POST', `${flag}/envs/${envId}/rules`, rule)
  await call('POST', `${flag}/envs/${envId}/run`)
  return { sdkKey, rule: String(shortId), results: `${flag}/rules/${ruleId}/results` }
}

/** Sends new visitors, each with one order, until `end` ends what takes them. */
async function sendUntil(
  service: ServiceProcess,
  { sdkKey, rule }: { sdkKey: string; rule: string },
  end: () => Promise<void>,
): Promise<Batch[]> {
  const batches: Batch[] = []
  const endAfter = lanes + randomInt(mostAnswers)
  let ended: Promise<void> | undefined
  const lane = async () => {
    for (;;) {
      const events = Array.from({ length: visitorsOfBatch }, () => randomUUID()).flatMap((unit) => [
        { ...{ type: 'exposure', id: randomUUID(), ts: Date.now(), unit, ruleId: rule }, variationKey: 'on' },
        { type: 'track', id: randomUUID(), ts: Date.now(), unit, eventKey: 'paid' },
      ])
      const batch = { body: JSON.stringify({ sdkKey, events }), answered: false }
      batches.push(batch)
      await send(service, batch)
      if (batches.length >= endAfter) ended ??= end()
    }
  }
  // A lane ends with the first batch that is not taken.
  await Promise.allSettled(Array.from({ length: lanes }, lane))
  await ended
  return batches
}

async function send({ url }: ServiceProcess, batch: Batch): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/sdk/v1/events`, { method: 'POST', headers, body: batch.body })
  const text = await answer.text()
  if (answer.status !== 202) throw new Error(`${answer.status}: ${text}`)
  batch.answered = true
}

/** Sends every batch again, also those that were answered. */
async function repeat(service: ServiceProcess, batches: readonly Batch[]): Promise<void> {
  for (const batch of batches) await send(service, batch)
}

/** Readers wait a minute for a batch without an end, and this test does not. */
async function endOpenBatches(address: Address): Promise<void> {
  const { db, close } = await openDatabase({ ...address, log: quiet })
  await sql`delete from open_batches`.execute(db)
  await close()
}
