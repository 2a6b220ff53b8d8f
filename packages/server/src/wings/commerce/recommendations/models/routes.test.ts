import { randomUUID } from 'node:crypto'
import type { Model } from '@svc/recommend'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { eventStoreOn } from '../../../../../testing/databases/clickhouse.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { newServiceToken } from '../../../../../testing/people.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { JobFailure } from '../../../../platform/jobs/index.ts'
import { authors, systemActor } from '../../../../platform/outbox.ts'
import { repeatedTransactions } from '../../../../platform/transaction.ts'
import type { Happening } from '../../../measuring/events/index.ts'
import { modelOfStrategyIn } from './actions.ts'
import type { LiveModel } from './live.ts'
import { recommendationRun } from './runs/worker.ts'
import type { ModelStore } from './store.ts'
import { shopViews } from './testing/shop.ts'
import { keepModels, modelsIn } from './worker.ts'

const clock = standingClock()
let service: TestService
let live: ModelStore
let project: TestProject
let url: string

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  live = modelsIn(service.db, (error) => {
    throw error
  })
  await keepModels(service.database, live)
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/recommendations/models`
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  service.call(service.people.admin, method, path, body)
const create = (strategy: string, more: object = {}) =>
  succeed(service, 'POST', url, { name: strategy.toLowerCase(), strategy, ...more })

/** Stores what visitors have done: key, product, how long ago, how often. */
async function happened(
  ...events: readonly (readonly [key: string, productId: string, agoMs: number, times?: number])[]
) {
  const sent = events.flatMap(([eventKey, productId, agoMs, times = 1]) =>
    Array.from({ length: times }, (_, n) => ({
      ...{ type: 'track', id: randomUUID(), unit: `u-${n}`, eventKey, properties: { productId } },
      ts: clock.now().getTime() - agoMs,
    })),
  )
  for (let from = 0; from < sent.length; from += 500) {
    const body = { sdkKey: project.production.sdkKey, events: sent.slice(from, from + 500) }
    expect((await service.call(null, 'POST', '/api/sdk/v1/events', body)).body.rejected).toEqual([])
  }
}

/** Stores what visitors of the generated shop have viewed. */
async function viewed(views: readonly Happening[]) {
  const sent = views.map(({ unit, eventKey, at, productId }) => ({
    ...{ type: 'track', id: randomUUID(), unit, eventKey, ts: at, properties: { productId } },
  }))
  for (let from = 0; from < sent.length; from += 500) {
    const body = { sdkKey: project.production.sdkKey, events: sent.slice(from, from + 500) }
    expect((await service.call(null, 'POST', '/api/sdk/v1/events', body)).body.rejected).toEqual([])
  }
}

/** Derives a version of the dataset that a model learns from. */
async function derived() {
  await call('POST', `${project.path}/datasets/behaviour/versions`)
  await service.jobs.run()
}

/** Asks for a run, lets it end, and reads it. */
async function ran(key: string) {
  const asked = await call('POST', `${url}/${key}/runs`)
  expect([asked.status, asked.body.error]).toEqual([202, undefined])
  await service.jobs.run()
  const job = await succeed(service, 'GET', `${project.path}/commerce/jobs/${asked.body.data.id}`)
  const [run] = await runs(key)
  return { job, run }
}
const runs = (key: string) => succeed(service, 'GET', `${url}/${key}/runs`)
const events = async (name: string) => {
  const { body } = await call('GET', `${project.path}/events?after=0&limit=100`)
  return body.data.filter(({ event }: { event: string }) => event === name)
}

/** The products of a list, the best first. */
const listOf = ({ model }: Pick<LiveModel, 'model'>): string[] =>
  model.kind === 'RANKED' ? [...model.ranked.numbers].map((number) => model.ids[number]!) : []
const neighboursOf = (model: Model, id: string): string[] => {
  if (model.kind !== 'NEIGHBOURS') return []
  const { starts, numbers } = model.neighbours
  const at = model.ids.indexOf(id)
  return [...numbers.subarray(starts[at], starts[at + 1])].map((number) => model.ids[number]!)
}
const served = async () => {
  await live.ready(project.id)
  return live.of(project.id)
}

describe('a run', () => {
  test('of POPULAR lets what counts most serve, on every node that holds the project', async () => {
    expect(await served()).toEqual([])
    await happened(['product_viewed', 'G1', hourMs, 4], ['added_to_cart', 'G2', hourMs, 2], ['order_seen', 'G3', 1, 9])
    await happened(['product_viewed', 'G4', 20 * dayMs, 9])
    const model = await create('POPULAR')
    expect(model).toMatchObject({
      ...{ key: 'popular', datasetId: null, schedule: null, activeRun: null },
      settings: { envId: project.production.id, actions: { product_viewed: 1, added_to_cart: 3, order: 5 } },
    })
    const { job, run } = await ran('popular')
    const result = { activated: true, products: 3, metrics: null, reason: null }
    expect(job).toMatchObject({
      ...{ kind: 'recommendation_run', status: 'SUCCEEDED', trigger: 'REQUEST' },
      result: { runId: run.id, runNumber: 1, ...result, bytes: run.bytes },
      source: { type: 'commerce', id: model.id, name: 'popular' },
    })
    expect(run).toMatchObject({ number: 1, jobId: job.id, status: 'SUCCEEDED', ...result, bytes: expect.any(Number) })
    await expect
      .poll(() => live.of(project.id))
      .toMatchObject([{ id: model.id, key: 'popular', strategy: 'POPULAR', runNumber: 1 }])
    expect(listOf((await served())[0]!)).toEqual(['G2', 'G1', 'G4'])
    expect(await succeed(service, 'GET', `${url}/popular`)).toMatchObject({ activeRun: { id: run.id, number: 1 } })
    expect(await events('recommendation.run.completed')).toMatchObject([
      {
        ...{ source: { type: 'commerce', id: model.id }, kind: 'recommendation_run', projectId: project.id },
        link: `http://svc.test/projects/${project.id}/commerce/jobs/${job.id}`,
        run: { id: run.id, activated: true, metrics: null },
      },
    ])
  })

  test('serves nothing any more after its project was deleted, and leaves the memory', async () => {
    await happened(['product_viewed', 'G1', hourMs])
    await create('POPULAR')
    await ran('popular')
    expect(await served()).toHaveLength(1)
    const confirm = { 'x-svc-confirm': (await succeed(service, 'GET', project.path)).key }
    await service.call(service.people.admin, 'DELETE', project.path, undefined, confirm)
    await expect.poll(() => live.of(project.id)).toEqual([])
  })

  test('of TRENDING lets what rises serve', async () => {
    await happened(['product_viewed', 'G1', 3 * dayMs, 200], ['product_viewed', 'G1', hourMs, 14])
    await happened(['product_viewed', 'G2', hourMs, 10], ['product_viewed', 'G3', 2 * dayMs, 10])
    await create('TRENDING')
    await ran('trending')
    expect(listOf((await served())[0]!)).toEqual(['G2'])
  })

  test('of SIMILAR compares products of the catalog that nobody has seen', async () => {
    const item = (itemId: string, title: string, brand: string, more: object = {}) => ({
      ...{ itemId, title, brand, link: `https://shop.example/${itemId}`, price: '1.00', currency: 'EUR' },
      ...more,
    })
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, {
      upsert: [
        item('S1', 'Blue shirt', 'Acme', { categories: ['Shirts'] }),
        item('S2', 'Green shirt', 'Acme', { categories: ['Shirts'] }),
        item('S3', 'Red scarf', 'Acme'),
        item('Ｓ4', 'Kettle', 'Other'),
      ],
    })
    await create('SIMILAR')
    const { run } = await ran('similar')
    expect(run).toMatchObject({ activated: true, products: 3 })
    const [{ model }] = (await served()) as [LiveModel]
    expect(model.ids).toEqual(['S1', 'S2', 'S3', 'Ｓ4'])
    expect(['S1', 'S3', 'Ｓ4'].map((id) => neighboursOf(model, id))).toEqual([['S2', 'S3'], ['S1', 'S2'], []])
  })

  test('with half of the products fewer does not go live, and people can go back and forward', async () => {
    const viewed = (ids: string[]) => happened(...ids.map((id) => ['product_viewed', id, hourMs, 2] as const))
    await viewed(['G1', 'G2', 'G3', 'G4', 'G5'])
    await create('TRENDING')
    const first = await ran('trending')
    clock.move(2 * dayMs)
    await viewed(['G1', 'G2'])
    const second = await ran('trending')
    const reason = 'The model has 2 products, and the active one has 5. At least half of them are needed.'
    expect(second.run).toMatchObject({ number: 2, status: 'SUCCEEDED', activated: false, activatedAt: null, reason })
    expect(second.job).toMatchObject({ status: 'SUCCEEDED', result: { activated: false, reason } })
    expect((await events('recommendation.run.completed')).map(({ run }: { run: object }) => run)).toMatchObject([
      { id: first.run.id, activated: true },
      { id: second.run.id, activated: false },
    ])
    const activate = (id: string) => call('POST', `${url}/trending/runs/${id}/activate`)
    for (const { run } of [second, first]) {
      expect((await activate(run.id)).body.data).toMatchObject({ id: run.id, activated: true })
      await expect.poll(async () => (await served())[0]!.runNumber).toBe(run.number)
      expect((await activate(run.id)).status).toBe(200)
    }
    expect(await events('recommendation_model.updated')).toHaveLength(2)
    const { rows } = await sql<{ action: string }>`
      select action from audit_entries where project_id = ${project.id} and action like 'recommendation_model.%'
      order by seq`.execute(service.db)
    const chosen = Array(2).fill('recommendation_model.activate')
    expect(rows.map(({ action }) => action)).toEqual([
      'recommendation_model.create',
      'recommendation_model.run',
      ...chosen,
    ])
  })

  test('without any product does not go live', async () => {
    await create('POPULAR')
    expect((await ran('popular')).run).toMatchObject({
      products: 0,
      activated: false,
      reason: 'The model has no product.',
    })
    expect(await served()).toEqual([])
  })

  test('that fails says so, and its number is not used again', async () => {
    await happened(['product_viewed', 'G1', hourMs])
    const { id } = await create('POPULAR')
    // Nobody could have saved it.
    await sql`update models set settings = '{"envId":"1","actions":{"a":1}}' where id = ${id}`.execute(service.db)
    const { job, run } = await ran('popular')
    expect([job.status, run]).toMatchObject([
      'FAILED',
      { number: 1, status: 'FAILED', reason: job.reason, bytes: null },
    ])
    expect(await events('commerce.job_failed')).toMatchObject([{ source: { id }, reason: job.reason }])
    expect((await call('POST', `${url}/popular/runs/${run.id}/activate`)).body.error).toMatchObject({
      ...{ code: 'invalid_state', message: 'Only a run that has succeeded can serve.' },
    })
    await call('PATCH', `${url}/popular`, { settings: {} })
    expect((await ran('popular')).run).toMatchObject({ number: 2, activated: true })
  })
})

