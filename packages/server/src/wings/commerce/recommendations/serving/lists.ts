import { fromNeighbours, fromSessions, type Model, type Ranked, type StrategyList } from '@svc/recommend'
import type { LiveModel, Strategy } from '../models/live.ts'
import { isStrategy } from '../placements/index.ts'
import { numberOf, type ProjectShelf } from './shelf.ts'

/** Candidates of one strategy. Filters and caps leave most of them. */
const mostOfStrategy = 500
const mostOfRanked = 500

/** What a request says of its visitor, in numbers of the shelf. */
export interface Visit {
  /** The products that the page shows, or that are in the cart. */
  context: readonly number[]
  /** What the visitor has seen before, the latest first. */
  seen: readonly number[]
  /** Only products of this category and those below it; null: all. */
  category: string | null
}

/** The lists of the strategies of a variant, in their order, each made when it is asked for. What has no model has no list. */
export function* listsFor(
  names: readonly string[],
  on: { shelf: ProjectShelf; models: readonly LiveModel[] },
  visit: Visit,
): Generator<StrategyList> {
  for (const name of names) {
    const entries = entriesOf(on.models, name)
    const strategy = entries[0]?.strategy ?? (isStrategy(name) ? name : undefined)
    if (name === 'RECENTLY_VIEWED') yield inTurn(visit.seen)
    else if (strategy !== undefined) yield* listsOf(strategy, entries, on, visit)
  }
}

/** The latest first, whatever the boosts of a placement make of it. */
const inTurn = (seen: readonly number[]): StrategyList => ({
  strategy: 'RECENTLY_VIEWED',
  numbers: [...new Set(seen)],
  scores: [...new Set(seen)].map((_product, place) => 1 / (place + 1)),
})

/** The entries of the newest active model of a strategy, or of the model with this key. */
function entriesOf(models: readonly LiveModel[], name: string): readonly LiveModel[] {
  const first = models.find((model) => (isStrategy(name) ? model.strategy : model.key) === name)
  return first ? models.filter(({ id }) => id === first.id) : []
}

/** What answers if a strategy has nothing to say. */
const instead: Partial<Record<Strategy, Strategy>> = { BOUGHT_TOGETHER: 'VIEWED_TOGETHER', FOR_YOU: 'POPULAR' }

function listsOf(
  strategy: Strategy,
  entries: readonly LiveModel[],
  on: { shelf: ProjectShelf; models: readonly LiveModel[] },
  visit: Visit,
): StrategyList[] {
  const { shelf, models } = on
  for (const { model } of entries) {
    const lists =
      model.kind === 'RANKED' ? rankedLists(model, shelf, visit) : [beside(model, shelf, seenBy(strategy, visit))]
    const found = lists.filter(({ numbers }) => numbers.length > 0)
    if (found.length > 0) return found.map((list) => ({ ...list, strategy }))
  }
  const other = instead[strategy]
  return other === undefined ? [] : listsOf(other, entriesOf(models, other), on, visit)
}

/** The oldest first. A strategy for a visitor looks at everything, one for a product at the page alone. */
const seenBy = (strategy: Strategy, { context, seen }: Visit): number[] =>
  strategy === 'FOR_YOU' ? [...seen.toReversed(), ...context.toReversed()] : [...context]

type Found = Omit<StrategyList, 'strategy'>

function beside(model: Exclude<Model, { kind: 'RANKED' }>, shelf: ProjectShelf, seen: readonly number[]): Found {
  const { toShelf, toModel } = numbering(model, shelf)
  const known = seen.flatMap((product) => (toModel[product]! === -1 ? [] : [toModel[product]!]))
  if (known.length === 0) return { numbers: [], scores: [] }
  return onShelf(recommender(model)(known, [], mostOfStrategy), toShelf, () => true, mostOfStrategy)
}

