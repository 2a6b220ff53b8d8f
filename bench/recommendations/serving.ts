import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { cosine, type Model, neighbours, popular, rowsOf } from '@svc/recommend'
import type { LiveModel } from '../../packages/server/src/wings/commerce/recommendations/models/live.ts'
import { prepare } from '../../packages/server/src/wings/commerce/recommendations/serving/answer.ts'
import { factsOf, testsOf } from '../../packages/server/src/wings/commerce/recommendations/serving/item.ts'
import { changedShelf, emptyShelf } from '../../packages/server/src/wings/commerce/recommendations/serving/shelf.ts'
import { percentile } from '../program.ts'
import { generatedShop, randomOf } from './shop.ts'

const requests = 2_000
const brands = 400

/**
 * Measures the part of an answer that is computed: candidates, filter, boosts, caps. The anchor beside it is a look-up of
 * the same neighbours, sorted, without any of the rest.
 */
export async function run({ millions = '5' }: { millions?: string | undefined }): Promise<void> {
  const shop = generatedShop(Number(millions.split(',')[0]) * 1e6)
  const { productCount } = shop
  const ids = Array.from({ length: productCount }, (_none, n) => `G${String(n).padStart(6, '0')}`)
  const before = process.memoryUsage()
  const placement = placementOf()
  const tests = testsOf([placement])
  const from = performance.now()
  const shelf = changedShelf(emptyShelf(tests), {
    ...{ revision: 1, changed: new Set<string>() },
    present: ids.map((id, n) =>
      factsOf(
        {
          ...{ itemId: id, productId: id, sourceId: null, availability: n % 9 === 0 ? 'OUT_OF_STOCK' : 'IN_STOCK' },
          doc: { price: 10_000 * (n % 97), brand: `Brand ${n % brands}`, categories: ['A', `B${n % 50}`], labels: [] },
        },
        tests,
      ),
    ),
  })
  const shelfMs = performance.now() - from
  const rows = rowsOf(shop.interactions, shop)
  const found = neighbours(rows, cosine)
  const models = [
    live('VIEWED_TOGETHER', { kind: 'NEIGHBOURS', ids, neighbours: found }),
    live('POPULAR', {
      ...{ kind: 'RANKED', ids },
      ranked: popular(shop.interactions, { now: Date.UTC(2026, 10, 1), most: productCount }),
    }),
  ]
  const random = randomOf(7)
  const asked = Array.from({ length: requests }, () => ids[Math.floor(random() ** 2 * productCount)]!)
  const now = new Date()
  const history = { seen: [], bought: [] }
  const answering = (explains: boolean) => (id: string) =>
    prepare({
      ...{ shelf, placement, models, history, now, explains },
      body: { variant: 'default', unit: null, productIds: [id], category: null, recent: [], filter: null, exclude: [] },
    })!.rank(null)
  const lookUp = (id: string) => {
    const product = ids.indexOf(id, Number(id.slice(1)))
    const [start, end] = [found.starts[product]!, found.starts[product + 1]!]
    return [...found.numbers.subarray(start, end)]
      .map((number, n) => [number, found.scores[start + n]!] as const)
      .sort(([, one], [, other]) => other - one)
      .slice(0, 8)
  }
  const grown = process.memoryUsage()
  console.log(
    `\nServing recommendations: ${productCount} products, models of ${shop.interactions.units.length} views, ${requests} requests after as many to warm up, load ${loadavg()[0]!.toFixed(0)}. Target: p50 < 1 ms, p99 < 10 ms. The shelf took ${shelfMs.toFixed(0)} ms; everything takes ${((grown.rss - before.rss) / 2 ** 20).toFixed(0)} MiB.`,
  )
  console.log(
    '| what | p50 µs | p99 µs | most µs | processor p50 µs | processor p99 µs | most processor µs | processor with V8’s threads µs |\n|---|---|---|---|---|---|---|---|',
  )
  print('look-up of the neighbours (anchor)', timed(asked, lookUp))
  print('an answer that tells every candidate, as a preview', timed(asked, answering(true)))
  print('an answer', timed(asked, answering(false)))
}

const live = (strategy: LiveModel['strategy'], model: Model): LiveModel => ({
  ...{ id: strategy, key: strategy.toLowerCase(), strategy, runNumber: 1, model },
})

const placementOf = () => ({
  ...{ name: 'Product page', limit: 8, history: false, includePreorder: false },
  variants: {
    default: {
      ...{ strategies: ['VIEWED_TOGETHER', 'POPULAR'], sameCategory: false, excludeBought: true },
      ...{
        filter: { attribute: 'price', operator: 'lessThan', value: 90 } as const,
        maxPerBrand: 3,
        maxPerCategory: null,
      },
      boosts: [
        { when: { attribute: 'price', operator: 'lessThan', value: 20 } as const, factor: 1.2 },
        { sameAs: 'brand', factor: 1.3 },
      ],
      pins: [{ productId: 'G000099', position: 2, from: null, until: null }],
    },
  },
})

interface Timed {
  us: number[]
  /** Processor time of an answer with the threads of V8, which a busy machine does not change. */
  cpuUs: number
  /** Processor time of each answer in its own thread: the pauses that garbage makes are in it, and waiting is not. */
  threadUs: number[]
}

function timed(asked: readonly string[], act: (id: string) => unknown): Timed {
  for (const id of asked) act(id)
  const before = process.cpuUsage()
  const threadUs: number[] = []
  const us = asked.map((id) => {
    const fromCpu = process.threadCpuUsage()
    const from = performance.now()
    act(id)
    const took = (performance.now() - from) * 1000
    const { user, system } = process.threadCpuUsage(fromCpu)
    threadUs.push(user + system)
    return took
  })
  const { user, system } = process.cpuUsage(before)
  return { us, cpuUs: (user + system) / asked.length, threadUs }
}

function print(what: string, { us, cpuUs, threadUs }: Timed): void {
  const figures = [us, threadUs].flatMap((all) => [percentile(all, 0.5), percentile(all, 0.99), Math.max(...all)])
  console.log(`| ${[what, ...[...figures, cpuUs].map((figure) => figure.toFixed(0))].join(' | ')} |`)
}
