import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../../../platform/db/index.ts'
import { inTurnByKey, TooBusy } from '../../../../turns.ts'
import {
  changedItemsAfter,
  type ShelfItem,
  shelfItems,
  shelfItemsAfter,
  visibleRevision,
} from '../../../model/catalog/index.ts'
import { type Placement, placementsOf } from '../placements/index.ts'
import { lastUsed } from './cards.ts'
import { covers, factsOf, type ItemFacts, type ItemTests, testsOf } from './item.ts'
import { changing, emptyShelf, isWorn, type ProjectShelf, takeOff } from './shelf.ts'

/** What a node keeps of a project: its placements, and the shelf that answers them. It is replaced as a whole. */
export interface Held {
  projectId: string
  placements: ReadonlyMap<string, Placement>
  shelf: ProjectShelf
}

/** The shelves of this node. */
export interface Shelves {
  /** The placement with this key. One that is not in memory is looked for in the database, at most once a second. */
  find(projectId: string, key: string): Promise<{ held: Held; placement: Placement } | undefined>
  /** As the database has it now. Calls at once share the work. */
  refresh(projectId: string): Promise<Held>
  /** Also while it is being read: what a notice is about can have come after that had begun. */
  isHeld(projectId: string): boolean
  heldProjects(): string[]
  /**
   * Items of the shelf with all that pages show and requests ask. Those that are gone are left out. With a limit, so are
   * those that are not in memory and come after it.
   */
  itemsOf(held: Held, items: readonly number[], limit?: ColdLimit): Promise<ReadonlyMap<number, ShelfItem>>
}

/**
 * What is read at most for somebody without an account. What was read stays in memory, so the next request finds it and
 * has the same limit for others.
 */
export interface ColdLimit {
  items: number
  ms: number
}

/** Few rows at a time: the embedded database has one connection. */
const portion = 500
const mostCards = 20_000
/** One item can have 50 attributes of 1,000 characters. Of a usual one, texts have about 1,000 in all. */
const mostLettersOfCards = 50_000_000
/** Requests wait while the rows of an answer are read: those of 500 cards were measured to take 30 ms. */
const cardsAtOnce = 100
/** Reads with a limit, of a project. Who waits longer gets what is in memory. */
const limitedReads = { atOnce: 1, waitingAtMost: 10 }
/** Revisions that are certainly kept, with what they have closed. */
const revisionsKept = 10
const unknownMs = 1_000
/** Nobody is shown them, and no request asks for them. */
const unshown = ['description', 'additionalImageLinks']

export function shelves({ db, now }: { db: Db; now: () => Date }): Shelves {
  const held = new Map<string, Held>()
  const cards = cardsOf(held, db)
  const lookedAt = new Map<string, number>()
  const running = new Map<string, Promise<Held>>()
  const waiting = new Map<string, Promise<Held>>()

  async function reload(projectId: string): Promise<Held> {
    const before = held.get(projectId)
    const placements = await placementsOf(db, projectId)
    const { shelf, changed } = await shelfFor(db, projectId, placements, before?.shelf)
    const after = { projectId, placements: new Map(placements.map((each) => [each.key, each])), shelf }
    cards.drop(projectId, changed)
    // Without placements, such as after the project was deleted, nothing is kept of its catalog.
    if (placements.length === 0) held.delete(projectId)
    else held.set(projectId, after)
    return after
  }

  /** One after the other: one that has begun may have read too early. */
  function refresh(projectId: string): Promise<Held> {
    const waits = waiting.get(projectId)
    if (waits) return waits
    const current = running.get(projectId)
    if (!current) return begin(projectId)
    const next = current.then(
      () => begin(projectId),
      () => begin(projectId),
    )
    waiting.set(projectId, next)
    return next
  }

  function begin(projectId: string): Promise<Held> {
    waiting.delete(projectId)
    const work = reload(projectId).finally(() => {
      if (running.get(projectId) === work) running.delete(projectId)
    })
    running.set(projectId, work)
    return work
  }

  return {
    refresh,
    isHeld: (projectId) => held.has(projectId) || running.has(projectId),
    heldProjects: () => [...new Set([...held.keys(), ...running.keys()])],
    itemsOf: cards.of,
    async find(projectId, key) {
      const found = (of: Held | undefined) => {
        const placement = of?.placements.get(key)
        return placement && { held: of!, placement }
      }
      const known = found(held.get(projectId))
      if (known) return known
      // Anybody can ask for a placement that does not exist.
      const at = now().getTime()
      const isRecent = at - (lookedAt.get(projectId) ?? 0) < unknownMs
      if (isRecent) return found(await (running.get(projectId) ?? held.get(projectId)))
      lookedAt.set(projectId, at)
      return found(await refresh(projectId))
    },
  }
}

interface Renewed {
  shelf: ProjectShelf
  /** The ids of the items that changed; undefined if anything can have. */
  changed: ReadonlySet<string> | undefined
}

