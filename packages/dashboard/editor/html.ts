import type { HtmlNode } from '@svc/web/messages'
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

/** What loads or runs something. The service refuses it, so a preview never shows it. */
const refusedElements = /^(?:script|style|link|meta|base|i?frame|object|embed|applet|template|noscript)$/i
const refusedAttributes = /^(?:on.*|srcdoc|(?:form)?action)$/i
/** What has neither a text nor HTML in it. */
export const voidElements = /^(?:area|br|col|hr|img|input|source|track|wbr)$/

const startTag = /<([a-z][^\s/>]*)((?:\s+[^\s=/>"'<]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*(\/?)>/iy
const endTag = /<\/([a-z][^\s>]*)\s*>/iy
const text = /[^<]+/y
const attribute = /([^\s=/>"'<]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** Whether a change can set this attribute in a preview. */
export const isSafe = (name: string, value: string): boolean =>
  !refusedAttributes.test(name) && !/^(?:javascript|vbscript|data:text)/i.test(value.replace(/[\s\p{Cc}]/gu, ''))

/** An element that is open, without its end. */
type Open = [name: string, attributes: Record<string, string> | null, ...content: HtmlNode[]]

/**
 * HTML as a page gets it. Undefined for what the service would refuse: HTML that a parser would have to repair, and what
 * loads or runs something. So it needs no parser of the browser, which the policy of this page forbids.
 */
export function nodesOf(html: string): HtmlNode[] | undefined {
  const source = html.replace(/\r\n?/g, '\n')
  const open: Open[] = [['', null]]
  let at = 0
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < source.length) {
    const parent = open.at(-1)!
    const said = read(text)
    if (said) {
      const isDropped = /^(?:pre|textarea)$/.test(parent[0]) && parent.length === 2
      const shown = decodeHTML(isDropped ? said[0].replace(/^\n/, '') : said[0])
      if (shown !== '') parent.push(shown)
      continue
    }
    const start = read(startTag)
    if (start) {
      const isDrawn = open.some(([name]) => name === 'svg') || start[1]!.toLowerCase() === 'svg'
      const made = elementOf(start, isDrawn)
      if (!made) return undefined
      parent.push(made)
      const isOver = isDrawn ? start[3] === '/' : voidElements.test(made[0])
      if (start[3] === '/' && !isOver) return undefined
      if (!isOver) open.push(made)
      continue
    }
    const [, ended = ''] = read(endTag) ?? []
    if (ended === '' || ended.toLowerCase() !== parent[0].toLowerCase()) return undefined
    open.pop()
  }
  const [[, , ...content], ...unclosed] = open as [Open, ...Open[]]
  return unclosed.length > 0 ? undefined : content
}

function elementOf([, name = '', written = '']: RegExpExecArray, isDrawn: boolean): Open | undefined {
  const attributes: Record<string, string> = {}
  for (const [, as = '', double, single, bare] of written.matchAll(attribute)) {
    const key = isDrawn ? as : as.toLowerCase()
    const value = decodeHTMLAttribute(double ?? single ?? bare ?? '')
    if (!isSafe(key, value)) return undefined
    attributes[key] ??= value
  }
  if (refusedElements.test(name)) return undefined
  return [isDrawn ? name : name.toLowerCase(), Object.keys(attributes).length > 0 ? attributes : null]
}
