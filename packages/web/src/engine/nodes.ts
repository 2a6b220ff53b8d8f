import type { HtmlNode, Position } from '../document.ts'
import { type Aspect, setAttribute } from './slots.ts'

/** What hides the original of replaced HTML. A rule of the engine's own sheet gives it its meaning. */
export const hiddenAttribute = 'data-svc-hidden'
export const hidingRule = `@layer{[${hiddenAttribute}]{display:none!important}}`

const drawings = 'http://www.w3.org/2000/svg'

/** Elements of ours. Selectors do not find them, because a change would change its own work. */
export type Made = WeakSet<Node>

/** Makes nodes of HTML that travels as data, without a parser: a strict policy of the page allows it. */
export function nodesOf(document: Document, html: readonly HtmlNode[], made: Made, isDrawn = false): Node[] {
  return html.map((each) => {
    if (typeof each === 'string') return document.createTextNode(each)
    const [name, attributes, ...content] = each
    const isDrawing = isDrawn || name === 'svg'
    const element = isDrawing ? document.createElementNS(drawings, name) : document.createElement(name)
    made.add(element)
    // In a document that is not XML, a drawing finds its parts by `href` alone.
    for (const [attribute, value] of Object.entries(attributes ?? {}))
      setAttribute(element, attribute.replace('xlink:', ''), value)
    element.append(...nodesOf(document, content, made, isDrawing && name !== 'foreignObject'))
    return element
  })
}

function place(nodes: readonly Node[], element: Element, position: Position): void {
  if (position === 'BEFORE') element.before(...nodes)
  else if (position === 'AFTER') element.after(...nodes)
  else if (position === 'FIRST') element.prepend(...nodes)
  else element.append(...nodes)
}

type Side = 'nextSibling' | 'previousSibling'

/** Where nodes stand among those of the page. */
export type Places = ReturnType<typeof createPlaces>

/** @param away the elements that changes have moved */
export function createPlaces(made: Made, away: Made) {
  /** The first node from here on that is not ours, on this side. */
  const past = (node: Node | null, side: Side): Node | null => {
    while (node && (made.has(node) || away.has(node))) node = node[side]
    return node
  }
  /** Whether a node stands where a position beside or in the target says. */
  const isThere = (node: Node, target: Node, position: Position): boolean => {
    const side = position === 'AFTER' || position === 'FIRST' ? 'previousSibling' : 'nextSibling'
    const isInside = position === 'FIRST' || position === 'LAST'
    if (node.parentNode !== (isInside ? target : target.parentNode)) return false
    // Beside an element that a change has moved, the same parent is enough: it may have come later.
    return past(node[side], side) === (isInside ? null : target) || (!isInside && away.has(target))
  }
  return { past, isThere }
}

/** New nodes beside or in an element. They are there (an empty text) or not (null). */
export function inserted(
  name: string,
  html: readonly HtmlNode[],
  position: Position,
  made: Made,
  { isThere }: Places,
): Aspect {
  const nodes = new WeakMap<Element, Node[]>()
  return {
    ...{ name, isMade: true },
    read(element) {
      const known = nodes.get(element)
      return known?.every((node) => isThere(node, element, position)) ? '' : null
    },
    write(element, value) {
      const known = nodes.get(element) ?? nodesOf(element.ownerDocument, html, made)
      // Texts too, so that nodes of several changes at one place are beside the element.
      for (const node of known) made.add(node)
      nodes.set(element, known)
      if (value !== null) place(known, element, position)
      else for (const node of known) (node as ChildNode).remove()
    },
  }
}

/** A copy of the element with other content beside the original, which is hidden: frameworks keep what they own. */
export function replaced(html: readonly HtmlNode[], made: Made): Aspect {
  const copies = new WeakMap<Element, Element>()
  return {
    ...{ name: 'html', isMade: true },
    read(element) {
      const copy = copies.get(element)
      return copy && copy.nextSibling === element && element.hasAttribute(hiddenAttribute) ? '' : null
    },
    write(element, value) {
      const copy = copies.get(element) ?? (element.cloneNode(false) as Element)
      if (value === null) {
        copy.remove()
        element.removeAttribute(hiddenAttribute)
        return
      }
      if (!copies.has(element)) copy.append(...nodesOf(element.ownerDocument, html, made))
      copies.set(element, copy)
      made.add(copy)
      place([copy], element, 'BEFORE')
      element.setAttribute(hiddenAttribute, '')
    },
  }
}

/**
 * The place of an element: where the change wants it (an empty text) or where the page has it (null). Several elements can
 * have one place. They stand there in their order, also beside what is inserted.
 */
export function moved(to: string, position: Position, away: Made, { past, isThere }: Places): Aspect {
  const origins = new WeakMap<Element, { parent: Node | null; next: Node | null }>()
  const targetOf = (element: Element) =>
    [...element.ownerDocument.querySelectorAll(to)].find((each) => !element.contains(each))
  return {
    name: 'place',
    read(element) {
      const target = targetOf(element)
      // Without a target, there is nothing to do yet.
      return !target || isThere(element, target, position) ? '' : null
    },
    write(element, value) {
      if (value === null) {
        const { parent = null, next = null } = origins.get(element) ?? {}
        origins.delete(element)
        away.delete(element)
        parent?.insertBefore(element, next?.parentNode === parent ? next : null)
        return
      }
      const target = targetOf(element)
      if (!target) return
      if (!origins.has(element)) origins.set(element, { parent: element.parentNode, next: element.nextSibling })
      away.delete(element)
      if (position === 'AFTER') target.parentNode?.insertBefore(element, past(target.nextSibling, 'nextSibling'))
      else if (position === 'FIRST') target.insertBefore(element, past(target.firstChild, 'nextSibling'))
      else place([element], target, position)
      away.add(element)
    },
  }
}
