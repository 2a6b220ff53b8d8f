import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { isFull, rowsOf } from '../../../../../testing/full.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../../testing/service.ts'
import { leftOversOf, shownItems } from '../../../../../testing/shown-items.ts'
import { csvOf, type Offer, offers, openShop, type Shop } from '../../../../../testing/vendors/shop.ts'
import { JobFailure, type JobKind, type Run } from '../../../../platform/jobs/index.ts'
import { authors } from '../../../../platform/outbox.ts'
import { sealWith } from '../../../../platform/seal.ts'
import { syncJobs } from './worker.ts'

const clock = standingClock()
const { now } = clock
let shop: Shop
let first: TestService
let second: TestService
beforeAll(async () => {
  shop = await openShop()
  // Jobs run when the test says so.
  const settings = { SVC_ROLE: 'api' }
  first = await startTestService({ now, outbound: shop.outbound, settings })
  second = await startTestService({ now, outbound: shop.outbound, address: first.address, settings: first.settings })
})
afterAll(async () => {
  await second.stop()
  await first.close()
  await shop.close()
})

const guards = { maxRemovedShare: 1, maxSkippedShare: 1, maxPriceShiftShare: 1, minItems: 0 }
const connect = ({ path }: TestProject, more: object = {}) =>
  succeed(first, 'POST', `${path}/catalog/sources`, {
    ...{ name: 'Main feed', type: 'PRODUCTS', url: shop.url, defaultCurrency: 'EUR', guards },
    ...more,
  })
const ask = ({ path }: TestProject) => succeed(first, 'POST', `${path}/catalog/sources/main-feed/sync`)
const priced = (list: readonly Offer[]) =>
  Object.fromEntries(
    list.map(({ id, price = '10.00 EUR' }) => [id, `${Number.parseFloat(price).toFixed(2)}00`] as const).toSorted(),
  )

/**
 * The kind on a node that dies at its write number `at`, before it or right after its commit: it does nothing more, and
 * leaves what it has written.
 */
function dying(at: number, when: 'BEFORE' | 'AFTER'): { kind: JobKind; hasDied: () => boolean } {
  let writes = 0
  let isDead = false
  const die = (): never => {
    isDead = true
    // So that this node does not take the job again.
    throw new JobFailure('The node has died.', { isTransient: true })
  }
  const db = new Proxy(second.db, {
    get(target, name) {
      const value: unknown = isDead ? die() : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const kind = syncJobs({
    ...{ db, outbound: shop.outbound, now, baseUrl: first.baseUrl },
    ...{ seal: sealWith(randomBytes(32)), authorOf: authors([], now) },
  })[0]!
  const mortal = (run: Run): Run => ({
    ...run,
    async write(work) {
      writes += 1
      if (isDead || (writes === at && when === 'BEFORE')) die()
      const result = await run.write(work)
      return writes === at ? die() : result
    },
  })
  return { kind: { ...kind, run: (run) => kind.run(mortal(run)) }, hasDied: () => isDead }
}

// What is left before a write is what was left after the one before it.
test.each(rowsOf({ BEFORE: 'BEFORE', AFTER: 'AFTER' } as const, ['AFTER']))(
  'a node that dies %s any write leaves the old feed or the new one, and another node ends the job',
  async (_name, when) => {
    const project = await createProject(first)
    const projectId = project.id
    await connect(project)
    const [old, next] = [offers(900), [...offers(300, { price: '11 EUR' }), ...offers(800, {}, 600)]]
    let [shown, wanted] = [[] as Offer[], old]
    let died = 0
    for (let at = 1, isAlive = false; !isAlive; at += 1) {
      shop.serve(csvOf(wanted))
      const { id } = await ask(project)
      const { kind, hasDied } = dying(at, when)
      first.jobs.add(kind)
      await first.jobs.run()
      isAlive = !hasDied()
      if (!isAlive) {
        died += 1
        expect([priced(shown), priced(wanted)]).toContainEqual(await shownItems(first, projectId))
        clock.move(minuteMs)
        await second.jobs.run()
      }
      const { status, result } = await succeed(first, 'GET', `${project.path}/commerce/jobs/${id}`)
      expect([status, result.changed]).toEqual(['SUCCEEDED', true])
      expect(await shownItems(first, projectId)).toEqual(priced(wanted))
      expect(await leftOversOf(first, projectId)).toBe(0)
      const { revision, counts } = await succeed(first, 'GET', `${project.path}/catalog`)
      expect([revision, counts]).toEqual([at, { items: wanted.length, products: wanted.length }])
      ;[shown, wanted] = [wanted, wanted === old ? next : old]
    }
    // To begin, two or three portions, to remove, to become visible.
    expect(died).toBeGreaterThanOrEqual(5)
  },
)

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const row = fc.record({
  id: fc.constantFrom(...ids),
  group: fc.constantFrom('G1', 'G2', 'G3'),
  price: fc.constantFrom('1.00 EUR', '2.00 EUR', 'free'),
  deleted: fc.boolean(),
})

/** What a catalog is after a feed. The first row of an id that can be read counts. */
function after(shown: ReadonlyMap<string, Offer>, feed: readonly Offer[], mode: 'FULL' | 'DELTA'): Map<string, Offer> {
  const good = feed.filter(({ price, deleted }) => deleted || price !== 'free')
  const firsts = new Map(good.toReversed().map((offer) => [offer.id, offer]))
  const broken = new Set(feed.filter((offer) => !good.includes(offer)).map(({ id }) => id))
  const kept = [...shown].filter(([id]) => !firsts.has(id) && (mode === 'DELTA' || broken.has(id)))
  return new Map([...kept, ...[...firsts].filter(([, { deleted }]) => !deleted)])
}

test.each(['FULL', 'DELTA'] as const)('random feeds of a %s source give what a map would have', async (mode) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 10 }), { minLength: 1, maxLength: 5 }), async (feeds) => {
      const project = await createProject(first)
      await connect(project, { mode })
      let shown = new Map<string, Offer>()
      for (const feed of feeds) {
        shop.serve(csvOf(feed))
        await ask(project)
        await second.jobs.run()
        shown = after(shown, feed, mode)
        expect(await shownItems(second, project.id)).toEqual(priced([...shown.values()]))
        const { counts } = await succeed(first, 'GET', `${project.path}/catalog`)
        const products = new Set([...shown.values()].map(({ group }) => group)).size
        expect(counts).toEqual({ items: shown.size, products })
      }
    }),
    { numRuns: isFull ? 5 : 2 },
  )
})