describe('a run on a dataset', () => {
  const behaviour = () =>
    succeed(service, 'POST', `${project.path}/datasets`, { name: 'Behaviour', kind: 'INTERACTIONS' })

  test('is measured on the last days beside what is popular, and a worse one does not go live', async () => {
    await behaviour()
    await create('VIEWED_TOGETHER', { datasetId: 'behaviour' })
    const before = await ran('viewed-together')
    expect(before.run).toMatchObject({
      status: 'FAILED',
      reason: 'The dataset of the model has no active version yet.',
    })
    const now = clock.now().getTime()
    await viewed(shopViews(now))
    await derived()
    // The first version lets models run that have waited for it.
    const [good] = await succeed(service, 'GET', `${project.path}/recommendations/models/viewed-together/runs`)
    expect(good).toMatchObject({ number: 2, activated: true, products: 200 })
    expect(good.metrics.recall20).toBeGreaterThan(5 * good.metrics.popular.recall20)
    await viewed(shopViews(now, { noise: 1, seed: 3, since: 5 }))
    await derived()
    const { run: bad } = await ran('viewed-together')
    expect(bad).toMatchObject({ number: 3, status: 'SUCCEEDED', activated: false })
    expect(bad.metrics.recall20).toBeLessThan(0.9 * good.metrics.recall20)
    expect(bad.reason).toContain('Recall@20 is ')
    expect((await served())[0]!.runNumber).toBe(2)
    const [{ run }] = (await events('recommendation.run.completed')).toReversed()
    expect(run).toEqual({ id: bad.id, activated: false, metrics: bad.metrics })
  })

  test('of FOR_YOU serves sessions, and neighbours after them', async () => {
    await behaviour()
    await create('FOR_YOU', { datasetId: 'behaviour' })
    await viewed(shopViews(clock.now().getTime()))
    await derived()
    const { run } = await ran('for-you')
    expect(run.metrics).toMatchObject({ recall20: null, mrr20: expect.any(Number) })
    expect(run.metrics.mrr20).toBeGreaterThan(run.metrics.popular.mrr20)
    expect((await served()).map(({ key, model }) => [key, model.kind])).toEqual([
      ['for-you', 'SESSIONS'],
      ['for-you', 'NEIGHBOURS'],
    ])
  })
})

