import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../testing/clock.ts'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { abTest, delivery, inProduction, succeed } from '../../../../testing/flags.ts'
import { metricsBearer } from '../../../../testing/service.ts'
import {
  failInEveryWay,
  guardedTest,
  ownedByExperiment,
  refresh,
  visit,
  type WatchedRule,
  watchedRule,
} from '../../../../testing/watching.ts'
import { deliver, isSigned, newWebhook, type TestWebhook, webhookTest } from '../../../../testing/webhooks.ts'
import { authors } from '../../../platform/outbox.ts'
import type { EventStore } from '../events/index.ts'
import { snapshotWorker } from '../results/index.ts'
import { watcher } from './index.ts'

// `npm run test:clickhouse` runs these tests on ClickHouse too.
const clickHouse = await clickHouseForTest()
const on = webhookTest(clickHouse ? { settings: { SVC_CLICKHOUSE_URL: clickHouse } } : {})
const alarms = [
  ...['flag.srm_failed', 'flag.guardrail_breached', 'experiment.srm_failed', 'experiment.guardrail_breached'],
  'experiment.guardrail_metric_breached',
]
const digests = ['flag.results_ready', 'experiment.results_ready']
let hook: TestWebhook
let digestHook: TestWebhook

beforeAll(async () => {
  hook = await newWebhook(on, { events: alarms })
  digestHook = await newWebhook(on, { events: digests })
})

/** The bodies that the receiver got since the last call, of one rule. */
const read = new Map<string, number>()
async function received({ id }: WatchedRule, of: TestWebhook = hook) {
  await deliver(on)
  const bodies = on.receiver.at(of.url).map(({ body }) => JSON.parse(body))
  const mine = bodies.filter(({ rule }) => rule.id === id)
  const key = `${of.id} ${id}`
  const fresh = mine.slice(read.get(key) ?? 0)
  read.set(key, mine.length)
  return fresh
}

const namesOf = (bodies: { event: string; alarm: { check: string } }[]) =>
  bodies.map(({ event, alarm }) => `${event} ${alarm.check}`)

const isRunning = async ({ id, flag }: WatchedRule): Promise<boolean> => {
  const rules = await succeed(on.service, 'GET', `${flag.production}/rules`)
  return rules.find((rule: { id: string }) => rule.id === id).enabled
}

const revisionNow = async ({ flag }: WatchedRule): Promise<number> =>
  (await inProduction(on.service, flag)).lastPublishedRevision

const entriesAbout = async ({ id }: WatchedRule) => {
  const { rows } = await sql<{ action: string; actor: string; after: Record<string, unknown> }>`
    select action, actor_type || ' ' || actor_name as actor, after from audit_entries
    where object_id = ${id} and actor_type = 'system' order by seq`.execute(on.service.db)
  return rows
}

const fail = (error: unknown) => {
  throw error
}

/** Takes a snapshot that is not judged, like a node that is killed right after it. */
async function snapshotOfKilledNode(
  rule: WatchedRule,
  { store = {}, onError = fail }: { store?: Partial<EventStore>; onError?: (error: unknown) => void } = {},
): Promise<void> {
  const { service, project, clock } = on
  const { db } = service
  const events = { ...eventStoreOn(service.database, clickHouse), ...store }
  const worker = snapshotWorker(
    { db, events, now: clock.now, eventsKeptForMs: 90 * dayMs, judge: async () => {}, pace: { share: 1 } },
    onError,
  )
  const { id: ruleId, flag } = rule
  await worker.refresh({ ruleId, projectId: project.id, flagId: flag.id, envId: project.production.id })
}

describe('what cannot be computed', () => {
  test('is reported once, without a pause, and again after results were complete', async () => {
    const rule = await watchedRule(
      on,
      'broken',
      abTest('Copy', { statistics: { autoPause: { srm: true, traffic: true } } }),
    )
    const exposuresAfter = () => Promise.reject(new Error('out of range'))
    const fails = async () => {
      on.clock.move(hourMs)
      await snapshotOfKilledNode(rule, { store: { exposuresAfter }, onError: () => {} })
      await on.service.watching.run()
    }
    await fails()
    const [body, ...others] = await received(rule)
    expect([body.event, body.alarm, others]).toMatchObject([
      'flag.guardrail_breached',
      { check: 'COMPUTATION', paused: false, revision: null },
      [],
    ])
    expect(await isRunning(rule)).toBe(true)
    await fails()
    expect(await received(rule)).toEqual([])
    on.clock.move(hourMs)
    await refresh(on, rule)
    await fails()
    expect(namesOf(await received(rule))).toEqual(['flag.guardrail_breached COMPUTATION'])
    on.clock.move(hourMs)
    await refresh(on, rule)
  })
})

