import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { addRule, delivery, newFlag, nobody, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { startTestRoutes } from '../../../../testing/routes.ts'
import { createProject, joinTestService, startTestService, type TestProject } from '../../../../testing/service.ts'
import { saveHeartbeats } from './queries.ts'
import { confirmations } from './worker.ts'

let project: TestProject
let flag: TestFlag
let at = Date.parse('2026-11-20T10:00:00Z')

const service = await startTestService({ now: () => new Date(at) })
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'live' })
})

const beat = async (more: object, node = service) => {
  const sdk = { sdkKey: project.production.sdkKey, sdkType: 'node', sdkVersion: '1.4.0' }
  const { status, body } = await node.call(null, 'POST', '/api/sdk/heartbeat', { ...sdk, ...more })
  expect([status, body]).toEqual([200, { success: true }])
}
const path = () => `${project.path}/environments/${project.production.id}/propagation`
const propagation = (query = '') => succeed(service, 'GET', `${path()}${query}`)
const revision = async () => (await propagation()).currentRevision as number

test('the propagation counts the instances that serve the current revision', async () => {
  const now = await revision()
  await beat({ instanceId: 'old', revision: now - 1 })
  await beat({ instanceId: 'new', revision: now })
  await beat({ instanceId: 'quiet' })
  expect(await propagation()).toMatchObject({
    envId: project.production.id,
    revision: now,
    complete: false,
    instances: { confirmed: 1, behind: 1, silent: 0, untold: 1 },
    revisions: [
      { revision: now, instances: 1 },
      { revision: now - 1, instances: 1 },
    ],
    behind: [{ instanceId: 'old', sdkType: 'node', sdkVersion: '1.4.0', revision: now - 1 }],
  })
  expect(await propagation(`?revision=${now - 1}`)).toMatchObject({ complete: true, instances: { confirmed: 2 } })
})

test('an instance is silent after 90 s without a heartbeat, until the next one', async () => {
  const now = await revision()
  await beat({ instanceId: 'gone', revision: now })
  at += 90_000
  expect(await propagation()).toMatchObject({ instances: { confirmed: 1, silent: 0 } })
  at += 1
  expect(await propagation()).toMatchObject({
    instances: { confirmed: 0, silent: 1 },
    silent: [{ instanceId: 'gone' }],
  })
  await beat({ instanceId: 'gone', revision: now })
  expect(await propagation()).toMatchObject({ instances: { confirmed: 1, silent: 0 } })
})

test('a new revision is recorded at once, with the time of its first heartbeat', async () => {
  await beat({ instanceId: 'a', revision: await revision() })
  at += 1_000
  const { dataFile } = await succeed(service, 'POST', `${flag.production}/run`)
  at += 40
  await beat({ instanceId: 'a', revision: dataFile.revision })
  at += 30_000
  await beat({ instanceId: 'a', revision: dataFile.revision })
  expect(await propagation()).toMatchObject({
    publishedAt: dataFile.publishedAt,
    took: { p50Ms: 40, p99Ms: 40, lastMs: 40, instances: 1 },
  })
})

test('of the pages of a host, the newest script counts: browsers keep an older one for a while', async () => {
  const before = await revision()
  at += 1_000
  const { dataFile } = await succeed(service, 'POST', `${flag.production}/run`)
  const page = (seen: number) => beat({ sdkType: 'web', instanceId: 'web:shop.example', revision: seen })
  for (const seen of [before, dataFile.revision, before]) {
    at += 40
    await page(seen)
  }
  expect(await propagation()).toMatchObject({ complete: true, instances: { confirmed: 1, behind: 0 } })
})

test('a page cannot serve a revision that does not exist yet, so a forged one hides nothing', async () => {
  const now = await revision()
  const beats = ['shop', 'blog'].map((host) => ({ sdkType: 'web', instanceId: `web:${host}.example` }))
  for (const each of beats) await beat({ ...each, revision: 2_000_000 })
  expect((await propagation()).revisions).toEqual([expect.objectContaining({ revision: now, instances: 2 })])
})

