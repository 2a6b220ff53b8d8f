import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Condition, compileCondition } from '@svc/core'
import type { RankedList } from '@svc/recommend'
import type { Db } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { productsSeenBy } from '../../../measuring/events/index.ts'
import { itemsBoughtBy } from '../../../measuring/orders/index.ts'
import type { LiveModels } from '../models/live.ts'
import type { Placement } from '../placements/index.ts'
import { type Prepared, prepare, shownProduct } from './answer.ts'
import { seenByRequests } from './item.ts'
import type { Recommendations, RequestBody } from './schema.ts'
import type { ProjectShelf } from './shelf.ts'
import type { ColdLimit, Held, Shelves } from './store.ts'

/** What the service knows of visitors. */
export interface History {
  /** Ids of the products that the visitor has seen last, the latest first, and of the items that it bought. */
  of(envId: string, unit: string, wants: { seen: boolean }): Promise<{ seen: string[]; bought: string[] }>
}

const mostRemembered = 50

/** Reads what the main database has. Events that are in ClickHouse are not asked for: an answer cannot wait for them. */
export const historyIn = (db: Db, { hasEvents }: { hasEvents: boolean }): History => ({
  async of(envId, unit, wants) {
    const of = { envId, unit, limit: mostRemembered }
    const [seen, bought] = await Promise.all([
      wants.seen && hasEvents ? productsSeenBy(db, of) : [],
      itemsBoughtBy(db, of),
    ])
    return { seen, bought }
  },
})

export interface Serving {
  shelves: Shelves
  models: LiveModels
  history: History
  now: () => Date
}

interface Wanted {
  held: Held
  placement: Placement
  /** Null: nothing is known of visitors. */
  envId: string | null
  body: Omit<RequestBody, 'sdkKey' | 'placement'>
  /** Of what its filter reads. Left out: everything is read. */
  limit?: ColdLimit
  /** Whether every candidate is told. Left out: those that the list needed. */
  explains?: boolean
}

/** Items of a request with a filter: those of 2,000 candidates with a few variants each. */
const mostFiltered = 10_000
const filteredAtOnce = 250
/** An SDK key is public: anybody can send filters, and choose the products that nobody has in memory. */
export const publicLimit: ColdLimit = { items: 500, ms: 50 }
const nothing = { seen: [], bought: [] }

/** The list of a placement for a request, and the candidates with the reasons why they are not in it. */
export async function recommend(
  { shelves, models, history, now }: Serving,
  { held, placement, envId, body, limit, explains }: Wanted,
): Promise<{ answer: Recommendations; ranked: RankedList }> {
  const at = now()
  const isKnown = placement.history && envId !== null && body.unit !== null
  const [past] = await Promise.all([
    isKnown ? history.of(envId, body.unit!, { seen: body.recent.length === 0 }) : nothing,
    // Without models, the other strategies answer.
    models.ready(held.projectId).catch(() => undefined),
  ])
  const { shelf } = held
  const prepared = prepare({
    ...{ shelf, placement, body, models: models.of(held.projectId), history: past, now: at },
    ...(explains && { explains }),
  })
  const passes =
    prepared && body.filter !== null
      ? await passing(shelves, { held, prepared, filter: body.filter, now: at, ...(limit && { limit }) })
      : null
  const ranked = prepared?.rank(passes) ?? { items: [], candidates: [] }
  const cards = await shelves.itemsOf(
    held,
    ranked.items.map(({ item }) => item),
  )
  const items = ranked.items.flatMap(({ item, score, strategy, isPinned }) => {
    const card = cards.get(item)
    if (!card || card.availability === 'OUT_OF_STOCK') return []
    const { productId, itemId, doc } = card
    return [{ productId, itemId, score, strategy, pinned: isPinned, product: shownProduct(doc, at) }]
  })
  const { key } = placement
  return { answer: { recommendationId: newId(), placement: key, variant: body.variant, items }, ranked }
}

interface Filtering {
  held: Held
  prepared: Prepared
  filter: Condition
  now: Date
  limit?: ColdLimit
}

/**
 * Asks the filter of a request for the items of the candidates alone, few at a time: other requests wait meanwhile. The
 * candidates that strategies put first are asked first. One that cannot be asked within the limit does not pass.
 */
async function passing(
  shelves: Shelves,
  { held, prepared, filter, now, limit }: Filtering,
): Promise<(item: number) => boolean> {
  const items = itemsOf(held.shelf, prepared.products())
  const holds = compileCondition(filter)
  const passed = new Set<number>()
  let asked = 0
  for (const [item, card] of await shelves.itemsOf(held, items, limit)) {
    if (holds(seenByRequests(card, now))) passed.add(item)
    asked += 1
    if (asked % filteredAtOnce === 0) await nextTurn()
  }
  return (item) => passed.has(item)
}

/** A product can have any number of items. */
function itemsOf({ itemStarts }: ProjectShelf, products: readonly number[]): number[] {
  const items: number[] = []
  for (const product of products)
    for (let item = itemStarts[product]!; item < itemStarts[product + 1]!; item += 1) {
      if (items.length >= mostFiltered) return items
      items.push(item)
    }
  return items
}