describe('a sample ratio mismatch', () => {
  let rule: WatchedRule
  let revision: number

  test('is not reported while the split is right', async () => {
    rule = await watchedRule(on, 'split', abTest('Copy', { statistics: { autoPause: { srm: true } } }))
    await visit(on, rule, { on: 250, off: 250 }, { context: { browser: 'Chrome' } })
    on.clock.move(hourMs)
    await refresh(on, rule)
    expect(await received(rule)).toEqual([])
    expect(await isRunning(rule)).toBe(true)
  })

  test('is reported once, with the revision after which it began and the affected visitors', async () => {
    await succeed(on.service, 'PUT', `${rule.flag.production}/overrides`, {
      environmentAllowlist: [{ variationKey: 'on', userIds: ['tester'] }],
      ruleAllowlists: [],
    })
    await succeed(on.service, 'POST', `${on.project.path}/environments/${on.project.production.id}/publish`)
    revision = await revisionNow(rule)
    on.clock.move(minuteMs)
    await visit(on, rule, { on: 150, off: 150 }, { context: { browser: 'Chrome' } })
    await visit(on, rule, { on: 500, off: 40 }, { context: { browser: 'Safari' } })
    on.clock.move(hourMs)
    await refresh(on, rule)
    const [body, ...others] = await received(rule)
    expect(others).toEqual([])
    expect(body).toMatchObject({
      event: 'flag.srm_failed',
      flag: { key: 'split' },
      environment: { id: on.project.production.id },
      rule: { id: rule.id, name: 'Copy' },
      alarm: {
        check: 'SRM',
        asOf: on.clock.now().toISOString(),
        revision: { revision },
        dimension: { name: 'browser', value: 'Safari' },
        paused: true,
      },
      triggeredBy: null,
    })
    expect(body.alarm.bayesFactor).toBeGreaterThan(1000)
    expect(body.alarm.variations).toEqual([
      { id: rule.flag.ids.off, key: 'off', units: 440, share: 440 / 1340, expectedShare: 0.5 },
      { id: rule.flag.ids.on, key: 'on', units: 900, share: 900 / 1340, expectedShare: 0.5 },
    ])
    expect(body.alarm.dimension.variations).toContainEqual({
      id: rule.flag.ids.on,
      key: 'on',
      units: 500,
      expected: 270,
    })
    expect(isSigned(on.receiver.at(hook.url).at(-1)!, hook.secret)).toBe(true)
  })

  test('shows in the results since which revision it is so', async () => {
    const results = `${rule.flag.path}/rules/${rule.id}/results`
    const split = async () => {
      const { health } = await succeed(on.service, 'GET', results)
      return health.checks.find(({ check }: { check: string }) => check === 'SRM')
    }
    expect(await split()).toMatchObject({ status: 'FAILED', since: { revision, publishedAt: expect.any(String) } })
    await refresh(on, rule)
    expect((await split()).since.revision).toBe(revision)
  })

  test('paused the rule in the same step, with the reason in the audit log', async () => {
    expect(await isRunning(rule)).toBe(false)
    expect(await entriesAbout(rule)).toMatchObject([
      { action: 'rule.pause', actor: 'system watching', after: { enabled: false, because: ['SRM'] } },
      { action: 'rule.report_srm', actor: 'system watching', after: { check: 'SRM', paused: true } },
    ])
  })

  test('does not pause again what a person resumed, until it has recovered', async () => {
    await succeed(on.service, 'POST', `${rule.path}/run`)
    on.clock.move(hourMs)
    await refresh(on, rule)
    expect(await isRunning(rule)).toBe(true)
    await visit(on, rule, { on: 0, off: 460 })
    on.clock.move(dayMs)
    await refresh(on, rule)
    expect([await received(rule), await isRunning(rule)]).toEqual([[], true])
    const { health } = await succeed(on.service, 'GET', `${rule.flag.path}/rules/${rule.id}/results`)
    expect(health.checks[0]).toMatchObject({ check: 'SRM', status: 'OK' })
    expect(health.checks[0]).not.toHaveProperty('since')
    await visit(on, rule, { on: 900, off: 0 })
    on.clock.move(hourMs)
    await refresh(on, rule)
    expect(namesOf(await received(rule))).toEqual(['flag.srm_failed SRM'])
    expect(await isRunning(rule)).toBe(false)
  })
})

