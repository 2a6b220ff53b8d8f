/** Elements that load or run something. Their texts and attributes stay as they are, whatever finds them. */
export const guarded = /^(script|style|link|meta|base|i?frame|object|embed|applet|template|noscript|head|title|html)$/

/** Something of an element that a change sets: its text, an attribute or a class. A value of null means that it has none. */
export interface Aspect {
  /** The same for the same thing of an element: two changes with this name compete. */
  name: string
  read(element: Element): string | null
  write(element: Element, value: string | null): void
  /** It consists of nodes of ours: they go with their change, whatever the page has done meanwhile. */
  isMade?: true
}

/** What changes want of one aspect of one element. The page's own value is kept, for the day when nobody wants any. */
export interface Slot<Owner> {
  element: Element
  own: string | null
  /** In the order of the plan: the last one holds. */
  claims: Claim<Owner>[]
}

interface Claim<Owner> {
  owner: Owner
  aspect: Aspect
  value: string | null
  /** What was there after the value was written: a browser writes styles in its own way. */
  shown?: string | null
}

/** The claim that holds. */
export const holding = <Owner>({ claims }: Slot<Owner>): Claim<Owner> | undefined => claims.at(-1)

export function isKept<Owner>(slot: Slot<Owner>): boolean {
  const claim = holding(slot)
  return !claim || claim.aspect.read(slot.element) === claim.shown
}

function write<Owner>({ element }: Slot<Owner>, claim: Claim<Owner>): void {
  claim.aspect.write(element, claim.value)
  claim.shown = claim.aspect.read(element)
}

/** Writes what is wanted. What the page shows instead is its own value from now on. */
export function keep<Owner>(slot: Slot<Owner>): void {
  const claim = holding(slot)!
  slot.own = claim.aspect.read(slot.element)
  write(slot, claim)
}

/** Changes the claims of a slot, and what the element shows with them. What the page has written over it stays. */
export function reclaim<Owner>(slot: Slot<Owner>, claims: Claim<Owner>[]): void {
  const before = holding(slot)
  const wasKept = isKept(slot)
  slot.claims = claims
  const after = holding(slot)
  if (before?.aspect.isMade && before.aspect !== after?.aspect) before.aspect.write(slot.element, null)
  if (!wasKept || before === after) return
  // The same aspect of another change can be other nodes.
  if (before?.aspect !== after?.aspect && !before?.aspect.isMade) before?.aspect.write(slot.element, slot.own)
  if (after) write(slot, after)
}

export const attribute = (name: string): Aspect => ({
  name: `attribute ${name}`,
  read: (element) => element.getAttribute(name),
  write: (element, value) => (value === null ? element.removeAttribute(name) : setAttribute(element, name, value)),
})

/** Sets an attribute. A strict policy of the page refuses styles that are set as an attribute, but not as a property. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (name === 'style') (element as HTMLElement | SVGElement).style.cssText = value
  else element.setAttribute(name, value)
}

/** A class: present (an empty text) or not (null). */
export const className = (name: string): Aspect => ({
  name: `class ${name}`,
  read: (element) => (element.classList.contains(name) ? '' : null),
  write: (element, value) => void element.classList.toggle(name, value !== null),
})

/**
 * The first text of an element. Its node stays in place, because frameworks keep a reference to it. Of several, the first
 * one counts that shows something. An element without a text gets one.
 */
export function textAspect(): Aspect {
  const nodes = new WeakMap<Element, Text>()
  const nodeOf = (element: Element): Text | undefined => {
    const known = nodes.get(element)
    if (known && element.contains(known)) return known
    const found = firstText(element)
    if (found) nodes.set(element, found)
    return found
  }
  return {
    name: 'text',
    // While the page loads, its own text can come after the element. The parser would add it to ours.
    read: (element) => nodeOf(element)?.data ?? (isLoading(element) ? '' : null),
    write(element, value) {
      const node = nodeOf(element)
      if (value === null) node?.remove()
      else if (node) node.data = value
      else if (!isLoading(element)) {
        const made = element.ownerDocument.createTextNode(value)
        nodes.set(element, made)
        element.prepend(made)
      }
    },
  }
}

const isLoading = ({ ownerDocument }: Element): boolean => ownerDocument.readyState === 'loading'

function firstText(element: Element): Text | undefined {
  // 4: texts
  const walker = element.ownerDocument.createTreeWalker(element, 4)
  let first: Text | undefined
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (guarded.test(node.parentElement!.localName)) continue
    if (node.data.trim()) return node
    first ??= node
  }
  return first
}