test('the time that a past revision took counts only instances with a known time', async () => {
  const before = await revision()
  for (const instanceId of ['steady', 'asleep']) await beat({ instanceId, revision: before })
  at += 1_000
  const { dataFile: past } = await succeed(service, 'POST', `${flag.production}/run`)
  at += 40
  await beat({ instanceId: 'steady', revision: past.revision })
  at += 10_000
  const { dataFile: last } = await succeed(service, 'POST', `${flag.production}/pause`)
  at += 20
  for (const instanceId of ['steady', 'asleep', 'late']) await beat({ instanceId, revision: last.revision })
  const asked = await propagation(`?revision=${past.revision}`)
  expect(asked).toMatchObject({ revision: past.revision, currentRevision: last.revision, instances: { confirmed: 3 } })
  expect([asked.publishedAt, asked.took]).toEqual([
    past.publishedAt,
    { p50Ms: 40, p99Ms: 10_060, lastMs: 10_060, instances: 2 },
  ])
  expect(await propagation()).toMatchObject({ took: { lastMs: 20, instances: 2 } })
  expect(await propagation('?revision=0')).toMatchObject({ publishedAt: null, took: null })
})

test('the last 20 revisions before the current one are kept for each instance', async () => {
  for (let ran = 0; ran < 25; ran++) {
    at += 1_000
    await beat({ instanceId: 'a', revision: await revision() })
    at += 1_000
    await succeed(service, 'POST', `${flag.production}/${ran % 2 === 0 ? 'run' : 'pause'}`)
  }
  const first = (await revision()) - 25
  const tookOf = async (number: number) => (await propagation(`?revision=${number}`)).took
  expect([await tookOf(first + 3), await tookOf(first + 4)]).toMatchObject([null, { lastMs: 1_000 }])
})

test.each([
  ['a negative number', -1],
  ['a fraction', 1.5],
  ['a string', '7'],
  ['too large for PostgreSQL', 2 ** 31],
])('a heartbeat whose revision is %s gets 400 that names the field', async (_what, bad) => {
  const body = { sdkKey: project.production.sdkKey, sdkType: 'node', sdkVersion: '1', revision: bad }
  const answer = await service.call(null, 'POST', '/api/sdk/heartbeat', body)
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^revision must be /)])
})

test('concurrent heartbeats are all stored, the last one of each instance', async () => {
  const beatAll = (revisions: number[]) =>
    Promise.all(revisions.map((revision, place) => beat({ instanceId: `i-${place % 30}`, revision })))
  const stored = async () => (await propagation('?revision=0')).revisions as { revision: number; instances: number }[]
  // Two of an instance arrive in any order.
  await beatAll([...Array<number>(30).fill(0), ...Array<number>(30).fill(1)])
  expect((await stored()).reduce((sum, { instances }) => sum + instances, 0)).toBe(30)
  await beatAll(Array<number>(30).fill(1))
  expect(await stored()).toEqual([{ revision: 1, instances: 30 }])
})

test.each([
  ['not a number', 'x'],
  ['negative', '-1'],
  ['empty', ''],
  ['in the future', '999999'],
])('a revision that is %s gets 400 that names the field', async (_what, bad) => {
  const { status, body } = await service.call(service.people.admin, 'GET', `${path()}?revision=${bad}`)
  expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  expect(body.error.details.issues).toMatchObject([{ path: ['revision'] }])
})

test('the propagation requires projects:read, and other organizations get 404', async () => {
  const { people } = service
  const status = async (who: string | null, url = path()) => (await service.call(who, 'GET', url)).status
  const personal = [people.viewer, people.projectsRead]
  expect(await Promise.all(personal.map((who) => status(who)))).toEqual([200, 200])
  expect(await status(people.flagsWrite)).toBe(403)
  expect(await status(people.stranger)).toBe(404)
  expect(await status(null)).toBe(401)
  expect(await status(people.admin, `${project.path}/environments/${nobody}/propagation`)).toBe(404)
})