describe('a failure in every way', () => {
  test('of a plain rule is sent once as a flag event, as are the daily results', async () => {
    const rule = await watchedRule(on, 'plain', await guardedTest(on))
    await failInEveryWay(on, rule)
    const bodies = await received(rule)
    expect(namesOf(bodies)).toEqual(['flag.srm_failed SRM', 'flag.guardrail_breached TRAFFIC_DROP'])
    expect(bodies[1].alarm).toMatchObject({
      ...{ observed: 3, expected: 60, threshold: 30, variations: [], paused: false },
      dimension: { name: 'os', value: 'iOS', observed: 3, expected: 60 },
      revision: { revision: await revisionNow(rule) },
    })
    expect(await isRunning(rule)).toBe(true)
    const [digest, ...others] = await received(rule, digestHook)
    expect(others).toEqual([])
    expect(digest).toMatchObject({
      event: 'flag.results_ready',
      results: { ruleStatus: 'RUNNING', units: 483, health: { status: 'FAILED', failed: ['SRM', 'TRAFFIC_DROP'] } },
      triggeredBy: null,
    })
    expect(digest.results.recommendation).toEqual({
      action: 'UNHEALTHY',
      variationId: null,
      reasons: ['HEALTH_FAILED', 'GUARDRAIL_BREACHED'],
      breached: [{ metricId: expect.any(String), name: expect.any(String), variationId: rule.flag.ids.on }],
    })
    on.clock.move(hourMs)
    await refresh(on, rule)
    expect([await received(rule), await received(rule, digestHook)]).toEqual([[], []])
  })

  test('of an experiment is sent once, as an experiment event, and pauses if autoPause is on', async () => {
    const rule = await watchedRule(on, 'owned', abTest('Copy', { metrics: { guardrails: ['paid'] } }))
    const experiment = await ownedByExperiment(on, rule, { srm: false, traffic: false, guardrailMetric: true })
    await failInEveryWay(on, rule)
    const bodies = await received(rule)
    expect(namesOf(bodies)).toEqual([
      'experiment.srm_failed SRM',
      'experiment.guardrail_breached TRAFFIC_DROP',
      'experiment.guardrail_metric_breached GUARDRAIL_METRIC',
    ])
    for (const body of bodies) expect(body.experiment).toMatchObject({ id: experiment.id, name: 'Checkout copy' })
    expect(bodies.map(({ alarm }) => alarm.paused)).toEqual([false, false, true])
    expect(bodies[2]).toMatchObject({
      metric: { key: 'paid' },
      experiment: { status: 'PAUSED', previousStatus: 'RUNNING' },
      alarm: { state: 'BREACHED', variation: { key: 'on' }, margin: 0.02, dimension: { name: 'os' } },
    })
    expect(await isRunning(rule)).toBe(false)
    expect((await received(rule, digestHook)).map(({ event }) => event)).toEqual(['experiment.results_ready'])
    await refresh(on, rule)
    const { rows } = await sql<{ told: string }>`
      select payload #>> '{experiment,status}' as told from events
      where name = 'experiment.paused' and payload #>> '{experiment,id}' = ${experiment.id}`.execute(on.service.db)
    expect(rows).toEqual([{ told: 'PAUSED' }])
  })

  test('of a plain rule’s guardrail metric has no event, and pauses the rule if its settings say so', async () => {
    const autoPause = { srm: false, traffic: false, guardrailMetric: true }
    const metrics = { guardrails: ['paid'] }
    const rule = await watchedRule(on, 'guarded', abTest('Copy', { metrics, statistics: { autoPause } }))
    await failInEveryWay(on, rule)
    expect(namesOf(await received(rule))).not.toContain('experiment.guardrail_metric_breached GUARDRAIL_METRIC')
    expect(await isRunning(rule)).toBe(false)
    const [pause] = await entriesAbout(rule)
    expect(pause).toMatchObject({ action: 'rule.pause', after: { because: ['GUARDRAIL_METRIC'] } })
    expect(await received(rule, digestHook)).toMatchObject([{ results: { ruleStatus: 'PAUSED' } }])
  })
})

