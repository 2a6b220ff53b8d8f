import { highlighter } from './highlight.ts'
import { type Card, homeHtml, notFoundHtml } from './home.ts'
import { escapeHtml } from './html.ts'
import { assets, type NavigationGroup, type NavigationLink, type Page, pageHtml } from './layout.ts'
import { deadLinks, resolveLink } from './links.ts'
import { type Parsed, type Passage, parse, render } from './markdown.ts'
import { decisionsPage, type Group, groups as guideGroups, referencePage } from './pages.ts'
import type { OpenApi } from './reference/openapi.ts'
import { exampleLanguages, referencePages } from './reference/pages.ts'
import { type Entry, searchIndex } from './search-index.ts'

export interface Sources {
  /** The Markdown files of docs/ by path, such as `docs/sdk.md` and `docs/decisions/0001-….md`. */
  documents: ReadonlyMap<string, string>
  /** Other files of docs/, which are copied: pictures, schemas. */
  files: readonly string[]
  openapi: OpenApi
  /** Date of the last edit by path. */
  edited: ReadonlyMap<string, string>
  exists: (path: string) => boolean
  groups?: Group[]
}

export interface Site {
  /** Content by path below the folder of the site. */
  files: Map<string, string>
  /** What is wrong in the sources: dead links, guides without a place. */
  faults: string[]
}

type Content = Page & { passages: Passage[] }

const home = '/docs'
const decisionsFolder = 'docs/decisions/'

export async function makeSite(sources: Sources): Promise<Site> {
  const { groups = guideGroups } = sources
  const faults: string[] = []
  const parsed = new Map([...sources.documents].map(([path, text]) => [path, parse(text)]))
  const languages = [...parsed.values()].flatMap((each) => [...each.languages])
  const highlight = await highlighter([...languages, ...exampleLanguages])
  const addresses = addressesOf([...parsed.keys()], sources.files)
  const places = { addresses, exists: sources.exists }

  const guide = (path: string, summary: string, group?: string): Content => {
    const found = parsed.get(path)
    if (!found) throw new Error(`there is no ${path}`)
    const html = render(found, {
      highlight,
      target: (link) => resolveLink(link, path, places),
      onFault: (fault) => faults.push(`${path} ${fault}`),
    })
    const { title, headings, passages } = found
    const edited = sources.edited.get(path)
    return { address: addresses.get(path)!, title, summary, ...(group && { group }), html, headings, passages, edited }
  }

  const listed = groups.flatMap(({ guides }) => guides.map(({ name }) => `docs/${name}.md`))
  for (const path of parsed.keys())
    if (!path.startsWith(decisionsFolder) && !listed.includes(path))
      faults.push(`${path} has no place in packages/docs/src/pages.ts`)
  for (const path of listed)
    if (!parsed.has(path)) faults.push(`packages/docs/src/pages.ts names ${path}, which does not exist`)

  const guides = groups.flatMap((group) =>
    group.guides
      .filter(({ name }) => parsed.has(`docs/${name}.md`))
      .map(({ name, summary }) => guide(`docs/${name}.md`, summary, group.title)),
  )
  const lastGroup = groups.at(-1)?.title ?? ''
  const reference = referencePages(sources.openapi, highlight).map((page) => ({ ...page, group: referencePage.label }))
  const decisions = decisionPages(parsed, (path) => guide(path, '', decisionsPage.label))
  const navigation = navigationOf(groups, parsed, reference)
  const main = [...guides, { ...reference[0]!, group: lastGroup }]
  const pages: Content[] = [
    homePage(groups, parsed),
    ...inOrder(main),
    ...inOrder(reference).slice(1),
    ...inOrder(decisions),
  ]

  const html = new Map(pages.map((page) => [page.address, pageHtml(page, decisionsBelow(navigation, page))]))
  const notFound = pageHtml(
    { address: '', title: 'Not found', summary: 'There is no such page.', html: notFoundHtml, headings: [] },
    navigation,
  )
  faults.push(...deadLinks(new Map([...html, ['/docs/404', notFound], ...known(sources.files)])))
  return {
    files: new Map([
      ...[...html].map(([address, text]): [string, string] => [fileOf(address), text]),
      ['404.html', notFound],
      ['assets/search.json', searchIndex(entriesOf(pages))],
    ]),
    faults,
  }
}

