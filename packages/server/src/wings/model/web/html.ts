import { createRequire } from 'node:module'
import type { HtmlNode } from '@svc/web'
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, ParserError } from 'parse5'
import { quoted } from './address.ts'
import { attributeNameFault, attributeValueFault, refusalOf } from './attribute.ts'
import { elementFault, voidElements } from './html-elements.ts'
import { placeOf } from './place.ts'

export const maxHtmlLength = 20_000
export const maxHtmlNodes = 2000
export const maxHtmlDepth = 30
/** More faults of one text help nobody. */
const maxFaults = 20

/** Loaded with the first HTML: it loads slowly, and many services never need it. */
const require = createRequire(import.meta.url)
const parse5 = () => require('parse5') as typeof import('parse5')

type Child = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: Child): node is Element => 'tagName' in node
const isText = (node: Child): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'
const isDrawn = (element: Element): boolean => element.namespaceURI.endsWith('/svg')

/**
 * Reads HTML. It is refused if a change cannot contain it, and if the parser would understand anything else than what is
 * written: repair it, move a part or leave one out. So a page shows exactly what was saved.
 */
export function parseHtml(html: string): { nodes: HtmlNode[] } | { faults: string[] } {
  if (html.length > maxHtmlLength) return { faults: [`must have at most ${maxHtmlLength} characters`] }
  const errors: ParserError[] = []
  const children = childrenOf(html, errors)
  if (!children) return { faults: [tooMany] }
  const faults = errors.map(({ code, startOffset }) => `${wordsOf(code)} (${placeOf(html, startOffset)})`)
  const counted = { nodes: 0 }
  for (const child of children) collectFaults(child, { html, faults, depth: 1, counted })
  if (faults.length === 0) faults.push(...[misreadIn(html, children)].filter((fault) => fault !== undefined))
  return faults.length > 0 ? { faults: [...new Set(faults)].slice(0, maxFaults) } : { nodes: children.map(nodeOf) }
}

/** What the parser says most often, for people. */
const explained: Record<string, string> = {
  'duplicate-attribute': 'must not have an attribute twice',
  'eof-in-tag': 'must have a > at the end of each tag',
  'invalid-first-character-of-tag-name': 'must have &lt; in place of < in a text',
  'missing-semicolon-after-character-reference': 'must have a semicolon after &name, or &amp; in place of &',
  'non-void-html-element-start-tag-with-trailing-solidus': 'must have an end tag in place of />',
  'unknown-named-character-reference': 'must have &amp; in place of &',
}

const wordsOf = (code: string): string => explained[code] ?? `must be well-formed HTML: ${code.replaceAll('-', ' ')}`

const tooMany = `must have at most ${maxHtmlNodes} elements and texts`

/** Undefined if the parser made more elements than allowed, which a short text with open tags can cause. */
function childrenOf(html: string, errors: ParserError[]): Child[] | undefined {
  const { parseFragment, defaultTreeAdapter } = parse5()
  let made = 0
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...of: Parameters<typeof defaultTreeAdapter.createElement>) {
      made += 1
      if (made > maxHtmlNodes) throw new RangeError(tooMany)
      return defaultTreeAdapter.createElement(...of)
    },
  }
  try {
    return parseFragment<DefaultTreeAdapterMap>(html, {
      treeAdapter,
      sourceCodeLocationInfo: true,
      onParseError: (error) => errors.length < maxFaults && errors.push(error),
    }).childNodes
  } catch (fault) {
    if (fault instanceof RangeError) return undefined
    throw fault
  }
}

interface Collected {
  html: string
  faults: string[]
  depth: number
  counted: { nodes: number }
}

function collectFaults(node: Child, { html, faults, depth, counted }: Collected): void {
  if (faults.length >= maxFaults) return
  counted.nodes += 1
  if (counted.nodes === maxHtmlNodes + 1) faults.push(tooMany)
  const refuse = (fault: string) => {
    if (faults.length >= maxFaults) return
    const at = node.sourceCodeLocation?.startOffset
    faults.push(at === undefined ? fault : `${fault} (${placeOf(html, at)})`)
  }
  if (node.nodeName === '#comment') refuse('must not contain comments')
  if (!isElement(node)) return
  const name = node.tagName
  const isDrawing = isDrawn(node)
  const fault = elementFault(name, { isDrawing })
  if (fault !== undefined) return refuse(`must not contain <${name}>: ${fault}`)
  for (const attribute of node.attrs) for (const each of attributeFaults(node, attribute)) refuse(each)
  if (depth > maxHtmlDepth) refuse(`must be nested at most ${maxHtmlDepth} levels deep`)
  else if (isDrawing && (name === 'title' || name === 'desc') && !node.childNodes.every(isText))
    refuse(`has <${name}>, which can contain only text in a drawing`)
  else for (const child of node.childNodes) collectFaults(child, { html, faults, depth: depth + 1, counted })
}