test('a node that dies after any write of a run leaves the old model serving or the new one, and another node ends the run', async () => {
  const context = { db: service.db, events: eventStoreOn(service.database, undefined), now: clock.now }
  const kind = recommendationRun({ ...context, authorOf: authors([], clock.now), baseUrl: service.baseUrl })
  await happened(['product_viewed', 'G0', hourMs, 2])
  await create('POPULAR')
  await ran('popular')
  let died = 0
  for (let at = 1, isAlive = false; !isAlive; at += 1) {
    await happened([`product_viewed`, `G${at}`, hourMs, 2 + at])
    const before = (await served()).map(listOf)
    let writes = 0
    isAlive = true
    const dies = <Result>(result: Result): Result => {
      writes += 1
      if (writes !== at) return result
      isAlive = false
      throw new JobFailure('The node has died.', { isTransient: true })
    }
    service.jobs.add({
      ...kind,
      run: (run) => kind.run({ ...run, write: async (work) => dies(await run.write(work)) }),
    })
    const { id } = (await call('POST', `${url}/popular/runs`)).body.data
    await service.jobs.run()
    const after = Array.from({ length: at + 1 }, (_, n) => `G${at - n}`)
    await live.refreshAll()
    if (!isAlive) expect([before, [after]]).toContainEqual((await served()).map(listOf))
    died += isAlive ? 0 : 1
    service.jobs.add(kind)
    clock.move(minuteMs)
    await service.jobs.run()
    expect(await succeed(service, 'GET', `${project.path}/commerce/jobs/${id}`)).toMatchObject({ status: 'SUCCEEDED' })
    await live.refreshAll()
    expect((await served()).map(listOf)).toEqual([after])
    expect(await events('recommendation.run.completed')).toHaveLength(at + 1)
  }
  // To begin, a part, to go live.
  expect(died).toBe(3)
})

