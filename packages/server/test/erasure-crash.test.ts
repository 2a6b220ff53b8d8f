import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import { booleanFlag } from '../testing/boolean-flag.ts'
import type { Address } from '../testing/databases/address.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { endLeases, hold } from '../testing/databases/holding.ts'
import { quiet } from '../testing/databases/templates.ts'
import { abTest } from '../testing/flags.ts'
import { isFull } from '../testing/full.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'

const rulesCount = 4
const visitors = 60
/** Each step, with a table that this step writes and earlier steps do not. */
const steps = [
  { step: 'COUNT', table: 'rule_units' },
  { step: 'DELETE', table: 'exposures' },
  { step: 'RENAME', table: 'unit_totals' },
] as const
const rounds = isFull ? 5 : 1

test(`an erasure ends right after kill -9 in each of its steps, and results do not move`, {
  timeout: 900_000,
}, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = await provisionedSettings(address)
  let service = await startForTest(settings)
  const call = async (method: string, path: string, body?: object) =>
    (await callProcess(service, method, path, body)).data
  const { id } = await call('POST', '/api/v1/projects', { name: 'Crash' })
  const project = `/api/v1/projects/${id}`
  const [{ id: envId, sdkKey }] = await call('GET', `${project}/environments`)
  await call('POST', `${project}/metrics`, { name: 'Paid', key: 'paid', type: 'PROPORTION', eventKey: 'paid' })
  const results: string[] = []
  for (let place = 0; place < rulesCount; place += 1) {
    const flag = await call('POST', `${project}/flags`, booleanFlag(`flag-${place}`))
    const path = `${project}/flags/${flag.id}`
    const statistics = { inProgressConversions: 'INCLUDE' }
    const rule = await call(
      'POST',
      `${path}/envs/${envId}/rules`,
      abTest('Test', { metrics: { primary: ['paid'] }, statistics }),
    )
    await call('POST', `${path}/envs/${envId}/run`)
    results.push(`${path}/rules/${rule.id}/results`)
    await send(service, sdkKey, String(rule.shortId))
  }
  // On a busy machine, a snapshot can take longer than an answer waits: asking again joins it.
  const refreshed = async (path: string) => {
    for (;;) {
      const told = await call('POST', `${path}/refresh`)
      if (!told.refreshing) return told
    }
  }
  const figures = async () => {
    const found = []
    for (const path of results) {
      const { units, metrics } = await refreshed(path)
      found.push({
        units,
        sums: metrics[0].variations.map(({ units: of, sum }: { units: number; sum: number }) => [of, sum]),
      })
    }
    return found
  }
  const before = await figures()
  expect(before.every(({ units }) => units.total === visitors)).toBe(true)

  for (const [place, { step, table }] of Array.from({ length: rounds }, () => steps)
    .flat()
    .entries()) {
    const unit = `u-${place}`
    const held = await hold(address, [table])
    const { id: jobId } = await call('POST', `${project}/erasures`, { units: [unit] })
    const path = `${project}/commerce/jobs/${jobId}`
    // The embedded database has one user, so the moment of the kill is random there.
    if (held) await expect.poll(async () => (await call('GET', path)).progress?.step).toBe(step)
    else await pause(randomInt(1, 400))
    await service.kill()
    await held?.release()
    await endLeases(address)
    service = await startForTest(settings)
    await expect.poll(async () => (await call('GET', path)).status).toBe('SUCCEEDED')
    expect(await namedIn(address, unit)).toEqual([])
  }
  expect(await figures()).toEqual(before)
  expect(await service.stop()).toBe(0)
})

async function send(service: ServiceProcess, sdkKey: string, ruleId: string): Promise<void> {
  const ts = new Date().toISOString()
  const events = Array.from({ length: visitors }, (_, each) => [
    { id: randomUUID(), type: 'exposure', ts, unit: `u-${each}`, ruleId, variationKey: each % 2 ? 'on' : 'off' },
    { id: randomUUID(), type: 'track', ts, unit: `u-${each}`, eventKey: 'paid' },
  ]).flat()
  const answer = await fetch(`${service.url}/api/sdk/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sdkKey, events }),
  })
  expect({ status: answer.status, rejected: ((await answer.json()) as { rejected?: [] }).rejected }).toEqual({
    status: 202,
    rejected: [],
  })
}

/** Which tables name a unit. An embedded database cannot be read while the service has it. */
async function namedIn(address: Address, unit: string): Promise<string[]> {
  if (!address.url) return []
  const { db, close } = await openDatabase({ ...address, log: quiet })
  const tables = ['exposures', 'tracked_events', 'rule_units', 'unit_totals', 'unit_hours', 'changed_units']
  const naming: string[] = []
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} where unit = ${unit} limit 1`.execute(db)
    if (rows.length > 0) naming.push(table)
  }
  await close()
  return naming
}