describe('traffic that does not come', () => {
  const autoPause = { srm: false, traffic: true, guardrailMetric: false }
  const beat = (instanceId: string) =>
    on.service.call(null, 'POST', '/api/sdk/heartbeat', {
      ...{ sdkKey: on.project.production.sdkKey, sdkType: 'node', sdkVersion: '1.0.0', instanceId },
    })

  test('is reported once, 6 hours after the start, if SDKs report themselves; pauses if autoPause is on', async () => {
    const rule = await watchedRule(on, 'silent', abTest('Copy', { statistics: { autoPause } }))
    const owned = await watchedRule(on, 'silent-experiment')
    const { id: experimentId } = await ownedByExperiment(on, owned, { ...autoPause, traffic: false })
    const revision = await revisionNow(rule)
    const refreshBoth = async () => {
      for (const each of [rule, owned]) await refresh(on, each)
      return [...(await received(rule)), ...(await received(owned))]
    }
    on.clock.move(6 * hourMs)
    expect(await refreshBoth(), 'no SDK has fetched the rule').toEqual([])
    await beat('silent-1')
    on.clock.move(minuteMs)
    const [ofFlag, ofExperiment, ...others] = await refreshBoth()
    expect(others).toEqual([])
    const silent = {
      ...{ check: 'NO_EXPOSURES', observed: 0, expected: null, threshold: null, variations: [], dimension: null },
      asOf: on.clock.now().toISOString(),
    }
    expect(ofFlag).toMatchObject({
      ...{ event: 'flag.guardrail_breached', rule: { id: rule.id }, triggeredBy: null },
      alarm: { ...silent, revision: { revision }, paused: true },
    })
    expect(ofExperiment).toMatchObject({
      ...{ event: 'experiment.guardrail_breached', experiment: { id: experimentId }, triggeredBy: null },
      alarm: { ...silent, revision: { revision: await revisionNow(owned) }, paused: false },
    })
    expect([await isRunning(rule), await isRunning(owned)]).toEqual([false, true])
    expect(await entriesAbout(rule)).toMatchObject([
      { action: 'rule.pause', actor: 'system watching', after: { because: ['NO_EXPOSURES'] } },
      { action: 'rule.report_traffic', after: { check: 'NO_EXPOSURES', paused: true } },
    ])
    on.clock.move(hourMs)
    expect(await refreshBoth()).toEqual([])
  })

  test('that reaches its cap is reported once, and pauses if autoPause is on', async () => {
    const statistics = { autoPause, maxUnits: 4 }
    const rule = await watchedRule(on, 'capped', abTest('Copy', { statistics }))
    const capped = async (visitors: { on: number; off: number }) => {
      await visit(on, rule, visitors)
      on.clock.move(minuteMs)
      await refresh(on, rule)
      return received(rule)
    }
    expect(await capped({ on: 2, off: 1 })).toEqual([])
    const [told, ...others] = await capped({ on: 0, off: 1 })
    expect([told, others]).toMatchObject([
      {
        ...{ event: 'flag.guardrail_breached', triggeredBy: null },
        alarm: { check: 'TRAFFIC_CAP', observed: 4, expected: null, threshold: 4, revision: null, paused: true },
      },
      [],
    ])
    expect(await isRunning(rule)).toBe(false)
    await succeed(on.service, 'POST', `${rule.path}/run`)
    expect(await capped({ on: 1, off: 0 }), 'it is known').toEqual([])
    expect(await isRunning(rule)).toBe(true)
  })

  test('to one variation is reported once, and again if it fails after it was healthy', async () => {
    const rule = await watchedRule(on, 'starved', abTest('Copy', { statistics: { autoPause } }))
    const started = await revisionNow(rule)
    const starved = async (visitors: { on: number; off: number }) => {
      await visit(on, rule, visitors)
      on.clock.move(minuteMs)
      await refresh(on, rule)
      return received(rule)
    }
    expect(await starved({ on: 19, off: 0 }), 'chance can do this').toEqual([])
    const [first, ...others] = await starved({ on: 1, off: 0 })
    expect(others).toEqual([])
    const { off } = rule.flag.ids
    expect(first).toMatchObject({
      ...{ event: 'flag.guardrail_breached', triggeredBy: null },
      alarm: {
        ...{ check: 'VARIATION_STARVED', variations: [{ id: off, key: 'off' }], dimension: null, paused: true },
        revision: { revision: started },
      },
    })
    await succeed(on.service, 'POST', `${rule.path}/run`)
    expect(await starved({ on: 5, off: 0 }), 'it is known').toEqual([])
    expect(await starved({ on: 0, off: 1 }), 'it has recovered').toEqual([])
    const variations = [
      { variationKey: 'off', weight: 6000 },
      { variationKey: 'on', weight: 4000 },
    ]
    await succeed(on.service, 'PATCH', rule.path, { variations, confirmReassignment: true })
    await succeed(on.service, 'POST', `${on.project.path}/environments/${on.project.production.id}/publish`)
    const split = await revisionNow(rule)
    on.clock.move(minuteMs)
    expect(await starved({ on: 0, off: 30 })).toMatchObject([
      {
        alarm: { check: 'VARIATION_STARVED', variations: [{ key: 'on' }], revision: { revision: split }, paused: true },
      },
    ])
    expect(await isRunning(rule)).toBe(false)
  })
})