const clients = (query = '') =>
  service.call(service.people.admin, 'GET', path().replace('propagation', `clients${query}`))

test('the clients are listed with their revision and state, those behind first', async () => {
  const now = await revision()
  const firstSeenAt = new Date(at).toISOString()
  await beat({ instanceId: 'quiet', revision: now })
  at += 90_001
  await beat({ instanceId: 'ready', revision: now })
  await beat({ sdkType: 'browser', sdkVersion: '2.0.0', instanceId: 'late', revision: now - 1 })
  await beat({})
  const { status, body } = await clients()
  expect(status).toBe(200)
  const lastSeenAt = new Date(at).toISOString()
  const seen = { sdkType: 'node', sdkVersion: '1.4.0', since: lastSeenAt, firstSeenAt: lastSeenAt, lastSeenAt }
  expect(body).toEqual({
    data: [
      {
        ...seen,
        instanceId: 'late',
        sdkType: 'browser',
        sdkVersion: '2.0.0',
        state: 'BEHIND',
        revision: now - 1,
        revisionsBehind: 1,
      },
      {
        ...seen,
        instanceId: 'quiet',
        state: 'SILENT',
        revision: now,
        revisionsBehind: 0,
        since: firstSeenAt,
        firstSeenAt,
        lastSeenAt: firstSeenAt,
      },
      { ...seen, instanceId: null, state: 'UNKNOWN', revision: null, revisionsBehind: null, since: null },
      { ...seen, instanceId: 'ready', state: 'UP_TO_DATE', revision: now, revisionsBehind: 0 },
    ],
    page: { nextCursor: null, hasMore: false },
  })
  expect((await clients('?state=SILENT')).body.data).toMatchObject([{ instanceId: 'quiet' }])
})

test('pages of clients go on where they ended, also if that client is up to date meanwhile', async () => {
  const now = await revision()
  for (const instanceId of ['a', 'b', 'c']) await beat({ instanceId, revision: now - 1 })
  const first = (await clients('?limit=1')).body
  expect(first).toMatchObject({ data: [{ instanceId: 'a', state: 'BEHIND' }], page: { hasMore: true } })
  await beat({ instanceId: 'a', revision: now })
  const second = (await clients(`?limit=2&cursor=${first.page.nextCursor}`)).body
  expect(second).toMatchObject({ data: [{ instanceId: 'b' }, { instanceId: 'c' }], page: { hasMore: true } })
  const filtered = await clients(`?state=BEHIND&cursor=${first.page.nextCursor}`)
  expect([filtered.status, filtered.body.error.details.issues[0].path]).toEqual([400, ['cursor']])
})

test('the clients require flags:read, an unknown state is refused, and other organizations get 404', async () => {
  const { people } = service
  const status = async (who: string | null) =>
    (await service.call(who, 'GET', path().replace('propagation', 'clients'))).status
  expect(await status(people.viewer)).toBe(200)
  expect(await status(people.projectsRead)).toBe(403)
  expect(await status(people.stranger)).toBe(404)
  expect(await status(null)).toBe(401)
  expect((await clients('?state=untold')).body.error.details.issues).toMatchObject([{ path: ['state'] }])
})

test('a pause with ?wait answers when the last instance confirms it', async () => {
  const { dataFile } = await succeed(service, 'POST', `${flag.production}/run`)
  for (const instanceId of ['a', 'b']) await beat({ instanceId, revision: dataFile.revision })
  const paused = succeed(service, 'POST', `${flag.production}/pause?wait=30s`)
  const next = dataFile.revision + 1
  while ((await revision()) < next);
  for (const instanceId of ['a', 'b']) await beat({ instanceId, revision: next })
  expect(await paused).toMatchObject({
    changed: true,
    dataFile: { revision: next },
    propagation: { revision: next, complete: true, instances: { confirmed: 2, behind: 0 }, took: { instances: 2 } },
  })
})

