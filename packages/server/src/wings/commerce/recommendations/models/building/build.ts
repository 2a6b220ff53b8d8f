import {
  best,
  cosine,
  listsOf,
  mostNeighbours,
  neighbours,
  numbered,
  type ProductContent,
  ranked,
  tokenRows,
} from '@svc/recommend'
import type { Related } from '../../../datasets/index.ts'
import { type Built, built } from './built.ts'
import type { Gathered, Scored } from './gathered.ts'
import { boughtTogether, forYou, viewedTogether } from './learning.ts'

/** What a thread builds, besides products that came before. */
export type Task =
  | { strategy: 'POPULAR' | 'TRENDING'; scored: Scored }
  | { strategy: 'VIEWED_TOGETHER' | 'BOUGHT_TOGETHER' | 'FOR_YOU'; gathered: Gathered }
  | { strategy: 'SIMILAR' }
  | { strategy: 'IMPORTED'; related: Related }

export interface Product extends ProductContent {
  id: string
}

/** A list of the best products is not longer. */
const mostRanked = 100_000

/** Builds the model of a strategy. Equal input gives equal bytes. */
export function build(task: Task, products: readonly Product[]): Built {
  switch (task.strategy) {
    case 'POPULAR':
    case 'TRENDING':
      return listed(task.scored)
    case 'VIEWED_TOGETHER':
      return viewedTogether(task.gathered)
    case 'BOUGHT_TOGETHER':
      return boughtTogether(task.gathered)
    case 'FOR_YOU':
      return forYou(task.gathered)
    case 'SIMILAR':
      return similar(products)
    case 'IMPORTED':
      return imported(task.related)
  }
}

function listed({ productIds, scores }: Scored): Built {
  const { ids, numberOf } = numbered(productIds)
  const byNumber = new Float64Array(ids.length)
  for (const [place, id] of productIds.entries()) byNumber[numberOf(id)!] = scores[place]!
  return built([{ kind: 'RANKED', ids, ranked: ranked(byNumber, mostRanked) }], null)
}

function similar(products: readonly Product[]): Built {
  const sorted = products.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const ids = sorted.map(({ id }) => id)
  return built([{ kind: 'NEIGHBOURS', ids, neighbours: neighbours(tokenRows(sorted), damping) }], null)
}

/** There is no holdout that says more: nobody has looked at the products yet. */
const damping = { beta: cosine.beta, gamma: cosine.gamma }

/** What others have trained: the best of each product. Of a pair that comes twice, the better one counts. */
function imported({ productIds, of, other, scores }: Related): Built {
  const { ids, numberOf } = numbered(productIds)
  const numbers = Uint32Array.from(productIds, (id) => numberOf(id)!)
  const pairsOf: number[][] = ids.map(() => [])
  for (let pair = 0; pair < of.length; pair += 1) pairsOf[numbers[of[pair]!]!]!.push(pair)
  const kept = best(mostNeighbours)
  const lists = pairsOf.map((pairs) => {
    const scoreOf = new Map<number, number>()
    for (const pair of pairs) {
      const number = numbers[other[pair]!]!
      scoreOf.set(number, Math.max(scoreOf.get(number) ?? 0, scores[pair]!))
    }
    for (const [number, score] of scoreOf) kept.offer(number, score)
    return kept.take()
  })
  const found = listsOf(lists.map((list) => list.numbers))
  const inLists = new Float32Array(found.numbers.length)
  for (const [list, { scores: ofList }] of lists.entries()) inLists.set(ofList, found.starts[list])
  return built([{ kind: 'NEIGHBOURS', ids, neighbours: { ...found, scores: inLists } }], null)
}