/** `/docs/sdk` is the file `sdk.html`. */
export const fileOf = (address: string): string =>
  address === home ? 'index.html' : `${address.slice(home.length + 1)}.html`

/** The names of what build.ts puts beside the pages. */
export const assetNames = ['site.css', 'site.js', 'color-scheme.js', 'mark.svg']

const known = (files: readonly string[]): [string, string][] =>
  [...assetNames.map((name) => `${assets}/${name}`), ...files.map((path) => `/${path}`)].map((address) => [address, ''])

function addressesOf(documents: string[], files: readonly string[]): Map<string, string> {
  return new Map([
    ...documents.map((path): [string, string] => [path, `/${path.replace(/\.md$/, '')}`]),
    ...files.map((path): [string, string] => [path, `/${path}`]),
    ['docs/decisions', decisionsPage.address],
    ['docs/openapi.json', '/openapi.json'],
  ])
}

/** Each with the page before and the page after it. */
function inOrder<P extends Page>(pages: P[]): P[] {
  const neighbour = (page: P | undefined) => page && { address: page.address, title: page.title }
  return pages.map((page, index) => ({
    ...page,
    previous: neighbour(pages[index - 1]),
    next: neighbour(pages[index + 1]),
  }))
}

function decisionPages(parsed: ReadonlyMap<string, Parsed>, page: (path: string) => Content): Content[] {
  const pages = [...parsed.keys()]
    .filter((path) => path.startsWith(decisionsFolder))
    .sort()
    .map(page)
  const items = pages.map(({ address, title }) => `<li><a href="${address}">${escapeHtml(title)}</a></li>\n`)
  const html = `<h1>Decisions</h1>\n<p>Why things are as they are: the background, the decision, and what follows from it.</p>\n<ul>\n${items.join('')}</ul>\n`
  const { address, summary } = decisionsPage
  return [{ address, title: 'Decisions', summary, group: 'Reference', html, headings: [], passages: [] }, ...pages]
}

function navigationOf(
  groups: Group[],
  parsed: ReadonlyMap<string, Parsed>,
  reference: NavigationLink[],
): NavigationGroup[] {
  const [first, ...below] = reference
  const more = [
    ...(first ? [{ address: first.address, label: referencePage.label, below }] : []),
    { address: decisionsPage.address, label: decisionsPage.label },
  ]
  return groups.map(({ title, guides }, index) => ({
    title,
    links: [
      ...guides
        .filter(({ name }) => parsed.has(`docs/${name}.md`))
        .map(({ name, label }) => ({ address: `${home}/${name}`, label: label ?? titleOf(parsed, name) })),
      ...(index === groups.length - 1 ? more : []),
    ],
  }))
}

const titleOf = (parsed: ReadonlyMap<string, Parsed>, name: string): string =>
  parsed.get(`docs/${name}.md`)?.title ?? name

/** A decision is not in the navigation; while it is open it stands below its list. */
function decisionsBelow(navigation: NavigationGroup[], { address, title }: Page): NavigationGroup[] {
  if (!address.startsWith(`/${decisionsFolder}`)) return navigation
  const open = (link: NavigationLink): NavigationLink =>
    link.address === decisionsPage.address ? { ...link, below: [{ address, label: title }] } : link
  return navigation.map((group) => ({ ...group, links: group.links.map(open) }))
}

function homePage(groups: Group[], parsed: ReadonlyMap<string, Parsed>): Content {
  const cards = groups.map(({ title, guides }, index) => ({
    title,
    cards: [
      ...guides
        .filter(({ name }) => parsed.has(`docs/${name}.md`))
        .map(
          ({ name, label, summary }): Card => ({
            address: `${home}/${name}`,
            title: label ?? titleOf(parsed, name),
            summary,
          }),
        ),
      ...(index === groups.length - 1
        ? [referencePage, decisionsPage].map(({ address, label, summary }) => ({ address, title: label, summary }))
        : []),
    ],
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