test('a heartbeat on a different node ends the wait too', async () => {
  if (service.database.kind === 'embedded') return
  const other = await joinTestService(service)
  await beat({ instanceId: 'a', revision: await revision() })
  const before = await revision()
  const run = succeed(service, 'POST', `${flag.production}/run?wait=30s`)
  while ((await revision()) === before);
  await beat({ instanceId: 'a', revision: before + 1 }, other)
  expect(await run).toMatchObject({ propagation: { complete: true, instances: { confirmed: 1 } } })
  await other.close()
})

test('the wait ends after its time, and the answer lists the instances that are behind', async () => {
  await beat({ instanceId: 'slow', revision: 0 })
  const { changed, propagation } = await succeed(service, 'POST', `${flag.production}/run?wait=1s`)
  expect(changed).toBe(true)
  expect(propagation).toMatchObject({ complete: false, behind: [{ instanceId: 'slow', revision: 0 }] })
})

/** Reports every new revision at once, as an instance, until the work is done. */
async function whileFollowed(instanceId: string, work: () => Promise<void>) {
  let isOver = false
  const follow = async () => {
    while (!isOver) await beat({ instanceId, revision: await revision() })
  }
  const following = follow()
  await work().finally(() => (isOver = true))
  await following
}

test('every call that changes the data file accepts ?wait, and answers without propagation otherwise', async () => {
  await beat({ instanceId: 'quick', revision: 0 })
  const rule = await addRule(service, flag.production, delivery('all'))
  const calls = [
    ['POST', `${project.path}/environments/${project.production.id}/publish`, undefined],
    ['POST', `${flag.production}/run`, undefined],
    ['POST', `${flag.production}/rules/${rule.id}/run`, undefined],
    ['POST', `${flag.production}/rules/${rule.id}/pause`, undefined],
    ['PATCH', flag.production, { enabled: false }],
    ['POST', `${flag.production}/pause`, undefined],
  ] as const
  await whileFollowed('quick', async () => {
    for (const [method, url, body] of calls) {
      const { propagation } = await succeed(service, method, `${url}?wait=30s`, body)
      expect([url, propagation]).toMatchObject([url, { complete: true, instances: { confirmed: 1 } }])
      expect(await succeed(service, method, url, body)).not.toHaveProperty('propagation')
    }
  })
})

