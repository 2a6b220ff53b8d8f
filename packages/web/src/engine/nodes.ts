import type { HtmlNode, Position } from '../document.ts'
import { type Aspect, setAttribute } from './slots.ts'

/** What hides the original of replaced HTML. A rule of the engine's own sheet gives it its meaning. */
export const hiddenAttribute = 'data-svc-hidden'
export const hidingRule = `[${hiddenAttribute}]{display:none!important}`

const drawings = 'http://www.w3.org/2000/svg'

/** Makes nodes of HTML that travels as data, without a parser: a strict policy of the page allows it. */
export function nodesOf(document: Document, html: readonly HtmlNode[], isDrawn = false): Node[] {
  return html.map((each) => {
    if (typeof each === 'string') return document.createTextNode(each)
    const [name, attributes, ...content] = each
    const isDrawing = isDrawn || name === 'svg'
    const element = isDrawing ? document.createElementNS(drawings, name) : document.createElement(name)
    for (const [attribute, value] of Object.entries(attributes ?? {})) setAttribute(element, attribute, value)
    element.append(...nodesOf(document, content, isDrawing && name !== 'foreignObject'))
    return element
  })
}

/** Whether nodes stand at this position of an element, in this order and together. */
function stand(nodes: readonly Node[], element: Element, position: Position): boolean {
  const isInside = position === 'FIRST' || position === 'LAST'
  if (
    nodes.some(
      (node, index) =>
        node.parentNode !== (isInside ? element : element.parentNode) ||
        (index > 0 && node.previousSibling !== nodes[index - 1]),
    )
  )
    return false
  const [first, last] = [nodes[0]!, nodes.at(-1)!]
  if (position === 'BEFORE') return last.nextSibling === element
  if (position === 'AFTER') return element.nextSibling === first
  return position === 'FIRST' ? element.firstChild === first : element.lastChild === last
}

function place(nodes: readonly Node[], element: Element, position: Position): void {
  if (position === 'BEFORE') element.before(...nodes)
  else if (position === 'AFTER') element.after(...nodes)
  else if (position === 'FIRST') element.prepend(...nodes)
  else element.append(...nodes)
}

/** Nodes that the plan has made. Selectors do not find them, because a change would change its own work. */
export type Made = WeakSet<Node>

/** New nodes beside or in an element. They are there (an empty text) or not (null). */
export function inserted(name: string, html: readonly HtmlNode[], position: Position, made: Made): Aspect {
  const nodes = new WeakMap<Element, Node[]>()
  return {
    name,
    read(element) {
      const known = nodes.get(element)
      // Several changes can insert at one place: that they are in the right parent is enough.
      const parent = position === 'FIRST' || position === 'LAST' ? element : element.parentNode
      return known?.every((node) => node.parentNode === parent) ? '' : null
    },
    write(element, value) {
      const known = nodes.get(element) ?? nodesOf(element.ownerDocument, html)
      nodes.set(element, known)
      for (const node of known) made.add(node)
      if (value !== null) place(known, element, position)
      else for (const node of known) (node as ChildNode).remove()
    },
  }
}

/** A copy of the element with other content beside the original, which is hidden: frameworks keep what they own. */
export function replaced(html: readonly HtmlNode[], made: Made): Aspect {
  const copies = new WeakMap<Element, Element>()
  return {
    name: 'html',
    read(element) {
      const copy = copies.get(element)
      return copy && stand([copy], element, 'BEFORE') && element.hasAttribute(hiddenAttribute) ? '' : null
    },
    write(element, value) {
      const copy = copies.get(element) ?? (element.cloneNode(false) as Element)
      if (value === null) {
        copy.remove()
        element.removeAttribute(hiddenAttribute)
        return
      }
      if (!copies.has(element)) copy.append(...nodesOf(element.ownerDocument, html))
      copies.set(element, copy)
      made.add(copy)
      place([copy], element, 'BEFORE')
      element.setAttribute(hiddenAttribute, '')
    },
  }
}

/** The place of an element: where the change wants it (an empty text) or where the page has it (null). */
export function moved(to: string, position: Position): Aspect {
  const origins = new WeakMap<Element, { parent: Node | null; next: Node | null }>()
  const targetOf = (element: Element) =>
    [...element.ownerDocument.querySelectorAll(to)].find((each) => !element.contains(each))
  return {
    name: 'place',
    read(element) {
      const target = targetOf(element)
      // Without a target, there is nothing to do yet.
      return !target || stand([element], target, position) ? '' : null
    },
    write(element, value) {
      if (value === null) {
        const { parent = null, next = null } = origins.get(element) ?? {}
        origins.delete(element)
        parent?.insertBefore(element, next?.parentNode === parent ? next : null)
        return
      }
      const target = targetOf(element)
      if (!target) return
      if (!origins.has(element)) origins.set(element, { parent: element.parentNode, next: element.nextSibling })
      place([element], target, position)
    },
  }
}
