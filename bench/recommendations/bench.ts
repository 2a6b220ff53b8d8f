import {
  chooseDamping,
  degreesOf,
  fromNeighbours,
  fromRanked,
  fromSessions,
  holdoutFrom,
  type Interactions,
  judged,
  judgeSessions,
  judgeUnits,
  type Lists,
  listCount,
  listOf,
  listsOf,
  type Metrics,
  neighbours,
  popular,
  type Recommend,
  type Rows,
  rankedBy,
  rowsOf,
  sessionIndex,
  sessionsOf,
  splitAt,
} from '@svc/recommend'
import { files, isThere, readMovies, readSerenade, readSplit } from './files.ts'
import { generatedShop, randomOf, type Shop } from './shop.ts'

interface Options {
  millions?: string | undefined
  folder?: string | undefined
}

/**
 * Prints how good recommendations are on public data beside what others publish, and how fast they are computed. Without
 * a folder, the data are those of a generated shop.
 */
export async function run({ folder, millions = '1' }: Options): Promise<void> {
  if (folder === undefined) {
    for (const million of millions.split(',').map(Number))
      judgeShop(`generated shop, ${million} million views`, generatedShop(million * 1e6))
    return
  }
  if (isThere(folder, 'movies')) judgeShop('MovieLens-100K', readMovies(folder))
  for (const split of ['gowalla', 'yelp', 'books'] as const) if (isThere(folder, split)) judgeSplit(folder, split)
  if (isThere(folder, 'serenade')) judgeSerenade(folder)
  const absent = (Object.keys(files) as (keyof typeof files)[]).filter((name) => !isThere(folder, name))
  for (const name of absent) console.log(`\nNot there: ${files[name].join(', ')} in ${folder}.`)
}

/** Everything that a run does: it trains on the past, chooses the damping, judges, and trains on everything. */
function judgeShop(name: string, { interactions, unitCount, productCount }: Shop): void {
  console.log(
    `\n## ${name}: ${count(interactions.units.length)} interactions, ${count(unitCount)} units, ${count(productCount)} products\n`,
  )
  const { before, after } = splitAt(interactions, holdoutFrom(interactions)!)
  const counts = { unitCount, productCount }
  const [train, later] = [rowsOf(before, counts), rowsOf(after, counts)]
  const ranked = popularIn(before, productCount)
  const fallback = fromRanked(ranked)
  const productsWithAny = degreesOf(train).filter((degree) => degree > 0).length
  const chosen = timed('choose β and γ', () => chooseDamping(train, later)) ?? { beta: 0.5, gamma: 0.5 }
  const found = timed('train on the past', () => neighbours(train, chosen), pairsOf(train))
  const judging = { fallback, productsWithAny }
  printUnits(
    `neighbours, β ${chosen.beta}, γ ${chosen.gamma}`,
    timed('judge', () => judgeUnits(train, later, { ...judging, recommend: fromNeighbours(found, productCount) })),
  )
  printUnits('popular', judgeUnits(train, later, { ...judging, recommend: fallback }))
  const past = sessionsOf(before, counts)
  const index = timed(`index ${count(listCount(past))} sessions`, () => sessionIndex(past))
  const ofAfter = sessionsOf(after, counts)
  printSessions(
    'sessions',
    timed('judge', () => judgeSessions(ofAfter, { ...judging, recommend: fromSessions(index) })),
  )
  printSessions(
    'neighbours of the session',
    judgeSessions(ofAfter, { ...judging, recommend: fromNeighbours(found, productCount) }),
  )
  printSessions('popular', judgeSessions(ofAfter, { ...judging, recommend: fallback }))
  const all = timed('rows of everything', () => rowsOf(interactions, counts))
  timed('train on everything', () => neighbours(all, chosen), pairsOf(all))
  console.log(`memory of the process at its largest: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`)
}

const popularIn = (interactions: Interactions, productCount: number) =>
  popular(interactions, {
    now: interactions.at.reduce((latest, at) => Math.max(latest, at), 0),
    most: productCount,
  })

/** Recall@20 and NDCG@20 as BARS publishes them, and what ours should reach. */
const splits = {
  gowalla: {
    name: 'Gowalla',
    published:
      'LightGCN .1820 / .1547, EASE^R .1765 / .1467, SLIM .1699 / .1382, MF-BPR .1627 / .1378, item cosine .1570 / .1214',
    target: '.180 / .147',
  },
  yelp: {
    name: 'Yelp18',
    published:
      'LightGCN .0653 / .0532, EASE^R .0657 / .0552, SLIM .0646 / .0541, MF-BPR .0576 / .0468, item cosine .0639 / .0531',
    target: '.063 / .053',
  },
  books: {
    name: 'Amazon-Books',
    published:
      'LightGCN .0411 / .0318, EASE^R .0710 / .0567, SLIM .0755 / .0602, MF-BPR .0338 / .0261, item cosine .0736 / .0606',
    target: '.070 / .057',
  },
}

