import { highlighter } from './highlight.ts'
import { homeHtml, notFoundHtml } from './home.ts'
import { escapeHtml } from './html.ts'
import { assets, type NavigationGroup, type Page, pageHtml } from './layout.ts'
import { deadLinks, resolveLink } from './links.ts'
import { type Parsed, type Passage, parse, render } from './markdown.ts'
import { type Group, groups as guideGroups, movedPages as guidesMoved, madePages } from './pages.ts'
import type { OpenApi } from './reference/openapi.ts'
import { exampleLanguages, referencePages } from './reference/pages.ts'
import { type Entry, searchIndex } from './search-index.ts'

export interface Sources {
  /** The Markdown files of docs/ by path, such as `docs/sdk.md` and `docs/decisions/0001-….md`. */
  documents: ReadonlyMap<string, string>
  /** Other files of docs/, which are copied: pictures, schemas. */
  files: readonly string[]
  openapi: OpenApi
  /** Date of the last edit, by path. */
  edited: ReadonlyMap<string, string>
  exists: (path: string) => boolean
  groups?: Group[]
  /** Where pages have gone: addresses below `/docs` by name. */
  moved?: Readonly<Record<string, string>>
}

export interface Site {
  /** Content by path, relative to the folder of the site. */
  files: Map<string, string>
  /** Faults in the sources: dead links, guides that are missing in the navigation. */
  faults: string[]
}

/** `label`: the text in the navigation, if it is not the title. */
type Content = Page & { label?: string; passages: Passage[] }

/** A page of the navigation with the pages below it. */
interface Placed {
  group: string
  label: string
  page: Content
  below: Content[]
}

const home = '/docs'
const nameOf = (path: string): string => path.replace(/^docs\/(.*)\.md$/, '$1')
const decisionsFolder = 'docs/decisions/'
/** The list of all pages in the repository, which is printed from `groups`. The home page is the same list. */
const indexPath = 'docs/README.md'

export async function makeSite(sources: Sources): Promise<Site> {
  const { groups = guideGroups, moved = guidesMoved } = sources
  const faults: string[] = []
  const documents = [...sources.documents].filter(([path]) => path !== indexPath)
  const parsed = new Map(documents.map(([path, text]) => [path, parse(text)]))
  const languages = [...parsed.values()].flatMap((each) => [...each.languages])
  const highlight = await highlighter([...languages, ...exampleLanguages])
  const addresses = addressesOf([...parsed.keys()], sources.files)
  const places = { addresses, exists: sources.exists }

  const guide = (path: string, summary: string): Content => {
    const found = parsed.get(path)
    if (!found) throw new Error(`there is no ${path}`)
    const html = render(found, {
      highlight,
      target: (link) => resolveLink(link, path, places),
      onFault: (fault) => faults.push(`${path} ${fault}`),
    })
    const { title, headings, passages } = found
    const edited = sources.edited.get(path)
    return { address: addresses.get(path)!, title, summary, html, headings, passages, edited }
  }

  const listed = groups.flatMap(({ guides }) => guides.map(({ name }) => name))
  for (const path of parsed.keys())
    if (!path.startsWith(decisionsFolder) && !listed.includes(nameOf(path)))
      faults.push(`${path} is missing in packages/docs/src/pages.ts`)

  const reference = referencePages(sources.openapi, highlight)
  const decisions = decisionPages(parsed, (path) => guide(path, ''))
  const made = new Map<string, Content[]>([
    [madePages.reference, reference],
    [madePages.decisions, decisions],
  ])
  const placed = groups.flatMap(({ title, guides }) =>
    guides.flatMap(({ name, label, summary }): Placed[] => {
      const [page, ...below] =
        made.get(name) ?? (parsed.has(`docs/${name}.md`) ? [guide(`docs/${name}.md`, summary)] : [])
      if (!page) faults.push(`packages/docs/src/pages.ts names docs/${name}.md, which does not exist`)
      return page ? [{ group: title, label: label ?? page.title, page: { ...page, summary, group: title }, below }] : []
    }),
  )
  const navigation = navigationOf(placed)
  const pages: Content[] = [
    homePage(placed),
    ...inOrder(placed.map(({ page }) => page)),
    ...placed.flatMap(({ page, below }) =>
      inOrder([page, ...below.map((each) => ({ ...each, group: page.title }))]).slice(1),
    ),
  ]

  const html = new Map(pages.map((page) => [page.address, pageHtml(page, navigation)]))
  const notFound = pageHtml(notFoundPage, navigation)
  const forwards = Object.values(moved).map((to) => `<a href="${home}/${to}"></a>`)
  const checked: [string, string][] = [
    ['/docs/404', notFound],
    ['/docs/moved.json', forwards.join('')],
  ]
  faults.push(...deadLinks(new Map([...html, ...checked, ...known(sources.files)])))
  return {
    files: new Map([
      ...[...html].map(([address, text]): [string, string] => [fileOf(address), text]),
      ['404.html', notFound],
      ['moved.json', JSON.stringify(moved)],
      ['assets/search.json', searchIndex(entriesOf(pages))],
      [
        'assets/guides.json',
        JSON.stringify(navigation.flatMap(({ links }) => links.map(({ address, label }) => ({ address, label })))),
      ],
    ]),
    faults,
  }
}