describe('the daily results', () => {
  let rule: WatchedRule
  const told = async () => (await received(rule, digestHook)).map(({ results }) => results.asOf)

  test('are sent once a day, from the day after the start, by the first snapshot of the day', async () => {
    rule = await watchedRule(on, 'daily', delivery('For all', { exposures: true }))
    await visit(on, rule, { on: 20, off: 0 })
    await refresh(on, rule)
    expect(await told()).toEqual([])
    on.clock.move(dayMs)
    await refresh(on, rule)
    const first = on.clock.now().toISOString()
    on.clock.move(minuteMs)
    await visit(on, rule, { on: 5, off: 0 })
    await refresh(on, rule)
    expect(await told()).toEqual([first])
  })

  test('are sent only with new data', async () => {
    on.clock.move(dayMs)
    await refresh(on, rule)
    expect(await told()).toEqual([on.clock.now().toISOString()])
    on.clock.move(dayMs)
    await refresh(on, rule)
    expect(await told()).toEqual([])
  })
})

describe('a node that stops, and a second one', () => {
  let rule: WatchedRule
  let other: WatchedRule

  beforeAll(async () => {
    const statistics = { autoPause: { srm: true } }
    rule = await watchedRule(on, 'killed', abTest('Copy', { statistics }))
    other = await watchedRule(on, 'bystander', abTest('Copy'))
    for (const each of [rule, other]) await visit(on, each, { on: 300, off: 100 })
    on.clock.move(dayMs)
  })

  test('after a snapshot: the next run reports it once, also if two run at the same time', async () => {
    await snapshotOfKilledNode(other)
    expect(await received(other)).toEqual([])
    const text = await metricsText()
    expect(text).toMatch(/^svc_watching_lag_seconds 0$/m)
    on.clock.move(minuteMs)
    expect(await metricsText()).toMatch(/^svc_watching_lag_seconds 60$/m)
    await Promise.all([on.service.watching.run(), on.service.watching.run()])
    expect(namesOf(await received(other))).toEqual(['flag.srm_failed SRM'])
  })

  test('in the transaction: nothing of it is stored, the others go on, and it is tried again later', async () => {
    const failures: string[] = []
    const failing = watcher(
      {
        db: on.service.db,
        authorOf: authors([], on.clock.now),
        now: on.clock.now,
        observe: { told: () => undefined, failed: ({ ruleId }) => void failures.push(ruleId) },
        // The statements before it are already sent.
        switching: async () => fail(new Error('killed')),
      },
      fail,
    )
    await snapshotOfKilledNode(rule)
    on.clock.move(minuteMs)
    await snapshotOfKilledNode(other)
    await failing.run()
    expect(failures).toEqual([rule.id])
    await on.service.watching.run()
    expect([await received(rule), await isRunning(rule)]).toEqual([[], true])
    on.clock.move(minuteMs)
    await failing.run()
    expect(failures).toEqual([rule.id, rule.id])
    on.clock.move(minuteMs)
    await on.service.watching.run()
    expect(await isRunning(rule), 'it waits for 2 minutes after the second failure').toBe(true)
    on.clock.move(minuteMs)
    await on.service.watching.run()
    expect(namesOf(await received(rule))).toEqual(['flag.srm_failed SRM'])
    expect(await isRunning(rule)).toBe(false)
  })

  test('an alarm about a rule that was deleted is not sent', async () => {
    const gone = await watchedRule(on, 'gone', abTest('Copy', { statistics: { autoPause: { srm: true } } }))
    await visit(on, gone, { on: 300, off: 100 })
    on.clock.move(dayMs)
    await snapshotOfKilledNode(gone)
    await succeed(on.service, 'DELETE', gone.path)
    await succeed(on.service, 'POST', `${on.project.path}/environments/${on.project.production.id}/publish`)
    await on.service.watching.run()
    expect(await received(gone)).toEqual([])
  })

  test('the metrics count what was reported', async () => {
    const text = await metricsText()
    expect(text).toMatch(/^svc_watching_alarms_total\{check="SRM",paused="true"\} [2-9]/m)
    expect(text).toMatch(/^svc_watching_digests_total [1-9]/m)
    expect(text).toMatch(/^svc_watching_lag_seconds 0$/m)
  })
})

/** The metrics of the watcher alone. */
async function metricsText(): Promise<string> {
  const { text } = await on.service.call(null, 'GET', '/metrics', undefined, metricsBearer)
  return text
    .split('\n')
    .filter((line) => line.startsWith('svc_watching'))
    .join('\n')
}

afterAll(() => expect(on.service.logged()).toContain('a check of a rule failed'))