test('a call that repeats a change waits for that change too', async () => {
  const before = await revision()
  await beat({ instanceId: 'slow', revision: before })
  const ran = await succeed(service, 'POST', `${flag.production}/run?wait=1s`)
  expect(ran).toMatchObject({ changed: true, propagation: { complete: false } })
  const again = succeed(service, 'POST', `${flag.production}/run?wait=30s`)
  const published = succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish?wait=30s`)
  await beat({ instanceId: 'slow', revision: ran.dataFile.revision })
  const confirmed = { changed: false, propagation: { complete: true, instances: { confirmed: 1 } } }
  expect(await again).toMatchObject(confirmed)
  expect(await published).toMatchObject(confirmed)
})

test('a call that cannot change the data file answers at once, even if instances are behind', async () => {
  await beat({ instanceId: 'slow', revision: 0 })
  const behind = { propagation: { complete: false, instances: { behind: 1 } } }
  const staged = { defaultVariationId: flag.ids.on }
  expect(await succeed(service, 'PATCH', `${flag.production}?wait=30s`, staged)).toMatchObject(behind)
  const dryRun = `${project.path}/environments/${project.production.id}/publish?wait=30s`
  expect(await succeed(service, 'POST', dryRun, { dryRun: true })).toMatchObject(behind)
})

test('an instance that reports a future revision has not confirmed the current one', async () => {
  const now = await revision()
  await beat({ instanceId: 'from-a-backup', revision: now + 1 })
  expect(await propagation()).toMatchObject({ instances: { confirmed: 0, untold: 1 }, revisions: [] })
})

test('instance 1,001 replaces a silent one; if none is silent, the answer has full: true', async () => {
  const now = await revision()
  const { id: envId } = project.production
  const beats = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({
      sdkType: 'browser',
      sdkVersion: '1',
      instanceId: `page-${from + index}`,
      revision: now,
      sdkKeys: [],
    }))
  await saveHeartbeats(service.db, envId, beats(0, 990), new Date(at))
  at += 60_000
  await saveHeartbeats(service.db, envId, beats(990, 1_000), new Date(at))
  at += 31_000
  await saveHeartbeats(service.db, envId, beats(995, 1_005), new Date(at))
  await beat({ instanceId: 'server', revision: now - 1 })
  const { instances, behind, silent, ...rest } = await propagation()
  expect([instances, behind]).toMatchObject([
    { confirmed: 15, behind: 1, silent: 984, untold: 0 },
    [{ instanceId: 'server' }],
  ])
  expect([rest.full, rest.complete, silent.length]).toEqual([false, false, 100])
  await saveHeartbeats(service.db, envId, beats(2_000, 3_000), new Date(at))
  await beat({ instanceId: 'server', revision: now })
  expect(await propagation()).toMatchObject({
    full: true,
    complete: false,
    instances: { confirmed: 1_000, behind: 0, silent: 0 },
  })
})

test.each(['0s', '31s', '5', '5000ms', '1.5s', '-1s', ''])(
  'a wait of "%s" gets 400 that names the field, without any effect',
  async (wait) => {
    const { status, body } = await service.call(service.people.admin, 'POST', `${flag.production}/run?wait=${wait}`)
    expect([status, body.error.details.issues]).toMatchObject([400, [{ path: ['wait'] }]])
    expect((await succeed(service, 'POST', `${flag.production}/pause`)).changed).toBe(false)
  },
)

test('a node that shuts down ends the wait and answers the call', async () => {
  const node = await startTestService()
  const own = await createProject(node)
  const { production } = await newFlag(node, own, { key: 'live' })
  const sdk = { sdkKey: own.production.sdkKey, sdkType: 'node', sdkVersion: '1', instanceId: 'slow', revision: 0 }
  await node.call(null, 'POST', '/api/sdk/heartbeat', sdk)
  const environment = `${own.path}/environments/${own.production.id}`
  const current = async () => (await succeed(node, 'GET', `${environment}/propagation`)).currentRevision
  const before = await current()
  const run = succeed(node, 'POST', `${production}/run?wait=30s`)
  while ((await current()) === before);
  await node.close()
  expect(await run).toMatchObject({ changed: true })
})

test('a caller that disconnects ends the wait', async () => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()]
  await beat({ instanceId: 'slow', revision: 0 })
  const own = confirmations(service.db, () => new Date(at))
  const published = { envId: project.production.id, revision: await revision(), publishedAt: null }
  const app = await startTestRoutes(service, (route) =>
    route({
      method: 'GET',
      url: '/api/v1/waiting',
      operationId: 'wait',
      summary: 'Wait',
      tag: 'Test',
      scope: null,
      data: z.null(),
      async handle({ gone }) {
        begun.resolve()
        ended.resolve(await own.confirm({ published, acts: true, waitMs: 30_000, gone }))
        return { data: null }
      },
    }),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const caller = new AbortController()
  const headers = { authorization: `Bearer ${service.people.admin}` }
  const asked = fetch(`${url}/api/v1/waiting`, { headers, signal: caller.signal }).catch(() => {})
  await begun.promise
  caller.abort()
  await asked
  expect(await ended.promise).toHaveProperty('propagation')
  own.stop()
  await app.close()
})