test('the slots of a model and a dataset without their environment make no job, which is told once', async () => {
  const { id: envId } = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Gone' })
  const schedule = { every: 'HOUR', at: '00:15', timezone: 'UTC' }
  const popular = await create('POPULAR', { settings: { envId }, schedule })
  const derivation = { envId, actions: { product_viewed: 1 } }
  const views = { name: 'Views', kind: 'INTERACTIONS', derivation, schedule }
  const dataset = await succeed(service, 'POST', `${project.path}/datasets`, views)
  await call('DELETE', `${project.path}/environments/${envId}`)
  for (let slot = 0; slot < 3; slot += 1) {
    clock.move(hourMs)
    await service.jobs.run()
    await service.jobs.watch()
  }
  expect(await succeed(service, 'GET', `${project.path}/commerce/jobs`)).toEqual([])
  const told = await events('commerce.job_failed')
  const reason = 'The environment whose events are read was deleted. Choose another one.'
  expect(told).toMatchObject([
    { reason, job: null },
    { reason, job: null },
  ])
  expect(new Set(told.map(({ source }: { source: { id: string } }) => source.id))).toEqual(
    new Set([popular.id, dataset.id]),
  )
  await succeed(service, 'PATCH', `${url}/popular`, { settings: { envId: project.production.id } })
  clock.move(hourMs)
  await service.jobs.run()
  expect(await runs('popular')).toMatchObject([{ number: 1, status: 'SUCCEEDED' }])
})

test('without its environment, a model and a dataset keep their names to edit, and learn nothing any more', async () => {
  const { id: envId } = await succeed(service, 'POST', `${project.path}/environments`, { name: 'Gone' })
  const popular = await create('POPULAR', { settings: { envId } })
  const datasets = `${project.path}/datasets`
  const kind = { kind: 'INTERACTIONS', derivation: { envId, actions: { product_viewed: 1 } } }
  await succeed(service, 'POST', datasets, { name: 'Views', ...kind })
  expect((await call('DELETE', `${project.path}/environments/${envId}`)).status).toBe(200)
  const why = 'The environment whose events are read was deleted. Choose another one.'
  expect((await ran('popular')).job).toMatchObject({ status: 'FAILED', reason: why, attempt: 1 })
  const { data: job } = (await call('POST', `${datasets}/views/versions`)).body
  await service.jobs.run()
  expect(await succeed(service, 'GET', `${project.path}/commerce/jobs/${job.id}`)).toMatchObject({ reason: why })
  expect(await succeed(service, 'PATCH', `${url}/popular`, { name: 'Best' })).toMatchObject({ name: 'Best' })
  expect(await succeed(service, 'PATCH', `${datasets}/views`, { name: 'Seen' })).toMatchObject({ name: 'Seen' })
  expect((await call('PATCH', `${url}/popular`, { settings: popular.settings })).status).toBe(400)
  await succeed(service, 'PATCH', `${url}/popular`, { settings: { envId: project.production.id } })
})

