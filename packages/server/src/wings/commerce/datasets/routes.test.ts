import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs, standingClock } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
let url: string

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  url = `${project.path}/datasets`
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  service.call(service.people.admin, method, path, body)
const create = (more: object = {}) =>
  succeed(service, 'POST', url, { name: 'Behaviour', kind: 'INTERACTIONS', ...more })
const read = (path: string) => succeed(service, 'GET', `${url}/${path}`)

/** Visitors view products, `each` times. */
async function viewed(products: string[], each = 1, agoMs = hourMs) {
  const events = products.flatMap((productId) =>
    Array.from({ length: each }, (_, n) => ({
      ...{ type: 'track', id: randomUUID(), unit: `u-${n}`, eventKey: 'product_viewed', properties: { productId } },
      ts: clock.now().getTime() - agoMs,
    })),
  )
  const body = { sdkKey: project.production.sdkKey, events }
  expect((await service.call(null, 'POST', '/api/sdk/v1/events', body)).body.rejected).toEqual([])
}

async function derived(key = 'behaviour') {
  const asked = await call('POST', `${url}/${key}/versions`)
  expect([asked.status, asked.body.error]).toEqual([202, undefined])
  await service.jobs.run()
  const job = await succeed(service, 'GET', `${project.path}/commerce/jobs/${asked.body.data.id}`)
  return { job, versions: await read(`${key}/versions`) }
}
const events = async (name: string) => {
  const { body } = await call('GET', `${project.path}/events?after=0&limit=100`)
  return body.data.filter(({ event }: { event: string }) => event === name)
}
const item = (itemId: string) => ({
  ...{ itemId, title: itemId, link: `https://shop.example/${itemId}`, price: '1.00', currency: 'EUR' },
})

