import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import type { Address } from '../testing/databases/address.ts'
import { quiet } from '../testing/databases/templates.ts'
import { isFull } from '../testing/full.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import { callProcess } from '../testing/processes/provisioned.ts'
import { startWithShop } from '../testing/vendors/process-with-shop.ts'
import { csvOf, type Offer, offers } from '../testing/vendors/shop.ts'

const items = 10_000
const rounds = isFull ? 20 : 1
const longestMs = 1_500

test('after kill -9 at any moment of a sync, the catalog is the old feed or the new one, and the sync ends', {
  timeout: 900_000,
}, async () => {
  const { shop, address, settings, service: first } = await startWithShop()
  let service = first
  const call = async (method: string, path: string, body?: object) =>
    (await callProcess(service, method, path, body)).data
  const project = `/api/v1/projects/${(await call('POST', '/api/v1/projects', { name: 'Shop' })).id}`
  const guards = { maxRemovedShare: 1, maxSkippedShare: 1, maxPriceShiftShare: 1, minItems: 0 }
  const made = { name: 'Feed', type: 'PRODUCTS', url: shop.url, guards }
  const sources = `${project}/catalog/sources`
  await call('POST', sources, made)

  let before: readonly Offer[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const after = offers(items, { price: `${round}.00 EUR` }, round * 1_000)
    shop.serve(csvOf(after))
    const { id } = await call('POST', `${sources}/feed/sync`)
    await pause(randomInt(1, longestMs))
    await service.kill()
    expect([priced(before), priced(after)]).toContainEqual(await shown(address))
    service = await startForTest(settings)
    await expect.poll(async () => (await call('GET', `${project}/commerce/jobs/${id}`)).status).toBe('SUCCEEDED')
    expect((await call('GET', `${project}/catalog`)).counts).toEqual({ items, products: items })
    before = after
  }
  expect(await service.stop()).toBe(0)
  expect(await shown(address)).toEqual({ ...priced(before), leftOvers: 0 })
})

const priced = (list: readonly Offer[]) => ({
  count: list.length,
  prices: list.length === 0 ? [] : [Number(list[0]!.price!.slice(0, -4))],
  leftOvers: expect.any(Number),
})

/** What visitors see, and how the killed process left the rest: its lease ends as time would end it. */
async function shown(address: Address) {
  const { db, close } = await openDatabase({ ...address, log: quiet })
  const { rows } = await sql<{ count: number; prices: number[]; leftOvers: number }>`
    select count(*) filter (where from_rev <= revision and (to_rev is null or to_rev > revision))::integer as count,
      coalesce(array_agg(distinct price::integer)
        filter (where from_rev <= revision and (to_rev is null or to_rev > revision)), '{}') as prices,
      count(*) filter (where from_rev > revision or to_rev > revision)::integer as "leftOvers"
    from catalog_items join catalogs using (project_id)`.execute(db)
  await sql`update jobs set leased_until = null where leased_until is not null`.execute(db)
  await close()
  return rows[0]
}