/** Those of the category. Without a category in the request, those like the product of the page come first. */
function rankedLists(model: Extract<Model, { kind: 'RANKED' }>, shelf: ProjectShelf, visit: Visit): Found[] {
  const { toShelf } = numbering(model, shelf)
  const { categories, categoryPaths } = shelf
  const those = (key: string, isIn: () => ((product: number) => boolean) | null) =>
    kept(shelf, model, key, () => {
      const isWanted = isIn()
      return isWanted ? onShelf(model.ranked, toShelf, isWanted, mostOfRanked) : { numbers: [], scores: [] }
    })
  if (visit.category !== null) {
    const { category } = visit
    const beginning = `${category} > `
    const isBelow = (path: string) => path === category || path.startsWith(beginning)
    return [
      those(`below ${category}`, () => {
        const below = new Set(categoryPaths.flatMap((path, n) => (isBelow(path) ? [n] : [])))
        // Anybody can ask for a category that does not exist: no product has to be looked at.
        return below.size === 0 ? null : (product) => below.has(categories[product]!)
      }),
    ]
  }
  const own = visit.context.length === 0 ? -1 : categories[visit.context[0]!]!
  const all = those('all', () => () => true)
  return own === -1 ? [all] : [those(`in ${own}`, () => (product) => categories[product] === own), all]
}

/** Lists that are the same for all visitors: finding the best of a category goes through all products. */
const keptLists = new WeakMap<ProjectShelf, WeakMap<Model, Map<string, Found>>>()
const mostKept = 500

function kept(shelf: ProjectShelf, model: Model, key: string, make: () => Found): Found {
  const ofShelf = keptLists.get(shelf) ?? new WeakMap<Model, Map<string, Found>>()
  keptLists.set(shelf, ofShelf)
  const ofModel = ofShelf.get(model) ?? new Map<string, Found>()
  ofShelf.set(model, ofModel)
  const known = ofModel.get(key)
  if (known) return known
  const found = make()
  // Those of categories that do not exist would take the place of others.
  if (found.numbers.length > 0) ofModel.set(key, found)
  for (const oldest of ofModel.keys()) {
    if (ofModel.size <= mostKept) break
    ofModel.delete(oldest)
  }
  return found
}

function onShelf({ numbers, scores }: Ranked, toShelf: Int32Array, isIn: (product: number) => boolean, most: number) {
  const found: { numbers: number[]; scores: number[] } = { numbers: [], scores: [] }
  for (let n = 0; n < numbers.length && found.numbers.length < most; n += 1) {
    const product = toShelf[numbers[n]!]!
    if (product === -1 || !isIn(product)) continue
    found.numbers.push(product)
    found.scores.push(scores[n]!)
  }
  return found
}

interface Numbering {
  /** By number of the model: that of the shelf, −1 for a product that is gone. */
  toShelf: Int32Array
  toModel: Int32Array
}

/** Kept while products and model stay. */
const numberings = new WeakMap<readonly string[], WeakMap<Model, Numbering>>()

function numbering(model: Model, { productIds }: ProjectShelf): Numbering {
  const ofShelf = numberings.get(productIds) ?? new WeakMap<Model, Numbering>()
  numberings.set(productIds, ofShelf)
  const known = ofShelf.get(model)
  if (known) return known
  const toShelf = numbersOf(model.ids, productIds)
  const toModel = new Int32Array(productIds.length).fill(-1)
  for (const [number, product] of toShelf.entries()) if (product !== -1) toModel[product] = number
  ofShelf.set(model, { toShelf, toModel })
  return { toShelf, toModel }
}

/** Both lists are in ascending order, as a rule, so that one walk finds all. What is not in its order is looked up. */
function numbersOf(ids: readonly string[], productIds: readonly string[]): Int32Array {
  let next = 0
  let highest = ''
  return Int32Array.from(ids, (id) => {
    if (id < highest) return numberOf(productIds, id)
    highest = id
    while (next < productIds.length && productIds[next]! < id) next += 1
    return productIds[next] === id ? next : -1
  })
}

type Recommend = ReturnType<typeof fromNeighbours>

const recommenders = new WeakMap<Model, Recommend>()

/** They have room for sums over all products, so each is made once. */
function recommender(model: Exclude<Model, { kind: 'RANKED' }>): Recommend {
  const known = recommenders.get(model)
  if (known) return known
  const made =
    model.kind === 'SESSIONS' ? fromSessions(model.index) : fromNeighbours(model.neighbours, model.ids.length)
  recommenders.set(model, made)
  return made
}