describe('a version', () => {
  test('is derived from events and orders, and goes live', async () => {
    const dataset = await create()
    expect(dataset).toMatchObject({
      ...{ key: 'behaviour', kind: 'INTERACTIONS', schedule: null, activeVersion: null },
      derivation: {
        ...{ envId: project.production.id, windowDays: 90 },
        actions: { product_viewed: 1, added_to_cart: 3, order: 5 },
      },
      guards: { maxRowDrop: 0.5, maxUnknownShare: 0.2 },
    })
    await viewed(['G1', 'G2'], 3)
    const order = { orderId: '1', currency: 'EUR', total: '5', items: [{ itemId: 'G3', quantity: 1, price: '5' }] }
    const ordered = { type: 'order', id: randomUUID(), ts: clock.now().getTime() - 1, unit: 'buyer', order }
    await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey: project.production.sdkKey, events: [ordered] })
    const { job, versions } = await derived()
    const [version] = versions
    expect(versions).toEqual([
      {
        ...{ id: version.id, number: 1, jobId: job.id, status: 'READY', isActive: true },
        ...{ rows: 7, units: 4, products: 3, through: clock.now().toISOString() },
        from: new Date(clock.now().getTime() - 90 * dayMs).toISOString(),
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
        checks: [
          { check: 'ROW_DROP', status: 'SKIPPED', value: null, limit: 0.5 },
          { check: 'UNKNOWN_PRODUCTS', status: 'SKIPPED', value: null, limit: 0.2 },
        ],
        ...{ createdAt: clock.now().toISOString(), activatedAt: clock.now().toISOString() },
      },
    ])
    expect(job).toMatchObject({
      ...{ kind: 'dataset_refresh', status: 'SUCCEEDED', source: { id: dataset.id, name: 'Behaviour' } },
      result: { changed: true, versionId: version.id, number: 1, rows: 7 },
    })
    expect(await events('dataset.version.activated')).toMatchObject([
      {
        ...{ kind: 'dataset_refresh', source: { type: 'commerce', id: dataset.id }, triggeredBy: null },
        job: { id: job.id },
        dataset: { id: dataset.id, key: 'behaviour', name: 'Behaviour', version: 1, rows: 7 },
      },
    ])
    expect((await read(`behaviour/versions/${version.id}/sample`)).slice(-1)).toEqual([
      { unit: 'buyer', productId: 'G3', action: 'order', at: expect.any(String), weight: 5 },
    ])
    expect((await read('behaviour')).activeVersion).toEqual({ id: version.id, number: 1, rows: 7 })
  })

  test('with the rows of the active one is none', async () => {
    await create()
    await viewed(['G1'])
    await derived()
    const { job, versions } = await derived()
    expect([job.status, job.result.changed, versions.length]).toEqual(['SUCCEEDED', false, 1])
    expect(await events('dataset.version.activated')).toHaveLength(1)
  })

  test('is held if the catalog lacks its products, and goes live by a person', async () => {
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, { upsert: ['G1', 'G2', 'G3'].map(item) })
    const { id } = await create()
    await viewed(['G1', 'G2', 'G3', 'lost'])
    const { job, versions } = await derived()
    const reason = '25 % of the rows have a product that the catalog does not have; the limit is 20 %.'
    expect([job.status, job.reason, versions[0].status, versions[0].isActive]).toEqual(['HELD', reason, 'HELD', false])
    expect(await events('commerce.job_failed')).toMatchObject([{ source: { id }, kind: 'dataset_refresh', reason }])
    const chosen = await call('POST', `${url}/behaviour/versions/${versions[0].id}/activate`, {})
    expect([chosen.status, chosen.body.data]).toMatchObject([200, { status: 'READY', isActive: true }])
    expect(await events('dataset.version.activated')).toMatchObject([
      { job: null, link: `http://svc.test/projects/${project.id}/commerce/datasets/${id}`, dataset: { version: 1 } },
    ])
  })

  test('that is held goes live when its job is applied', async () => {
    await succeed(service, 'POST', `${project.path}/catalog/items/batch`, { upsert: [item('G1')] })
    await create()
    await viewed(['lost'])
    const { job } = await derived()
    await succeed(service, 'POST', `${project.path}/commerce/jobs/${job.id}/apply`)
    await service.jobs.run()
    expect(await read('behaviour/versions')).toMatchObject([{ number: 1, isActive: true }])
  })

  test('with half of the rows fewer is held, and a rollback goes to and fro', async () => {
    await create({ derivation: { windowDays: 1 } })
    await viewed(['G1', 'G2', 'G3'])
    await derived()
    clock.move(dayMs)
    await viewed(['G1'])
    const { job, versions } = await derived()
    expect(job.reason).toBe('67 % of the rows of the active version would be gone; the limit is 50 %.')
    const rollBack = () => call('POST', `${url}/behaviour/rollback`)
    expect((await rollBack()).body.error.message).toBe('No other version was active before.')
    await call('POST', `${url}/behaviour/versions/${versions[0].id}/activate`, {})
    clock.move(1)
    expect((await rollBack()).body.data).toMatchObject({ number: 1, isActive: true })
    clock.move(1)
    expect((await rollBack()).body.data).toMatchObject({ number: 2, isActive: true })
    const { rows } = await sql<{ action: string }>`
      select action from audit_entries where project_id = ${project.id} and action like 'dataset.%'
      order by seq`.execute(service.db)
    const chosen = Array(3).fill('dataset.activate')
    expect(rows.map(({ action }) => action)).toEqual(['dataset.create', 'dataset.refresh', ...chosen])
  })
})

