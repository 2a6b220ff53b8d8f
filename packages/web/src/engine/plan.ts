import type { ServedChange } from '../document.ts'
import { createGuard } from './guard.ts'
import { holding, isKept, keep, reclaim, type Slot } from './slots.ts'
import { createWishes, type Wishes } from './wishes.ts'

/** What a plan needs of its page. */
export interface Surroundings {
  document: Document
  /** Calls `work` before the next frame is painted. */
  nextFrame(work: () => void): void
  /** Milliseconds, never going back. */
  nowMs(): number
  /** A change rests from now on: the page has taken it away too often. */
  onConflict(change: ServedChange): void
}

interface Planned {
  change: ServedChange
  wishes: Wishes
  /** What is applied, by the element that the selector has found. */
  applied: Map<Element, OwnSlot[]>
  guard: ReturnType<typeof createGuard>
}

type OwnSlot = Slot<Planned>

/**
 * Applies changes to the elements that their selectors find, now and whenever the page changes, and takes them back from
 * elements that they no longer concern. Where two changes set the same of an element, the later one holds.
 */
export function createPlan(page: Surroundings) {
  const { document } = page
  const made = new WeakSet<Node>()
  const wishesOf = createWishes(made)
  const slots = new Map<Element, Map<string, OwnSlot>>()
  const deferred = new Set<OwnSlot>()
  let plan: Planned[] = []
  const observer = new MutationObserver(() => run())

  /** Replaces the changes of the plan. A change that was in it before stays applied. */
  const set = (changes: readonly ServedChange[]): void => {
    const before = new Map(plan.map((each) => [each.change, each]))
    plan = changes.map(
      (change) => before.get(change) ?? { change, wishes: wishesOf(change), applied: new Map(), guard: createGuard() },
    )
    // In reverse order, so that each finds what it has found when it was applied.
    for (const gone of [...before.values()].reverse())
      if (!plan.includes(gone)) for (const element of gone.applied.keys()) release(gone, element)
    observer.disconnect()
    if (plan.length > 0) observer.observe(document, observed(plan))
    run()
  }

  const run = (): void => {
    for (const each of plan) {
      const found = new Set(document.querySelectorAll(each.change.selector))
      for (const element of each.applied.keys()) if (!found.has(element)) release(each, element)
      for (const element of found) if (!each.applied.has(element) && !made.has(element)) claim(each, element)
    }
    for (const ofElement of slots.values()) for (const slot of ofElement.values()) putBack(slot)
    // What we wrote ourselves is no news.
    observer.takeRecords()
  }

  const claim = (owner: Planned, found: Element): void => {
    const wanted = owner.wishes(found).map(([element, aspect, value]) => {
      const ofElement = slots.get(element) ?? new Map<string, OwnSlot>()
      slots.set(element, ofElement)
      const slot = ofElement.get(aspect.name) ?? { element, own: aspect.read(element), claims: [] }
      ofElement.set(aspect.name, slot)
      reclaim(slot, inOrder([...slot.claims, { owner, aspect, value }]))
      return slot
    })
    owner.applied.set(found, wanted)
  }

  const inOrder = (claims: OwnSlot['claims']) =>
    claims.sort((one, other) => plan.indexOf(one.owner) - plan.indexOf(other.owner))

  const release = (owner: Planned, found: Element): void => {
    for (const slot of owner.applied.get(found)!) {
      const [{ aspect }] = slot.claims as [OwnSlot['claims'][number]]
      reclaim(
        slot,
        slot.claims.filter((claim) => claim.owner !== owner),
      )
      if (slot.claims.length > 0) continue
      const ofElement = slots.get(slot.element)!
      ofElement.delete(aspect.name)
      if (ofElement.size === 0) slots.delete(slot.element)
    }
    owner.applied.delete(found)
  }

  const putBack = (slot: OwnSlot): void => {
    const { guard, change } = holding(slot)!.owner
    if (deferred.has(slot) || guard.rests() || isKept(slot)) return
    const verdict = guard.ask(page.nowMs())
    if (verdict === 'NOW') keep(slot)
    else if (verdict === 'NEVER') page.onConflict(change)
    else {
      deferred.add(slot)
      if (deferred.size === 1) page.nextFrame(putBackDeferred)
    }
  }

  const putBackDeferred = (): void => {
    const late = [...deferred]
    deferred.clear()
    for (const slot of late) if (!isKept(slot)) keep(slot)
    observer.takeRecords()
  }

  return { set }
}

const setBy = {
  TEXT: [],
  HTML: [],
  ATTRIBUTE: [],
  IMAGE: ['src', 'srcset', 'alt'],
  CLASS: ['class'],
  INSERT: [],
  MOVE: [],
}

/** What the plan must hear of: its attributes are those that changes set, and those by which selectors find elements. */
function observed(plan: readonly Planned[]): MutationObserverInit {
  const names = new Set<string>()
  for (const { change } of plan) {
    for (const name of change.type === 'ATTRIBUTE' ? [change.name] : setBy[change.type]) names.add(name)
    if (change.selector.includes('.')) names.add('class')
    if (change.selector.includes('#')) names.add('id')
    for (const [, name] of change.selector.matchAll(/\[\s*([\w-]+)/g)) names.add(name!)
  }
  const attributes = names.size > 0 ? { attributes: true, attributeFilter: [...names] } : {}
  return { childList: true, subtree: true, characterData: true, ...attributes }
}