test('a model has one open job at a time, and cannot be deleted meanwhile', async () => {
  const { id } = await create('SIMILAR')
  await sql`
    insert into jobs (id, project_id, kind, source_id, source_name, queues, status, trigger, due_at, created_at, updated_at)
    values (gen_random_uuid(), ${project.id}, 'recommendation_run', ${id}, 'similar', false, 'QUEUED', 'SCHEDULE',
      now() + interval '90 days', now(), now())`.execute(service.db)
  const again = await call('POST', `${url}/similar/runs`)
  expect([again.status, again.body.data.trigger]).toEqual([200, 'SCHEDULE'])
  const refused = await call('DELETE', `${url}/similar`)
  expect([refused.status, refused.body.error.details.references]).toEqual([
    409,
    [{ type: 'job', id: again.body.data.id }],
  ])
  const cancel = `${project.path}/commerce/jobs/${again.body.data.id}/cancel`
  const ofCatalog = await newServiceToken(service, ['catalog:read', 'catalog:write', 'datasets:write'])
  expect((await service.call(ofCatalog, 'POST', cancel)).body.error).toMatchObject({
    ...{ code: 'scope_missing', details: { scope: 'recommendations:write' } },
  })
  expect((await call('POST', cancel)).status).toBe(200)
  expect((await call('DELETE', `${url}/similar`)).status).toBe(200)
})

test('a placement makes the models of its strategies, and a model that it names cannot be deleted', async () => {
  const placements = `${project.path}/recommendations/placements`
  const placement = (strategies: string[]) => ({ name: strategies.join(), variants: { default: { strategies } } })
  await succeed(service, 'POST', placements, placement(['SIMILAR', 'FOR_YOU', 'RECENTLY_VIEWED']))
  const models = (await call('GET', url)).body.data
  expect(models.map(({ key, strategy }: Record<string, string>) => [key, strategy]).sort()).toEqual([
    ['for-you', 'FOR_YOU'],
    ['similar', 'SIMILAR'],
  ])
  const { id } = await succeed(service, 'POST', placements, placement(['similar']))
  const { data: jobs } = (await call('GET', `${project.path}/commerce/jobs?kind=recommendation_run`)).body
  for (const job of jobs) await call('POST', `${project.path}/commerce/jobs/${job.id}/cancel`)
  const refused = await call('DELETE', `${url}/similar`)
  expect([refused.status, refused.body.error.details.references]).toEqual([409, [{ type: 'placement', id }]])
  await succeed(service, 'PATCH', `${placements}/${id}`, { variants: placement(['SIMILAR']).variants })
  expect((await call('DELETE', `${url}/similar`)).status).toBe(200)
})

test('placements that make models and requests for the jobs behind them never wait for each other in a circle', async () => {
  const before = repeatedTransactions()
  const placements = `${project.path}/recommendations/placements`
  const placement = (strategy: string) => ({ name: strategy, variants: { default: { strategies: [strategy] } } })
  await succeed(service, 'POST', placements, placement('VIEWED_TOGETHER'))
  const [model] = (await call('GET', url)).body.data
  const dataset = `${project.path}/datasets/${model.datasetId}`
  for (const strategy of ['BOUGHT_TOGETHER', 'FOR_YOU']) {
    // Without an open job, each caller tries to make it. Without a version, a placement does so too.
    const { data: jobs } = (await call('GET', `${project.path}/commerce/jobs?status=QUEUED`)).body
    for (const job of jobs) await call('POST', `${project.path}/commerce/jobs/${job.id}/cancel`)
    const answers = await Promise.all([
      call('POST', placements, placement(strategy)),
      ...[1, 2, 3].map(() => call('POST', `${dataset}/versions`)),
    ])
    expect(answers.map(({ status, text }) => (status < 300 ? 'done' : text))).toEqual(answers.map(() => 'done'))
  }
  // The first version lets all three models run.
  const [, ...answers] = await Promise.all([
    service.jobs.run(),
    ...[1, 2, 3].map(() => call('POST', `${url}/${model.id}/runs`)),
  ])
  expect(answers.map(({ status, text }) => (status < 300 ? 'done' : text))).toEqual(answers.map(() => 'done'))
  expect(repeatedTransactions()).toBe(before)
})

