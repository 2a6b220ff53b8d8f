import { expect, it } from 'vitest'
import { escapeHtml } from './html.ts'
import { parse, render } from './markdown.ts'

function rendered(text: string, faults: string[] = []): string {
  return render(parse(text), {
    highlight: escapeHtml,
    target: (link) =>
      link === 'gone.md'
        ? { fault: 'gone' }
        : link === 'source.ts'
          ? { onlyInRepository: true }
          : { href: `/to/${link}` },
    onFault: (fault) => faults.push(fault),
  })
}

it.each([
  ['a link', '[here](a.md)', '<a href="/to/a.md">here</a>'],
  [
    'a link to a file that only the repository has as its text',
    '[here](source.ts), [there](a.md)',
    '<p>here, <a href="/to/a.md">there</a></p>',
  ],
  ['a picture', '![Two nodes](a.svg)', '<img src="/to/a.svg" alt="Two nodes">'],
  [
    'a heading with an id and a link to itself',
    '# T\n\n## A `b` c',
    '<h2 id="a-b-c">A <code>b</code> c</h2><a class="anchor" href="#a-b-c" aria-label="Link to “A b c”">',
  ],
  ['code, escaped', '```ts\na < b\n```', '<pre tabindex="0"><code>a &lt; b</code></pre>'],
  [
    'long names in tables with line-break opportunities',
    '|a|\n|---|\n|`SVC_DATABASE_URL`|',
    '<code>SVC_<wbr>DATABASE_<wbr>URL</code>',
  ],
  ['alignment by class', '|a|b|\n|--:|---|\n|1|2|', '<th class="right">a</th>'],
  [
    'a table that can be scrolled by keyboard',
    '|a|\n|---|\n|1|',
    '<div class="table" role="group" aria-label="Table" tabindex="0">',
  ],
])('a page shows %s', (_what, text, html) => expect(rendered(text)).toContain(html))

it.each([
  ['a comment in a block', 'before\n\n<!-- printed -->\n\nafter', 'printed'],
  ['a comment in a line', 'before <!-- printed --> after', 'printed'],
  ['an empty table header', '| | |\n|---|---|\n|1|2|', 'thead'],
  ['a style', '|a|\n|--:|\n|1|', 'style='],
])('a page omits %s', (_what, text, html) => expect(rendered(text)).not.toContain(html))

it('the build reports a dead link', () => {
  const faults: string[] = []
  rendered('[here](gone.md)', faults)
  expect(faults).toEqual(['gone'])
})

it('the reader finds the title, the headings, the languages and the text below each heading', () => {
  const { title, headings, languages, passages } = parse(
    '# Title\n\nFirst [link](a.md).\n\n## Part\n\n- one\n- two\n\n```sh\nls\n```\n\n### Deeper\n\n|a|\n|---|\n|b|',
  )
  expect(title).toBe('Title')
  expect(headings.map(({ level, slug }) => [level, slug])).toEqual([
    [1, 'title'],
    [2, 'part'],
    [3, 'deeper'],
  ])
  expect([...languages]).toEqual(['sh'])
  expect(passages.map(({ text }) => text)).toEqual(['First link.', 'one two ls', 'a b'])
})