describe('a dataset of NEIGHBOURS', () => {
  const file = 'productId,relatedId,score\nG1,G2,0.5\nG1,G3,2\nG2,G1,1\n'
  const send = (text: string | undefined, type = 'text/csv') =>
    service.call(service.people.admin, 'POST', `${url}/trained/versions`, text, { 'content-type': type })
  const neighbours = (more: object = {}) => create({ name: 'Trained', kind: 'NEIGHBOURS', ...more })

  test('takes a file, and a model of IMPORTED serves it', async () => {
    expect(await neighbours()).toMatchObject({ derivation: null })
    const { status, body } = await send(file)
    expect([status, body.data]).toMatchObject([202, { kind: 'dataset_refresh', trigger: 'UPLOAD' }])
    await service.jobs.run()
    const [version] = await read('trained/versions')
    expect(version).toMatchObject({
      ...{ number: 1, status: 'READY', isActive: true, rows: 3, units: null, products: 2, from: null, through: null },
      jobId: body.data.id,
    })
    expect(await read(`trained/versions/${version.id}/sample`)).toEqual([
      { productId: 'G1', relatedId: 'G2', score: 0.5 },
      { productId: 'G1', relatedId: 'G3', score: 2 },
      { productId: 'G2', relatedId: 'G1', score: 1 },
    ])
    const models = `${project.path}/recommendations/models`
    await succeed(service, 'POST', models, { name: 'Imported', strategy: 'IMPORTED', datasetId: 'trained' })
    await succeed(service, 'POST', `${models}/imported/runs`)
    await service.jobs.run()
    expect(await succeed(service, 'GET', `${models}/imported/runs`)).toMatchObject([{ activated: true, products: 2 }])
  })

  test('takes the same file as no change, and refuses one while a job is open', async () => {
    const { id } = await neighbours()
    await send(file)
    await service.jobs.run()
    const again = await send(JSON.stringify({ productId: 'G1', relatedId: 'G2', score: 0.5 }))
    expect((await send(file)).body.error).toMatchObject({
      code: 'invalid_state',
      details: { references: [{ type: 'job', id: again.body.data.id }] },
    })
    await service.jobs.run()
    expect(await read('trained/versions')).toMatchObject([{ status: 'HELD', isActive: false }, { isActive: true }])
    const same = await send(file)
    await service.jobs.run()
    const job = await succeed(service, 'GET', `${project.path}/commerce/jobs/${same.body.data.id}`)
    expect(job).toMatchObject({ status: 'SUCCEEDED', result: { changed: false, number: 1 } })
    // What has arrived and is no version goes a day later.
    clock.move(2 * dayMs)
    await service.retention.run()
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from dataset_versions where dataset_id = ${id}`.execute(service.db)
    expect(rows[0]!.count).toBe(2)
  })

  test('refuses what it cannot read, and keeps nothing of it', async () => {
    const { id } = await neighbours()
    await create()
    const refused = await send(`${file}G1,G4,free`)
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'Line 5: score must be a number above 0, from about 1e-45 to 3e38.',
    ])
    expect((await send(undefined)).status).toBe(400)
    const derivedOne = await service.call(service.people.admin, 'POST', `${url}/behaviour/versions`, file, {
      'content-type': 'text/csv',
    })
    expect(derivedOne.body.error.message).toBe('A dataset of INTERACTIONS is derived. Send no body.')
    const { rows } = await sql`select from dataset_versions where dataset_id = ${id}`.execute(service.db)
    expect(rows).toEqual([])
    expect((await call('POST', `${url}/behaviour/versions`, {})).status).toBe(202)
  })
})

test('old versions are swept, and neither the last five nor the active one', async () => {
  await create({ guards: { maxRowDrop: 1 } })
  for (let n = 0; n < 7; n += 1) {
    await viewed([`G${n}`])
    await derived()
  }
  const versions = await read('behaviour/versions')
  clock.move(2 * dayMs)
  await call('POST', `${url}/behaviour/versions/${versions.at(-1).id}/activate`, {})
  await service.retention.run()
  expect((await read('behaviour/versions')).map(({ number }: { number: number }) => number)).toEqual([7, 6, 5, 4, 3, 1])
})

test('a dataset that a model learns from cannot be deleted', async () => {
  const { id } = await create()
  const model = { name: 'For you', strategy: 'FOR_YOU', datasetId: 'behaviour' }
  const made = await succeed(service, 'POST', `${project.path}/recommendations/models`, model)
  expect(made.datasetId).toBe(id)
  const refused = await call('DELETE', `${url}/behaviour`)
  expect([refused.status, refused.body.error.details.references]).toEqual([
    409,
    [{ type: 'recommendation_model', id: made.id }],
  ])
  await call('DELETE', `${project.path}/recommendations/models/${made.key}`)
  expect((await call('DELETE', `${url}/behaviour`)).status).toBe(200)
})

test.each<[object, string, string]>([
  [{ kind: 'NEIGHBOURS', derivation: {} }, 'derivation', 'Only a dataset of INTERACTIONS is derived'],
  [{ kind: 'NEIGHBOURS', schedule: { every: 'DAY', at: '03:00' } }, 'schedule', 'Only a dataset of INTERACTIONS'],
  [{ derivation: { windowDays: 91 } }, 'derivation.windowDays', 'at most 90: older events are not kept'],
  [{ derivation: null }, 'derivation', 'cannot be null'],
  [{ derivation: { envId: randomUUID() } }, 'derivation.envId', 'There is no such environment'],
])('a dataset with %j is refused', async (more, field, message) => {
  const { status, body } = await call('POST', url, { name: 'Refused', kind: 'INTERACTIONS', ...more })
  const [issue] = body.error.details.issues
  expect([status, issue.path.join('.')]).toEqual([400, field])
  expect(issue.message).toContain(message)
})
