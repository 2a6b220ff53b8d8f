import MarkdownIt, { type Token } from 'markdown-it'
import type { Highlight } from './highlight.ts'
import { escapeHtml } from './html.ts'
import type { Target } from './links.ts'
import { slugs } from './slug.ts'

export interface Heading {
  level: number
  slug: string
  text: string
}

/** The text below a heading, for the search. */
export interface Passage {
  heading: Heading
  text: string
}

export interface Parsed {
  title: string
  headings: Heading[]
  passages: Passage[]
  languages: Set<string>
  tokens: Token[]
}

const markdown = new MarkdownIt({ html: true })

/** Reads a guide. Headings get ids; the first heading is the title. */
export function parse(text: string): Parsed {
  const tokens = markdown.parse(text, {})
  const nameOf = slugs()
  const passages: Passage[] = []
  const languages = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1])
      const slug = nameOf(heading)
      token.attrSet('id', slug)
      passages.push({ heading: { level: Number(token.tag.slice(1)), slug, text: heading }, text: '' })
    } else if (token.type === 'fence') languages.add(token.info.trim())
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    const passage = passages.at(-1)
    if (passage && !isHeading && ['inline', 'fence', 'code_block'].includes(token.type))
      passage.text = `${passage.text} ${textOf(token)}`.trim()
  }
  const headings = passages.map(({ heading }) => heading)
  return { title: headings[0]?.text ?? '', headings, passages, languages, tokens }
}

/** Renders one line of text with code and links. */
export const inline = (text: string): string => markdown.renderInline(text)

/** Renders paragraphs, as in descriptions of the API. */
export const paragraphs = (text: string): string => markdown.render(text)

export interface Render {
  highlight: Highlight
  target: (link: string) => Target
  onFault: (fault: string) => void
}

/** Renders a guide as HTML without inline scripts or styles. */
export function render({ tokens }: Parsed, context: Render): string {
  const { rules } = markdown.renderer
  const isOfEmptyHead = insideEmptyHead(tokens)
  const html = tokens.flatMap((token, index): string[] => {
    if (isOfEmptyHead(token)) return []
    switch (token.type) {
      case 'heading_open':
        return ['<div class="heading">', markdown.renderer.renderToken(tokens, index, markdown.options)]
      case 'heading_close':
        return [`</${token.tag}>`, anchorOf(tokens[index - 2], tokens[index - 1]), '</div>\n']
      case 'fence':
      case 'code_block':
        return [codeBlock(token.content, token.info.trim(), context.highlight)]
      case 'table_open':
        return ['<div class="table" role="group" aria-label="Table" tabindex="0">\n<table>\n']
      case 'table_close':
        return ['</table>\n</div>\n']
      case 'td_open':
      case 'th_open':
        return [cell(token)]
      case 'inline': {
        const html = inlineHtml(token, context)
        return [tokens[index - 1]?.type === 'td_open' ? breakable(html) : html]
      }
      case 'html_block':
        return [withoutComments(token.content)]
      default: {
        const rule = rules[token.type]
        return [
          rule
            ? rule(tokens, index, markdown.options, {}, markdown.renderer)
            : markdown.renderer.renderToken(tokens, index, markdown.options),
        ]
      }
    }
  })
  return html.join('')
}

/** Finds the tokens of empty table headers. Markdown requires a header, so tables without one have empty cells. */
function insideEmptyHead(tokens: Token[]): (token: Token) => boolean {
  const empty = new Set<Token>()
  for (const [start, { type }] of tokens.entries()) {
    if (type !== 'thead_open') continue
    const end = tokens.findIndex((token, index) => index > start && token.type === 'thead_close')
    const head = tokens.slice(start, end + 1)
    if (head.every((token) => token.content === '')) for (const token of head) empty.add(token)
  }
  return (token) => empty.has(token)
}

export function codeBlock(code: string, language: string, highlight: Highlight): string {
  const label = languageLabels[language] ?? language
  return `<div class="code"${label ? ` data-language="${escapeHtml(label)}"` : ''}><pre tabindex="0"><code>${highlight(code.replace(/\n$/, ''), language)}</code></pre></div>\n`
}

const languageLabels: Record<string, string> = {
  sh: 'shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  text: '',
}

function anchorOf(open: Token | undefined, content: Token | undefined): string {
  if (open?.tag === 'h1') return ''
  const label = escapeHtml(`Link to “${textOf(content)}”`)
  return `<a class="anchor" href="#${escapeHtml(open ? attribute(open, 'id') : '')}" aria-label="${label}"><span aria-hidden="true">#</span></a>`
}

/** Lets long names in tables break between their parts; in the first column only in narrow windows (prose.css). */
const breakable = (html: string): string =>
  html.replace(/(?<=<code>)[^<]{12,}/g, (code) => code.replace(/[_/.](?=[\w{])/g, '$&<wbr>'))

/** Turns the alignment, which markdown-it gives as a style, into a class. */
function cell(token: Token): string {
  const alignment = /text-align:(\w+)/.exec(attribute(token, 'style'))?.[1]
  return `<${token.tag}${alignment ? ` class="${alignment}"` : ''}>`
}

/** Links point to the pages of the site. Links to files that only the repository has become plain text. */
function inlineHtml(token: Token, { target, onFault }: Render): string {
  const children = (token.children ?? []).filter(
    ({ type, content }) => type !== 'html_inline' || withoutComments(content),
  )
  const isLink: boolean[] = []
  const kept = children.filter((child) => {
    if (child.type === 'link_close') return isLink.pop()
    if (child.type === 'image') {
      const found = target(attribute(child, 'src'))
      if ('href' in found) child.attrSet('src', found.href)
      else onFault('fault' in found ? found.fault : `the picture ${child.attrGet('src')} is not in docs/`)
    }
    if (child.type !== 'link_open') return true
    const found = target(attribute(child, 'href'))
    if ('fault' in found) onFault(found.fault)
    isLink.push('href' in found)
    if ('href' in found) child.attrSet('href', found.href)
    return 'href' in found
  })
  return markdown.renderer.renderInline(kept, markdown.options, {})
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

const withoutComments = (html: string): string => html.replace(/<!--[\s\S]*?-->\s*/g, '')

/** The visible text of a token. */
function textOf(token: Token | undefined): string {
  if (!token) return ''
  if (token.type !== 'inline') return token.content
  return (token.children ?? [])
    .map((child) =>
      child.type === 'softbreak' || child.type === 'hardbreak'
        ? ' '
        : child.type === 'html_inline'
          ? ''
          : child.content,
    )
    .join('')
}