async function shelfFor(
  db: Db,
  projectId: string,
  placements: readonly Placement[],
  before: ProjectShelf | undefined,
): Promise<Renewed> {
  const tests = testsOf(placements)
  if (placements.length === 0) return { shelf: emptyShelf(tests), changed: undefined }
  const revision = await visibleRevision(db, projectId)
  const isUsable = before !== undefined && before.revision > 0 && covers(before.tests, tests) && !isWorn(before)
  if (isUsable && before.revision === revision) return { shelf: before, changed: new Set() }
  if (isUsable && before.revision < revision && revision - before.revision <= revisionsKept)
    return await moved(db, { projectId, revision }, before)
  return { shelf: await readWhole(db, { projectId, revision }, tests), changed: undefined }
}

/** Reads what changed. What cannot be sold any more leaves the old shelf at once. */
async function moved(db: Db, at: { projectId: string; revision: number }, before: ProjectShelf): Promise<Renewed> {
  const changed = new Set<string>()
  const present: ItemFacts[] = []
  for (let after = ''; ; ) {
    const ids = await changedItemsAfter(db, at, before.revision, after, portion)
    if (ids.length === 0) break
    const gone = new Set(ids)
    for (const item of await shelfItems(db, at, before.tests.unread, ids)) {
      present.push(factsOf(item, before.tests))
      if (item.availability !== 'OUT_OF_STOCK') gone.delete(item.itemId)
    }
    takeOff(before, gone)
    for (const id of ids) changed.add(id)
    after = ids.at(-1)!
    await nextTurn()
  }
  return { shelf: await inTurns(changing(before, { revision: at.revision, changed, present })), changed }
}

async function readWhole(db: Db, at: { projectId: string; revision: number }, tests: ItemTests): Promise<ProjectShelf> {
  const present: ItemFacts[] = []
  for (let after = { productId: '', itemId: '' }; ; ) {
    const items = await shelfItemsAfter(db, at, tests.unread, after, portion)
    for (const item of items) present.push(factsOf(item, tests))
    if (items.length < portion) break
    after = items.at(-1)!
    await nextTurn()
  }
  return inTurns(changing(emptyShelf(tests), { revision: at.revision, changed: new Set(), present }))
}

/** Requests come in between the portions of a work. */
async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await nextTurn()
  }
}

/** The items that were shown last. */
function cardsOf(held: ReadonlyMap<string, Held>, db: Db) {
  const cards = lastUsed<ShelfItem>(mostCards, mostLettersOfCards)
  /** Those who ask for much of one shop keep none of another from its items. */
  const take = inTurnByKey(limitedReads)
  const keyOf = (projectId: string, itemId: string) => `${projectId} ${itemId}`

  async function read({ projectId, shelf }: Held, items: readonly number[], limit?: ColdLimit): Promise<ShelfItem[]> {
    const found: ShelfItem[] = []
    const until = performance.now() + (limit?.ms ?? Number.POSITIVE_INFINITY)
    for (let from = 0; from < items.length && performance.now() < until; from += cardsAtOnce) {
      const ids = items.slice(from, from + cardsAtOnce).map((item) => shelf.itemIds[item]!)
      found.push(...(await shelfItems(db, { projectId, revision: shelf.revision }, unshown, ids)))
      await nextTurn()
    }
    // What was read while the shelf changed is not kept.
    if (held.get(projectId)?.shelf === shelf) for (const card of found) cards.set(keyOf(projectId, card.itemId), card)
    return found
  }

  async function readLimited(of: Held, items: readonly number[], limit: ColdLimit): Promise<ShelfItem[]> {
    try {
      return await take(of.projectId, () => read(of, items, limit))
    } catch (error) {
      if (error instanceof TooBusy) return []
      throw error
    }
  }

  return {
    async of(of: Held, items: readonly number[], limit?: ColdLimit): Promise<ReadonlyMap<number, ShelfItem>> {
      const found = new Map<number, ShelfItem>()
      const missing: number[] = []
      for (const item of items) {
        const key = keyOf(of.projectId, of.shelf.itemIds[item]!)
        const card = held.get(of.projectId)?.shelf === of.shelf ? cards.get(key) : undefined
        if (card) found.set(item, card)
        else missing.push(item)
      }
      if (missing.length === 0) return found
      const wanted = limit ? missing.slice(0, limit.items) : missing
      const cold = limit ? await readLimited(of, wanted, limit) : await read(of, wanted)
      const byId = new Map(cold.map((card) => [card.itemId, card]))
      for (const item of wanted) {
        const card = byId.get(of.shelf.itemIds[item]!)
        if (card) found.set(item, card)
      }
      return found
    },
    drop(projectId: string, changed: ReadonlySet<string> | undefined): void {
      if (changed) for (const itemId of changed) cards.delete(keyOf(projectId, itemId))
      else for (const key of cards.keys()) if (key.startsWith(`${projectId} `)) cards.delete(key)
    },
  }
}
