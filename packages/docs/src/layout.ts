import { escapeHtml } from './html.ts'
import { icons } from './icons.ts'
import type { Heading } from './markdown.ts'

export interface NavigationLink {
  address: string
  label: string
  /** Shown while the link itself, or one of these, is the current page. */
  below?: NavigationLink[]
}

export interface NavigationGroup {
  title: string
  links: NavigationLink[]
}

export interface Neighbour {
  address: string
  title: string
}

/** The content of a page. */
export interface Page {
  address: string
  title: string
  summary: string
  /** The group in the navigation, shown above the heading. */
  group?: string
  html: string
  headings: Heading[]
  /** Date of the last edit, such as `2026-11-23`; undefined if the history of the repository does not have it. */
  edited?: string | undefined
  previous?: Neighbour | undefined
  next?: Neighbour | undefined
}

export const assets = '/docs/assets'

/** A page needs this many headings to get a table of contents. */
const worthContents = 2

export function pageHtml(page: Page, navigation: NavigationGroup[]): string {
  const { title, summary, html, address } = page
  const contents = contentsHtml(page.headings)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(title)} · Svc</title>
<link rel="icon" href="${assets}/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/site.css">
<script src="${assets}/color-scheme.js"></script>
<script type="module" src="${assets}/site.js"></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to the content</a>
<header class="site-header">
<button class="icon-button site-menu" type="button" popovertarget="site-navigation" aria-label="Navigation">${icons.menu}</button>
<a class="brand" href="/docs"><img src="${assets}/mark.svg" width="28" height="28" alt=""><span><span class="brand-name">Svc</span> Docs</span></a>
${searchHtml}
<a class="to-dashboard" href="/">Dashboard</a>
<button class="icon-button" type="button" id="site-scheme" aria-label="Dark color scheme" aria-pressed="false" hidden>${icons.moon}${icons.sun}</button>
</header>
<div class="frame">
<nav class="navigation" id="site-navigation" popover aria-label="Guides">
${navigation.map((group) => navigationHtml(group, address)).join('')}<p class="nav-dashboard"><a href="/">Dashboard</a></p>
</nav>
<main id="site-content" tabindex="-1">
${page.group ? `<p class="eyebrow">${escapeHtml(page.group)}</p>\n` : ''}${narrowContents(contents, html)}
${footerHtml(page)}</main>
${contents ? `<nav class="contents" aria-labelledby="site-contents"><p id="site-contents">On this page</p>${contents}</nav>\n` : ''}</div>
<p class="visually-hidden" role="status" id="site-status"></p>
</body>
</html>
`
}

const searchHtml = `<div class="search" role="search" id="site-search" hidden>
${icons.search}<input type="search" id="site-search-input" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="site-search-results" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div class="search-results" id="site-search-results" role="listbox" aria-label="Results" hidden></div>
<p class="search-results search-none" id="site-search-none" hidden></p>
</div>`

function navigationHtml({ title, links }: NavigationGroup, address: string): string {
  return `<p class="nav-title">${escapeHtml(title)}</p>\n<ul>\n${links.map((link) => linkHtml(link, address)).join('')}</ul>\n`
}

function linkHtml({ address, label, below = [] }: NavigationLink, current: string): string {
  const isOpen = address === current || below.some((each) => each.address === current)
  const inner =
    isOpen && below.length > 0 ? `\n<ul>\n${below.map((each) => linkHtml(each, current)).join('')}</ul>` : ''
  const mark = address === current ? ' aria-current="page"' : ''
  return `<li><a href="${address}"${mark}>${escapeHtml(label)}</a>${inner}</li>\n`
}

function contentsHtml(headings: Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < worthContents) return ''
  const items = shown.map(
    ({ level, slug, text }) =>
      `<li${level === 3 ? ' class="deeper"' : ''}><a href="#${escapeHtml(slug)}">${escapeHtml(text)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

/** In a narrow window, the table of contents is folded under the first heading. */
function narrowContents(contents: string, html: string): string {
  if (!contents) return html
  const folded = `<details class="contents-folded"><summary>On this page</summary>${contents}</details>`
  return html.includes('</h1>') ? html.replace(/<\/h1>(\s*<\/div>)?/, (end) => `${end}\n${folded}`) : `${folded}${html}`
}

function footerHtml({ edited, previous, next }: Page): string {
  const step = (neighbour: Neighbour | undefined, rel: string, label: string) =>
    neighbour
      ? `<a class="${rel}" rel="${rel}" href="${neighbour.address}"><span>${label}</span> ${escapeHtml(neighbour.title)}</a>`
      : ''
  const steps = step(previous, 'prev', 'Previous') + step(next, 'next', 'Next')
  return `${edited ? `<p class="edited">Last edited <time datetime="${edited}">${inWords(edited)}</time></p>\n` : ''}${
    steps ? `<nav class="steps" aria-label="Previous and next page">${steps}</nav>\n` : ''
  }`
}

const inWords = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