function judgeSplit(folder: string, split: keyof typeof splits): void {
  const { name, published, target } = splits[split]
  const { train, test } = readSplit(folder, split)
  const { productCount } = train
  console.log(
    `\n## ${name}: ${count(train.numbers.length)} interactions, ${count(listCount(train))} visitors, ${count(productCount)} products\n`,
  )
  const degrees = degreesOf(train)
  const fallback = fromRanked(rankedBy(degrees.keys(), (product) => degrees[product]!, productCount))
  const judging = { fallback, productsWithAny: degrees.filter((degree) => degree > 0).length }
  const { fit, validation } = validated(train)
  for (const most of [100, 200]) {
    const chosen = timed(`choose β and γ, K = ${most}`, () => chooseDamping(fit, validation, { most }))!
    const found = timed(`train, K = ${most}`, () => neighbours(train, { ...chosen, most }), pairsOf(train))
    const recommend = fromNeighbours(found, productCount)
    printUnits(
      `neighbours, K = ${most}, β ${chosen.beta}, γ ${chosen.gamma}`,
      judgeUnits(train, test, { ...judging, recommend }),
    )
  }
  printUnits('popular', judgeUnits(train, test, { ...judging, recommend: fallback }))
  console.log(`published: ${published}`)
  console.log(`target: ${target}`)
}

/** A tenth of the products of all visitors is kept for the choice, by chance, because the data have no times. */
function validated(train: Rows): { fit: Rows; validation: Lists } {
  const random = randomOf(1)
  const isKept = Uint8Array.from(train.numbers, () => (random() < 0.1 ? 1 : 0))
  const part = (kept: number): Lists =>
    listsOf(
      Array.from({ length: listCount(train) }, (_, unit) => {
        const from = train.starts[unit]!
        return listOf(train, unit).filter((_product, place) => isKept[from + place] === kept)
      }),
    )
  return { fit: { ...part(0), productCount: train.productCount }, validation: part(1) }
}

function judgeSerenade(folder: string): void {
  const { train, test } = readSerenade(folder)
  console.log(`\n## Serenade's example: ${count(listCount(train))} sessions, ${count(train.productCount)} products\n`)
  const index = timed('index', () => sessionIndex(train))
  const found = timed('neighbours', () => neighbours(train, { beta: 0.3, gamma: 0.5 }), pairsOf(train))
  printNext('sessions, L 4, m 1,500, k 300', fromSessions(index), test)
  printNext(
    'sessions, L 2, m 500, k 50, as in its settings',
    fromSessions(sessionIndex(train, 500), { last: 2, similar: 50 }),
    test,
  )
  printNext('neighbours alone', fromNeighbours(found, train.productCount), test)
  console.log('published: HR@20 .6402, MRR@20 .3277; tuned .3401')
  console.log('target: HR .64, MRR .327')
}

/** As Serenade judges itself: all next products count, and only the one that is looked at is left out. */
function printNext(name: string, recommend: Recommend, sessions: readonly number[][]): void {
  let [hits, reciprocal] = [0, 0]
  const timesUs: number[] = []
  for (const session of sessions)
    for (let at = 1; at < session.length; at += 1) {
      const seen = session.slice(0, at)
      const started = performance.now()
      const { numbers } = recommend(seen, seen.slice(-1), judged)
      timesUs.push((performance.now() - started) * 1000)
      const place = numbers.indexOf(session[at]!)
      hits += place === -1 ? 0 : 1
      reciprocal += place === -1 ? 0 : 1 / (place + 1)
    }
  timesUs.sort((one, other) => one - other)
  const [p50, p90] = [0.5, 0.9].map((share) => timesUs[Math.floor(share * timesUs.length)]!.toFixed(0))
  console.log(
    `${name}: HR@20 ${figure(hits / timesUs.length)}, MRR@20 ${figure(reciprocal / timesUs.length)} of ${timesUs.length} predictions, p50 ${p50} µs, p90 ${p90} µs`,
  )
}

/** The pairs that are added up: the squares of the lengths of the rows. */
const pairsOf = (rows: Lists): number =>
  Array.from({ length: listCount(rows) }, (_, row) => listOf(rows, row).length ** 2).reduce(
    (sum, pairs) => sum + pairs,
    0,
  )

/** Prints the processor time, which other programs on the machine hardly change. */
function timed<Result>(what: string, work: () => Result, pairs?: number): Result {
  const started = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(started)
  const seconds = (user + system) / 1e6
  const speed =
    pairs === undefined ? '' : `, ${count(pairs / 1e6)} million pairs, ${count(pairs / seconds / 1e6)} million a second`
  console.log(`${what}: ${seconds.toFixed(2)} s${speed}`)
  return result
}

function printUnits(name: string, metrics: Metrics | null): void {
  if (metrics)
    console.log(
      `${name}: recall@20 ${figure(metrics.recall20!)}, NDCG@20 ${figure(metrics.ndcg20!)}, ${shares(metrics)}`,
    )
}

function printSessions(name: string, metrics: Metrics | null): void {
  if (metrics)
    console.log(`${name}: HR@20 ${figure(metrics.hitRate20!)}, MRR@20 ${figure(metrics.mrr20!)}, ${shares(metrics)}`)
}

const shares = ({ coverage20, fallbackShare }: Metrics): string =>
  `coverage ${figure(coverage20)}, fallback ${figure(fallbackShare)}`

const figure = (value: number): string => value.toFixed(4).replace(/^0/, '')

const count = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })
