import type { CssBlock } from '@svc/web'
import type { Change } from './changes.ts'
import type { VariationContent } from './content.ts'
import { declarationsOf, plainCss } from './css.ts'
import { codeBlock, codeSpan, escapedText } from './markdown.ts'
import type { Page } from './pages.ts'
import type { Redirect } from './redirect.ts'
import { sentenceOf, type Wording } from './sentence.ts'

/** Whether the content is what ran, what was published last, or what has never been live. */
export const handOffSources = ['FINAL', 'LIVE', 'DRAFT'] as const
export type HandOffSource = (typeof handOffSources)[number]

/** What somebody builds in to make a variation part of the site. */
export interface HandOff {
  variationKey: string
  source: HandOffSource
  pages: Pick<Page, 'key' | 'name' | 'url'>[]
  changes: HandedChange[]
  /** The HTML of all changes, in their order; null if there is none. */
  html: string | null
  /** Plain rules of STYLE and HIDE changes, then the CSS of the variation; null if there is none. */
  css: string | null
  js: string | null
  redirect: Redirect | null
  /** One sentence for each step. */
  checklist: string[]
  /** All of it as a document. */
  markdown: string
}

interface HandedChange {
  id: string
  page: string | null
  type: Change['type']
  selector: string
  /** What the element showed when it was edited; null if that is unknown. */
  before: string | null
  /** What it shows now; null for a change that shows nothing new, such as MOVE. */
  after: string | null
  sentence: string
}

interface Handed {
  experiment: { name: string }
  variation: { key: string; name: string }
  source: HandOffSource
  pages: readonly Page[]
  content: VariationContent
}

export function handOff(of: Handed): HandOff {
  const { variation, source, pages, content } = of
  const { changes, js, redirect } = content
  const css = plainCss(content).map((block) => cssText(block, pages))
  const html = changes.flatMap((change) => (hasHtml(change) ? [change.value] : []))
  return {
    variationKey: variation.key,
    source,
    pages: pages.map(({ key, name, url }) => ({ key, name, url })),
    changes: changes.map((change) => ({
      id: change.id,
      page: change.page,
      type: change.type,
      selector: change.selector,
      before: change.was,
      after: afterOf(change),
      sentence: sentenceOf(change, pageName(change.page, pages)),
    })),
    html: html.length > 0 ? html.join('\n') : null,
    css: css.length > 0 ? css.join('\n') : null,
    js,
    redirect,
    checklist: stepsOf(of),
    markdown: markdownOf(of, css.join('\n')),
  }
}

const hasHtml = (change: Change): change is Extract<Change, { type: 'HTML' | 'INSERT' }> =>
  change.type === 'HTML' || change.type === 'INSERT'

const pageName = (key: string | null, pages: readonly Page[]): string | null =>
  key === null ? null : (pages.find((page) => page.key === key)?.name ?? key)

function cssText({ page, text }: CssBlock, pages: readonly Page[]): string {
  const name = pageName(page, pages)
  return name === null ? text : `/* ${name.replaceAll('*/', '* /')} */\n${text}`
}

function afterOf(change: Change): string | null {
  switch (change.type) {
    case 'TEXT':
    case 'HTML':
    case 'ATTRIBUTE':
    case 'IMAGE':
    case 'INSERT':
      return change.value
    case 'STYLE':
      return declarationsOf(change)
        .map(([property, value]) => `${property}: ${value}`)
        .join('; ')
    case 'CLASS':
    case 'HIDE':
    case 'MOVE':
      return null
  }
}

/** One sentence for each change, and for what a variation has besides. */
function stepsOf({ pages, content }: Handed, wording?: Wording): string[] {
  const { changes, css, js, redirect } = content
  const quote = wording?.code ?? ((text: string) => text)
  return [
    ...changes.map((change) => sentenceOf(change, pageName(change.page, pages), wording)),
    ...(css === null ? [] : ['Add the CSS of the variation.']),
    ...(js === null ? [] : ['Build in what the code of the variation does.']),
    ...(redirect
      ? [
          `Send visitors to ${quote(redirect.url)}${redirect.keepQuery ? ', with the query and the hash of their address' : ''}.`,
        ]
      : []),
  ]
}

const markdownWording: Wording = {
  code: codeSpan,
  quote: (text) => codeSpan(text.length > 200 ? `${text.slice(0, 200)}…` : text),
  name: escapedText,
}

const sources: Record<HandOffSource, string> = {
  FINAL: 'This is what ran in the experiment.',
  LIVE: 'This is what was published last.',
  DRAFT: 'This is a draft, which visitors have never got.',
}

function markdownOf(of: Handed, css: string): string {
  const { experiment, variation, source, pages, content } = of
  const steps = stepsOf(of, markdownWording).map((step) => `- [ ] ${step}`)
  const places = pages.map(({ name, url }) => `- ${escapedText(name)}${url === null ? '' : `: ${codeSpan(url)}`}`)
  const html = content.changes
    .filter(hasHtml)
    .map(({ id, value }) => `### ${escapedText(id)}\n\n${codeBlock('html', value)}`)
  const parts = [
    `# ${escapedText(experiment.name)}: build in “${escapedText(variation.name)}”`,
    sources[source],
    steps.length > 0 ? steps.join('\n') : 'This variation changes nothing.',
    ...(places.length > 0 ? ['## Pages', places.join('\n')] : []),
    ...(html.length > 0 ? ['## HTML', ...html] : []),
    ...(css === '' ? [] : ['## CSS', codeBlock('css', css)]),
    ...(content.js === null ? [] : ['## JavaScript', codeBlock('js', content.js)]),
  ]
  return `${parts.join('\n\n')}\n`
}
