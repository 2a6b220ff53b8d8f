import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import { booleanFlag } from '../testing/boolean-flag.ts'
import type { Address } from '../testing/databases/address.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { abTest } from '../testing/flags.ts'
import { isFull } from '../testing/full.ts'
import type { ServiceProcess } from '../testing/processes/process.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess, provisionedSettings } from '../testing/processes/provisioned.ts'
import { startTestService } from '../testing/service.ts'

const crashes = isFull ? 10 : 2
const visitorsOf = [200, 1_000]
const lateVisitors = 5
const eventsOfRequest = 500
const hourMs = 3_600_000

interface Rule {
  id: string
  flagKey: string
  shortId: string
  results: string
  /** Exposures from before it do not count. */
  launchedMs: number
}

interface Sent {
  id: string
  ts: number
  type: 'exposure' | 'track'
  unit: string
  ruleId?: string
  variationKey?: 'on' | 'off'
  eventKey?: string
}

interface Counted {
  units: { total: number; excluded: { crossover: number } }
  metrics: { variations: { units: number; sum: number }[] }[]
}

test(`after kill -9 during snapshots, ${crashes} times, each event counts once`, { timeout: 900_000 }, async () => {
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = await provisionedSettings(address)
  let service = await startForTest(settings)
  const { sdkKey, rules } = await newRules(service)
  const sent = new Map<Rule, Sent[]>(rules.map((rule) => [rule, []]))
  const visit = (rule: Rule, count: number, round: number) => {
    const events = visitors(rule, count, round)
    sent.get(rule)!.push(...events)
    return events
  }

  // A kill before a snapshot has begun, or after all have ended, does not count as a crash.
  for (let round = 0, interrupted = 0; interrupted < crashes; round += 1) {
    await send(
      service,
      sdkKey,
      rules.flatMap((rule, place) => visit(rule, visitorsOf[place]!, round)),
    )
    const refreshed = rules.map(({ results }) => callProcess(service, 'POST', `${results}/refresh`))
    // These are stored between the steps of the snapshots. The answer to the last one is lost.
    const late: Sent[] = []
    const answered = randomInt(4, 20)
    for (let request = 0; request <= answered; request += 1) {
      const events = rules.flatMap((rule) => visit(rule, lateVisitors, round))
      late.push(...events)
      const sending = send(service, sdkKey, events)
      if (request < answered) await sending
      else await Promise.allSettled([service.kill(), sending, ...refreshed])
    }
    if ((await giveBack(address)) > 0) interrupted += 1
    service = await startForTest(settings)
    await send(service, sdkKey, late)
  }
  expect(await service.stop()).toBe(0)

  const last = await startTestService({ address, now: () => new Date(Date.now() + 48 * hourMs) })
  onTestFinished(() => last.stop())
  const figures = async () => {
    await last.snapshots.run()
    const { rows } = await sql<{ ruleId: string; document: Counted }>`
      select distinct on (rule_id) rule_id as "ruleId", document from snapshots order by rule_id, as_of desc`.execute(
      last.db,
    )
    return rules.map(({ id }) => figuresOf(rows.find(({ ruleId }) => ruleId === id)!.document))
  }
  // The server may still be at the last statement of a killed node, whose lock keeps other nodes from its rule.
  await expect.poll(figures).toEqual(rules.map((rule) => expected(sent.get(rule)!)))
  expect(last.logged()).not.toContain('"level":"error"')
})