test.each<[string, object, string, string]>([
  ['SIMILAR', { settings: { envId: 'production' } }, 'settings.envId', 'Only a model of POPULAR or TRENDING'],
  ['FOR_YOU', {}, 'datasetId', 'A model of FOR_YOU needs a dataset of the kind INTERACTIONS.'],
  ['POPULAR', { settings: { envId: randomUUID() } }, 'settings.envId', 'There is no such environment'],
  ['POPULAR', { settings: { actions: {} } }, 'settings.actions', 'must name at least one event.'],
  ['POPULAR', { settings: { actions: { a: 0 } } }, 'settings.actions.a', 'must be more than 0'],
  ['RECENTLY_VIEWED', {}, 'strategy', 'must be one of POPULAR'],
])('a model of %s with %j is refused', async (strategy, more, field, message) => {
  const { status, body } = await call('POST', url, { name: 'Refused', strategy, ...more })
  const [issue] = body.error.details.issues
  expect([status, issue.path.join('.')]).toEqual([400, field])
  expect(issue.message).toContain(message)
})

test('old runs are swept with what they have built, and neither the last five nor the one that serves', async () => {
  await happened(['product_viewed', 'G1', hourMs])
  await create('POPULAR')
  for (let n = 0; n < 8; n += 1) await ran('popular')
  const [first] = (await runs('popular')).toReversed()
  clock.move(2 * dayMs)
  await call('POST', `${url}/popular/runs/${first.id}/activate`)
  await service.retention.run()
  expect((await runs('popular')).map(({ number }: { number: number }) => number)).toEqual([8, 7, 6, 5, 4, 1])
})

describe('the model that a strategy lacks', () => {
  const wanted = async (strategy: Parameters<typeof modelOfStrategyIn>[4]) => {
    const by = authors([], clock.now)(systemActor('jobs'))
    return service.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ orgId: string }>`
        select org_id as "orgId" from projects where id = ${project.id} for no key update`.execute(tx)
      return modelOfStrategyIn(tx, service, by, { ...rows[0]!, id: project.id }, strategy)
    })
  }

  test('is made once with its schedule and a first run', async () => {
    await happened(['product_viewed', 'G1', hourMs])
    const popular = await wanted('POPULAR')
    expect(await wanted('POPULAR')).toEqual(popular)
    await create('SIMILAR', { name: 'Trending', key: 'other' })
    expect(await wanted('TRENDING')).toMatchObject({ key: 'trending-2' })
    expect(await wanted('RECENTLY_VIEWED')).toBeNull()
    const models = await succeed(service, 'GET', url)
    expect(models).toMatchObject([
      { key: 'trending-2', name: 'Trending 2', schedule: { every: 'HOUR' } },
      { key: 'other' },
      { key: 'popular', name: 'Popular', schedule: { every: 'HOUR', at: '03:45', timezone: 'UTC' } },
    ])
    await service.jobs.run()
    expect(await runs('popular')).toMatchObject([{ activated: true }])
  })

  test('gets a dataset, whose first version lets it run', async () => {
    await viewed(shopViews(clock.now().getTime()).slice(0, 400))
    expect(await wanted('FOR_YOU')).toMatchObject({ key: 'for-you' })
    expect(await wanted('BOUGHT_TOGETHER')).toMatchObject({ key: 'bought-together' })
    expect(await succeed(service, 'GET', `${project.path}/datasets`)).toMatchObject([
      { key: 'behaviour', name: 'Behaviour', schedule: { every: 'DAY', at: '02:45' } },
    ])
    await service.jobs.run()
    expect(await runs('for-you')).toMatchObject([{ activated: true }])
    expect(await runs('bought-together')).toMatchObject([{ activated: true }])
    expect(await wanted('IMPORTED')).toMatchObject({ refusal: 'invalid_state' })
  })
})
