import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, standingClock } from '../../../../../testing/clock.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { runsOf } from '../../../../../testing/full.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { leftOversOf, shownItems } from '../../../../../testing/shown-items.ts'
import { newId } from '../../../../platform/ids.ts'

const clock = standingClock()
let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: clock.now })
})
afterAll(() => service.close())
let project: TestProject
beforeEach(async () => {
  project = await createProject(service)
})

const item = (itemId: string, price = '1.00', productId = itemId) => ({
  ...{ itemId, productId, price, title: `Item ${itemId}`, link: 'https://shop.example/', currency: 'EUR' },
})
const save = (body: object) => succeed(service, 'POST', `${project.path}/catalog/items/batch`, body)
const upsert = (...items: object[]) => save({ upsert: items })
const read = (path: string) => succeed(service, 'GET', `${project.path}/${path}`)
const ask = (revision: number | string) =>
  service.call(service.people.admin, 'POST', `${project.path}/catalog/revisions/${revision}/restore`)
const shown = () => shownItems(service, project.id)

async function restored(revision: number) {
  const asked = await ask(revision)
  expect([asked.status, asked.body.error]).toEqual([202, undefined])
  await service.jobs.run()
  return read(`commerce/jobs/${asked.body.data.id}`)
}

test('a restore makes a new revision with the items of an old one', async () => {
  await upsert(item('same'), item('changed'), item('gone', '2.00', 'P'), item('stays', '2.00', 'P'))
  const before = await shown()
  await save({ upsert: [item('changed', '9.00'), item('new')], delete: ['gone'] })
  await upsert(item('changed', '8.00'))
  const job = await restored(1)
  const catalog = { revision: 4, added: 1, changed: 1, removed: 1, unchanged: 2 }
  expect(job).toMatchObject({
    ...{ kind: 'catalog_restore', status: 'SUCCEEDED', trigger: 'REQUEST', reason: null },
    source: { type: 'commerce', id: project.id },
    result: { changed: true, restored: 1, catalog },
  })
  expect([await shown(), await leftOversOf(service, project.id)]).toEqual([before, 0])
  expect(await read('catalog')).toMatchObject({ revision: 4, counts: { items: 4, products: 3 } })
  expect((await read('catalog/revisions'))[0]).toMatchObject({ ...catalog, jobId: job.id, sourceId: null })
  const events = (await read('events?after=0&limit=100')).filter(
    ({ event }: { event: string }) => event === 'catalog.updated',
  )
  expect(events.at(-1)).toMatchObject({
    catalog: { revision: 4, items: 4, products: 3 },
    changes: { added: 1, changed: 1, removed: 1 },
  })
  const [entry] = await succeed(service, 'GET', `/api/v1/audit?projectId=${project.id}&limit=1`)
  expect(entry).toMatchObject({ action: 'catalog.restore', after: { restored: 1, revision: 4, jobId: job.id } })
  // And back again. What is shown already needs no revision.
  await restored(3)
  expect(await shown()).toMatchObject({ changed: '8.0000', new: '1.0000' })
  expect(await restored(5)).toMatchObject({ result: { changed: false, catalog: { revision: 5, unchanged: 4 } } })
})

test('a revision that is not kept cannot be restored', async () => {
  expect(await ask(1)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect((await ask('first')).status).toBe(404)
  for (let at = 0; at < 11; at += 1) await upsert(item('a', `${at + 1}.00`))
  clock.move(8 * 24 * hourMs)
  expect((await ask(1)).status).toBe(404)
  // One that was asked for before.
  const jobId = newId()
  await service.db.transaction().execute((tx) =>
    service.jobs.create(tx, {
      ...{ id: jobId, projectId: project.id, kind: 'catalog_restore', source: { id: project.id, name: 'Shop' } },
      trigger: 'REQUEST',
      ...{ input: { revision: 1 }, now: clock.now() },
    }),
  )
  await service.jobs.run()
  expect(await read(`commerce/jobs/${jobId}`)).toMatchObject({
    ...{ status: 'FAILED', reason: 'The revision is not kept any more.' },
  })
  expect([await shown(), await leftOversOf(service, project.id)]).toEqual([{ a: '11.0000' }, 0])
})

test('the items of a deleted source stay, or a job removes them', async () => {
  const sources = `${project.path}/catalog/sources`
  const { id: sourceId } = await succeed(service, 'POST', sources, { name: 'Feed', type: 'PRODUCTS' })
  await upsert(item('own'), item('a', '1.00', 'P'), item('b', '1.00', 'P'), item('c'))
  // As a sync would have brought them.
  await sql`update catalog_items set source_id = ${sourceId}
    where project_id = ${project.id} and item_id in ('a', 'b')`.execute(service.db)
  const remove = (path: string) => service.call(service.people.admin, 'DELETE', `${sources}/${path}`)
  expect((await remove(`${sourceId}?items=all`)).status).toBe(400)
  expect((await remove(`${sourceId}?items=remove`)).status).toBe(200)
  await service.jobs.run()
  const [job] = await read('commerce/jobs')
  const catalog = { revision: 2, added: 0, changed: 0, removed: 2, unchanged: 2 }
  expect(job).toMatchObject({
    ...{ kind: 'catalog_removal', status: 'SUCCEEDED', source: { id: project.id } },
    result: { changed: true, sourceId, catalog },
  })
  expect([await shown(), await leftOversOf(service, project.id)]).toEqual([{ c: '1.0000', own: '1.0000' }, 0])
  expect((await read('catalog')).counts).toEqual({ items: 2, products: 2 })
  const [entry] = await succeed(service, 'GET', `/api/v1/audit?projectId=${project.id}&limit=1`)
  expect(entry).toMatchObject({ action: 'catalog.remove_items', after: { sourceId, revision: 2, removed: 2 } })
  const orders = await succeed(service, 'POST', sources, { name: 'Orders', type: 'ORDERS' })
  expect(await remove(`${orders.id}?items=remove`)).toMatchObject({ status: 400 })
  expect((await remove(`${orders.id}?items=keep`)).status).toBe(200)
})

const id = fc.constantFrom('a', 'b', 'c', 'd')
const price = fc.constantFrom('1.00', '2.00')
const batch = fc.record({ set: fc.dictionary(id, price), removed: fc.uniqueArray(id) })

test('any revision of random batches comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 2, maxLength: 5 }), fc.nat(4), async (batches, which) => {
      project = await createProject(service)
      const states: [number, Record<string, string>][] = []
      for (const { set, removed } of batches) {
        const sent = { upsert: Object.entries(set).map(([each, price]) => item(each, price)) }
        const { revision } = await save({ ...sent, delete: removed.filter((each) => !(each in set)) })
        states.push([revision, await shown()])
      }
      const [revision, items] = states[which % states.length]!
      if (revision === 0) return
      await restored(revision)
      expect(await shown()).toEqual(items)
      const { counts } = await read('catalog')
      expect(counts).toEqual({ items: Object.keys(items).length, products: Object.keys(items).length })
    }),
    { numRuns: runsOf(12) },
  )
})