const notFoundPage: Page = {
  address: '',
  title: 'Not found',
  summary: 'There is no such page.',
  html: notFoundHtml,
  headings: [],
}

/** `/docs/sdk` is the file `sdk.html`. */
export const fileOf = (address: string): string =>
  address === home ? 'index.html' : `${address.slice(home.length + 1)}.html`

/** The files that build.ts adds to the pages. */
export const assetNames = ['site.css', 'site.js', 'color-scheme.js', 'mark.svg']

const known = (files: readonly string[]): [string, string][] =>
  [...assetNames.map((name) => `${assets}/${name}`), ...files.map((path) => `/${path}`)].map((address) => [address, ''])

function addressesOf(documents: string[], files: readonly string[]): Map<string, string> {
  return new Map([
    ...documents.map((path): [string, string] => [path, `/${path.replace(/\.md$/, '')}`]),
    ...files.map((path): [string, string] => [path, `/${path}`]),
    ['docs/decisions', `${home}/${madePages.decisions}`],
    [indexPath, home],
    ['docs/openapi.json', '/openapi.json'],
  ])
}

/** Adds the previous and the next page to each page. */
function inOrder<P extends Page>(pages: P[]): P[] {
  const neighbour = (page: P | undefined) => page && { address: page.address, title: page.title }
  return pages.map((page, index) => ({
    ...page,
    previous: neighbour(pages[index - 1]),
    next: neighbour(pages[index + 1]),
  }))
}

function decisionPages(parsed: ReadonlyMap<string, Parsed>, page: (path: string) => Content): Content[] {
  const paths = [...parsed.keys()].filter((path) => path.startsWith(decisionsFolder)).sort()
  const pages = paths.map(page)
  const items = pages.map(({ address, title }) => `<li><a href="${address}">${escapeHtml(title)}</a></li>\n`)
  const html = `<h1>Decisions</h1>\n<p>The main design decisions, each with its background and its consequences.</p>\n<ul class="plain">\n${items.join('')}</ul>\n`
  const list = {
    address: `${home}/${madePages.decisions}`,
    title: 'Decisions',
    summary: '',
    html,
    headings: [],
    passages: [],
  }
  return [list, ...pages]
}

function navigationOf(placed: Placed[]): NavigationGroup[] {
  const link = ({ address, label, title }: Content) => ({ address, label: label ?? title })
  return groupsOf(placed).map(([title, rows]) => ({
    title,
    links: rows.map(({ label, page, below }) => ({ address: page.address, label, below: below.map(link) })),
  }))
}

function homePage(placed: Placed[]): Content {
  const cards = groupsOf(placed).map(([title, rows]) => ({
    title,
    cards: rows.map(({ label, page }) => ({ address: page.address, title: label, summary: page.summary })),
  }))
  return {
    address: home,
    title: 'Documentation',
    summary: 'Guides and API reference of Svc: feature flags and A/B tests in a service of your own.',
    html: homeHtml(cards),
    headings: [],
    passages: [],
  }
}

const groupsOf = (placed: Placed[]): [title: string, rows: Placed[]][] => [...Map.groupBy(placed, ({ group }) => group)]

function entriesOf(pages: Content[]): Entry[] {
  return pages
    .flatMap(({ address, title, passages }) =>
      passages.map(({ heading, text }) => ({
        address: heading.level === 1 ? address : `${address}#${heading.slug}`,
        page: title,
        heading: heading.text,
        text,
      })),
    )
    .map((entry, id) => ({ id, ...entry }))
}
