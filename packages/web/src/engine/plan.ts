import type { ServedChange } from '../document.ts'
import { createGuard } from './guard.ts'
import { hiddenAttribute } from './nodes.ts'
import { holding, isKept, keep, reclaim, type Slot } from './slots.ts'
import { createWishes, type Wishes } from './wishes.ts'

/** What a plan needs of its page. */
export interface Surroundings {
  document: Document
  /** Calls `work` before the next frame is painted. */
  nextFrame(work: () => void): void
  /** Milliseconds, never going back. */
  nowMs(): number
  /** A change rests from now on: the page has taken it away too often, or it cannot be applied. */
  onRest(change: ServedChange, reason: unknown): void
}

export interface Planned {
  change: ServedChange
  wishes: Wishes
  /** What is applied, by the element that the selector has found. */
  applied: Map<Element, OwnSlot[]>
  guard: ReturnType<typeof createGuard>
  /** It may act once without asking the guard: for the first time, or when the frame has come until which it was put off. */
  isPermitted: boolean
  /** The guard has put it off until the next frame. */
  waits: boolean
  rests: boolean
}

type OwnSlot = Slot<Planned>

/**
 * Applies changes to the elements that their selectors find, now and whenever the page changes, and takes them back from
 * elements that they no longer concern. Where two changes set the same of an element, the later one holds. A change that
 * throws rests, and the others go on.
 */
export function createPlan(page: Surroundings) {
  const { document } = page
  const made = new WeakSet<Node>()
  const wishesOf = createWishes(made)
  let plan: Planned[] = []
  const observer = new MutationObserver(() => run())

  const rest = (each: Planned, reason: unknown): void => {
    each.rests = true
    page.onRest(each.change, reason)
  }
  const safely = (each: Planned, work: () => void): void => {
    try {
      work()
    } catch (reason) {
      rest(each, reason)
    }
  }
  const { claim, release } = createHolds((owner) => plan.indexOf(owner), safely)

  const planned = (change: ServedChange): Planned => ({
    ...{ change, wishes: wishesOf(change), applied: new Map(), guard: createGuard() },
    ...{ isPermitted: true, waits: false, rests: false },
  })

  /** Replaces the changes of the plan, and returns it. A change that was in it before stays applied. */
  const set = (changes: readonly ServedChange[]): readonly Planned[] => {
    const before = new Map(plan.map((each) => [each.change, each]))
    plan = changes.map((change) => before.get(change) ?? planned(change))
    // In reverse order, so that each finds what it has found when it was applied.
    for (const gone of [...before.values()].reverse())
      if (!plan.includes(gone)) for (const element of [...gone.applied.keys()].reverse()) release(gone, element)
    observer.disconnect()
    if (plan.length > 0) observer.observe(document, observed(plan))
    run()
    return plan
  }

  const run = (): void => {
    for (const each of plan) if (!each.rests) safely(each, () => look(each))
    observer.takeRecords() // What we wrote ourselves is no news.
  }

  /** Does what is to be done for a change: at once, before the next frame, or never again. */
  const look = (each: Planned): void => {
    const found = new Set(document.querySelectorAll(each.change.selector))
    for (const element of [...each.applied.keys()].reverse())
      if (!found.has(element) && !(each.change.own && document.contains(element) && !lostOf(each, element)[0]))
        release(each, element)
    // In the order of the document: several moved elements stand in it at their new place.
    const isNews = (element: Element) => (each.applied.has(element) ? lostOf(each, element)[0] : !made.has(element))
    const concerned = [...found].filter(isNews)
    if (each.waits || !concerned[0]) return
    const verdict = each.isPermitted ? 'NOW' : each.guard.ask(page.nowMs())
    if (verdict === 'NOW') act(each, concerned)
    else if (verdict === 'NEVER') rest(each, 'the page takes it away too often')
    else {
      each.waits = true
      page.nextFrame(() => {
        each.waits = false
        each.isPermitted = true
        run()
      })
    }
  }

  const act = (each: Planned, elements: readonly Element[]): void => {
    each.isPermitted = false
    for (const element of elements)
      if (each.applied.has(element)) for (const slot of lostOf(each, element)) keep(slot)
      else claim(each, element)
  }

  // What has waited for the text of the page waits no longer.
  document.addEventListener('readystatechange', run)
  return { set }
}

/** What the page has taken away from a change. */
const lostOf = (each: Planned, found: Element): OwnSlot[] =>
  each.applied.get(found)!.filter((slot) => holding(slot)?.owner === each && !isKept(slot))

/** Knows what changes hold of which element. */
function createHolds(orderOf: (owner: Planned) => number, safely: (owner: Planned, work: () => void) => void) {
  const slots = new WeakMap<Element, Map<string, OwnSlot>>()
  return {
    claim(owner: Planned, found: Element): void {
      const wanted: OwnSlot[] = []
      owner.applied.set(found, wanted)
      for (const [element, aspect, value] of owner.wishes(found)) {
        const ofElement = slots.get(element) ?? new Map<string, OwnSlot>()
        slots.set(element, ofElement)
        const slot = ofElement.get(aspect.name) ?? { element, own: aspect.read(element), claims: [] }
        ofElement.set(aspect.name, slot)
        wanted.push(slot)
        const claims = [...slot.claims, { owner, aspect, value }]
        reclaim(
          slot,
          claims.sort((one, other) => orderOf(one.owner) - orderOf(other.owner)),
        )
      }
    },
    release(owner: Planned, found: Element): void {
      const held = owner.applied.get(found)!
      owner.applied.delete(found)
      for (const slot of held)
        safely(owner, () => {
          const name = slot.claims[0]?.aspect.name
          reclaim(
            slot,
            slot.claims.filter((claim) => claim.owner !== owner),
          )
          if (name && !slot.claims[0]) slots.get(slot.element)?.delete(name)
        })
    },
  }
}

const setBy = {
  TEXT: [],
  HTML: [hiddenAttribute],
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
  return { childList: true, subtree: true, characterData: true, attributeFilter: [...names] }
}