async function newRules(service: ServiceProcess): Promise<{ sdkKey: string; rules: Rule[] }> {
  const call = async (method: string, path: string, body?: object) =>
    (await callProcess(service, method, path, body)).data
  const { id } = await call('POST', '/api/v1/projects', { name: 'Crash' })
  const project = `/api/v1/projects/${id}`
  const [{ id: envId, sdkKey }] = await call('GET', `${project}/environments`)
  await call('POST', `${project}/metrics`, {
    ...{ name: 'Paid', key: 'paid', type: 'PROPORTION', eventKey: 'paid' },
    ...{ conversionWindowHours: 24, direction: 'INCREASE' },
  })
  const metrics = { primary: ['paid'], secondary: [], guardrails: [] }
  const rules: Rule[] = []
  for (const place of visitorsOf.keys()) {
    const flagKey = `flag-${place}`
    const flag = await call('POST', `${project}/flags`, booleanFlag(flagKey))
    const path = `${project}/flags/${flag.id}`
    const rule = await call('POST', `${path}/envs/${envId}/rules`, abTest('Test', { metrics }))
    await call('POST', `${path}/envs/${envId}/run`)
    rules.push({
      ...{ id: rule.id, flagKey, shortId: String(rule.shortId), launchedMs: Date.now() },
      results: `${path}/rules/${rule.id}/results`,
    })
  }
  return { sdkKey, rules }
}

/** Half of the visitors of a round were there in the round before: they convert, cross over or were exposed earlier. */
function visitors({ flagKey, shortId, launchedMs }: Rule, count: number, round: number): Sent[] {
  const sinceMs = Date.now() - launchedMs
  return Array.from({ length: count }, (_, place) => `${flagKey}-${place + (round * count) / 2}`).flatMap((unit) => {
    /** A random time in one of four parts of the time since the launch. */
    const event = (type: Sent['type'], part: number): Sent => ({
      ...{ id: randomUUID(), ts: launchedMs + Math.floor((sinceMs * (part + Math.random())) / 4), type, unit },
      ...(type === 'track'
        ? { eventKey: 'paid' }
        : { ruleId: shortId, variationKey: unit.endsWith('7') === randomInt(10) > 0 ? 'on' : 'off' }),
    })
    const converts = randomInt(3) === 0 ? [event('track', 3)] : []
    return [event('exposure', 1), ...converts, ...(randomInt(4) === 0 ? [event('track', 0)] : [])]
  })
}

async function send(service: ServiceProcess, sdkKey: string, events: readonly Sent[]): Promise<void> {
  for (let from = 0; from < events.length; from += eventsOfRequest) {
    const answer = await fetch(`${service.url}/api/sdk/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sdkKey, events: events.slice(from, from + eventsOfRequest) }),
    })
    const text = await answer.text()
    if (answer.status !== 202 || JSON.parse(text).rejected?.length > 0) throw new Error(`${answer.status}: ${text}`)
  }
}

/** Lets the rules be taken whose snapshot was interrupted, before their lease ends. Returns how many there are. */
async function giveBack(address: Address): Promise<number> {
  const { db, close } = await openDatabase({ ...address, log: quiet })
  const { rows } = await sql`
    update measured_rules set leased_until = null where leased_until is not null returning rule_id`.execute(db)
  await close()
  return rows.length
}

const figuresOf = ({ units, metrics }: Counted) => ({
  total: units.total,
  crossed: units.excluded.crossover,
  units: metrics[0]!.variations.reduce((sum, variation) => sum + variation.units, 0),
  paid: metrics[0]!.variations.reduce((sum, variation) => sum + variation.sum, 0),
})

/** The expected figures, computed directly from the events. All windows have closed. */
function expected(events: readonly Sent[]) {
  const isCrossed = (own: readonly Sent[]) => new Set(own.flatMap(({ variationKey }) => variationKey ?? [])).size > 1
  const visitors = [...Map.groupBy(events, ({ unit }) => unit).values()]
  const counted = visitors.filter((own) => !isCrossed(own))
  const hasPaid = (own: readonly Sent[]) => {
    const first = Math.min(...own.filter(({ type }) => type === 'exposure').map(({ ts }) => ts))
    return own.some(({ type, ts }) => type === 'track' && ts >= first && ts < first + 24 * hourMs)
  }
  return {
    total: counted.length,
    crossed: visitors.length - counted.length,
    units: counted.length,
    paid: counted.filter(hasPaid).length,
  }
}
