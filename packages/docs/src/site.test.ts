import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSite, type Site, type Sources } from './site.ts'

const isFull = Boolean(process.env.SVC_TEST_FULL)
/** Building takes two seconds alone, and longer next to other tests. */
const makingMs = 300_000
const root = new URL('../../../', import.meta.url).pathname
const paths = globSync('docs/**/*.*', { cwd: root }).sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources: Sources = {
  documents: new Map(paths.filter((path) => path.endsWith('.md')).map((path) => [path, read(path)])),
  files: paths.filter((path) => !path.endsWith('.md')),
  openapi: JSON.parse(read('docs/openapi.json')),
  edited: new Map([['docs/sdk.md', '2026-11-23']]),
  exists: (path) => existsSync(join(root, path)),
}

/** A few guides, and a few operations of the API. */
function partOf({ documents, openapi, ...rest }: Sources): Sources {
  const paths = Object.fromEntries(Object.entries(openapi.paths).slice(0, 5))
  return { ...rest, documents: new Map([...documents].slice(0, 5)), openapi: { ...openapi, paths } }
}

describe('the site', () => {
  let site: Site
  let pages: [name: string, html: string][]
  beforeAll(async () => {
    site = await makeSite(sources)
    pages = [...site.files].filter(([name]) => name.endsWith('.html'))
  }, makingMs)

  it('lists every guide in its navigation and has no dead link', () => expect(site.faults).toEqual([]))

  it('has a page for every guide, every decision and every tag of the API', () => {
    const names = pages.map(([name]) => name)
    const guides = [...sources.documents.keys()].filter((path) => path !== 'docs/README.md')
    for (const path of guides) expect(names).toContain(path.replace(/^docs\/(.*)\.md$/, '$1.html'))
    expect(names).toEqual(
      expect.arrayContaining(['index.html', '404.html', 'api-reference.html', 'api-reference/flag.html']),
    )
  })

  it('describes every operation', () => {
    const ids = Object.values(sources.openapi.paths).flatMap((each) =>
      Object.values(each).map((one) => one.operationId),
    )
    const all = pages.map(([, html]) => html).join('')
    expect(ids.filter((id) => !all.includes(`<h2 id="${id}">`))).toEqual([])
  })

  it('has a language and no inline scripts or styles on every page', () => {
    for (const [name, html] of pages) {
      expect(html, name).toContain('<html lang="en">')
      expect(html, name).not.toMatch(/<style|\sstyle="|\son\w+="|<script(?![^>]*\ssrc=)/)
      expect(html.match(/<h1[\s>]/g), name).toHaveLength(1)
    }
  })

  it('uses each id once per page', () => {
    for (const [name, html] of pages) {
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        name,
      ).toEqual([])
    }
  })

  it('shows when a guide was last edited, if that is known', () => {
    expect(site.files.get('sdk.html')).toContain('Last edited <time datetime="2026-11-23">23 November 2026</time>')
    expect(site.files.get('quickstart.html')).not.toContain('Last edited')
  })

  it('links each guide to the next one and the previous one', () => {
    expect(site.files.get('quickstart.html')).toContain('<a class="next" rel="next" href="/docs/sdk">')
    expect(site.files.get('sdk.html')).toContain('<a class="prev" rel="prev" href="/docs/quickstart">')
  })

  it('has no page for a name that moved', () => {
    const moved = Object.keys(JSON.parse(site.files.get('moved.json') as string))
    expect(moved).toContain('ofrep')
    for (const name of moved) expect(site.files.has(`${name}.html`), name).toBe(false)
  })

  it('lists the guides of the navigation for the dashboard', () => {
    const guides = JSON.parse(site.files.get('assets/guides.json') as string)
    expect(guides).toContainEqual({ address: '/docs/sdk', label: 'JavaScript SDK' })
    for (const { address } of guides) expect(pages.map(([name]) => `/docs/${name}`)).toContain(`${address}.html`)
  })

  // A full run builds all of it again.
  it('is identical when it is built again', { timeout: makingMs }, async () => {
    const again = isFull ? sources : partOf(sources)
    expect((await makeSite(again)).files).toEqual(isFull ? site.files : (await makeSite(again)).files)
  })
})

describe('faults', () => {
  const faultsOf = async (changes: Partial<Sources>) =>
    (
      await makeSite({
        documents: new Map([['docs/a.md', '# A']]),
        files: [],
        openapi: { info: { title: '', version: '' }, paths: {} },
        edited: new Map(),
        exists: () => false,
        groups: [{ title: 'All', guides: [{ name: 'a', summary: '' }] }],
        moved: {},
        ...changes,
      })
    ).faults.filter((fault) => !/^\/docs(?:\/404|\/api-reference)? links to/.test(fault))

  it.each<[string, Partial<Sources>, string[]]>([
    ['there are none', {}, []],
    [
      'a guide is missing in the navigation',
      {
        documents: new Map([
          ['docs/a.md', '# A'],
          ['docs/b.md', '# B'],
        ]),
      },
      ['docs/b.md is missing in packages/docs/src/pages.ts'],
    ],
    [
      'the navigation names a missing guide',
      {
        groups: [
          {
            title: 'All',
            guides: [
              { name: 'a', summary: '' },
              { name: 'b', summary: '' },
            ],
          },
        ],
      },
      ['packages/docs/src/pages.ts names docs/b.md, which does not exist'],
    ],
    [
      'a link is dead',
      { documents: new Map([['docs/a.md', '# A\n\n[b](b.md)']]) },
      ['docs/a.md links to docs/b.md, which does not exist'],
    ],
    [
      'an anchor is dead',
      { documents: new Map([['docs/a.md', '# A\n\n[b](#b)']]) },
      ['/docs/a links to #b, which /docs/a does not have'],
    ],
    [
      'a page moved to a section that does not exist',
      { moved: { b: 'a#b' } },
      ['/docs/moved.json links to #b, which /docs/a does not have'],
    ],
  ])('are reported when %s', async (_what, changes, expected) => expect(await faultsOf(changes)).toEqual(expected))
})