function attributeFaults(element: Element, attribute: Element['attrs'][number]): string[] {
  const name = nameOf(attribute)
  const reason = refusalOf(name)
  if (reason !== undefined) return [`must not have in <${element.tagName}> the attribute ${name}: ${reason}`]
  const nameFault = attributeNameFault(name)
  if (nameFault !== undefined) return [`has in <${element.tagName}> the attribute ${quoted(name)}, which ${nameFault}`]
  const fault = attributeValueFault(name, attribute.value, { isDrawing: isDrawn(element) })
  return fault === undefined ? [] : [`has in <${element.tagName}> the attribute ${name}, which ${fault}`]
}

const nameOf = ({ prefix, name }: Element['attrs'][number]): string => (prefix ? `${prefix}:${name}` : name)

/**
 * Compares what is written with what was understood: tags and texts must follow each other in the source as in the tree,
 * without a gap. A parser that repairs leaves gaps, or makes elements that have no place in the source.
 */
function misreadIn(html: string, children: readonly Child[]): string | undefined {
  const reached = lastReached(html, children, 0)
  if (typeof reached !== 'number') return reached.fault
  return reached === html.length ? undefined : gapAt(html, reached).fault
}

interface Misread {
  fault: string
}

function lastReached(html: string, children: readonly Child[], from: number): number | Misread {
  let at = from
  for (const child of children) {
    const location = child.sourceCodeLocation
    if (!location) return { fault: `must name every element: <${child.nodeName}> is missing (${placeOf(html, at)})` }
    if (location.startOffset !== at) return gapAt(html, at)
    const end = isElement(child) ? endOf(html, child) : endOfText(html, at, location.endOffset)
    if (typeof end !== 'number') return end
    at = end
  }
  return at
}

function endOfText(html: string, start: number, end: number): number | Misread {
  const bracket = html.slice(start, end).indexOf('<')
  return bracket < 0 ? end : { fault: `must have &lt; in place of < in a text (${placeOf(html, start + bracket)})` }
}

function endOf(html: string, element: Element): number | Misread {
  const { startTag, endTag, startOffset } = element.sourceCodeLocation!
  const name = element.tagName.toLowerCase()
  const written = html.slice(startOffset + 1, startOffset + 1 + name.length).toLowerCase()
  if (!startTag || written !== name) return gapAt(html, startOffset)
  const isOver = isDrawn(element) ? html[startTag.endOffset - 2] === '/' : voidElements.has(name)
  if (isOver && !endTag) return startTag.endOffset
  if (!endTag || !isEndTag(html, endTag.startOffset, name))
    return {
      fault: `must close every element: <${name}> has no </${name}> at its place (${placeOf(html, startOffset)})`,
    }
  const inside = html.slice(startTag.endOffset, endTag.startOffset)
  // HTML leaves out a line break directly after these tags.
  const [dropped = ''] = name === 'pre' || name === 'textarea' ? (/^\r?\n/.exec(inside) ?? []) : []
  const isDropped = element.childNodes[0]?.sourceCodeLocation?.startOffset !== startTag.endOffset
  const end = lastReached(html, element.childNodes, startTag.endOffset + (isDropped ? dropped.length : 0))
  if (typeof end !== 'number') return end
  return end === endTag.startOffset ? endTag.endOffset : gapAt(html, end)
}

const isEndTag = (html: string, at: number, name: string): boolean =>
  html.slice(at, at + name.length + 2).toLowerCase() === `</${name}`

function gapAt(html: string, at: number): Misread {
  const rest = html.slice(at)
  const part = /^<[^>]*>?/.exec(rest)?.[0] ?? rest
  return {
    fault: `must have every tag where HTML allows it: ${quoted(part)} would be moved or left out (${placeOf(html, at)})`,
  }
}

function nodeOf(node: Child): HtmlNode {
  if (!isElement(node)) return (node as DefaultTreeAdapterTypes.TextNode).value
  const attributes = node.attrs.map((attribute) => [nameOf(attribute), attribute.value])
  const content = node.childNodes.map(nodeOf)
  return [node.tagName, attributes.length > 0 ? Object.fromEntries(attributes) : null, ...content]
}
