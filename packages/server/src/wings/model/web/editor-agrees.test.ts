import type { WebDocument } from '@svc/web'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodesOf } from '../../../../../dashboard/editor/html.ts'
import { previewOf } from '../../../../../dashboard/editor/served.ts'
import { changesBody } from './changes.ts'
import { webDocument } from './document.ts'
import { parseHtml } from './html.ts'
import { defaultWebSettings } from './settings.ts'

const pages = ['pricing', 'home', null] as const
const on = fc.record({
  page: fc.constantFrom(...pages),
  selector: fc.constantFrom('h1', 'a.cta', '.hero > p', 'a.b[href]'),
})
const html = fc.constantFrom(
  '<p class="note">No card <b>needed</b></p>',
  'Only &lt; 9 &amp; more',
  '<ul><li>One</li><li>Two</li></ul><br>',
  '<svg viewBox="0 0 1 1"><path d="M0 0"/><use href="#a"></use></svg>',
  '<pre>\n\n a </pre>\r\n<textarea>\n1 &amp; 2</textarea>',
  `<A HREF='/a?b=1&amp;c=2' data-n=3 hidden>&euro;&nbsp;9 &#8364; &#x20AC;</A>`,
  '<img src="/a.png" alt="A &quot;b&quot;"/><x-card a="">&notin; a > b</x-card >',
)
const position = fc.constantFrom('BEFORE', 'AFTER', 'FIRST', 'LAST')
const change = fc
  .tuple(
    on,
    fc.oneof(
      fc.record({ type: fc.constant('TEXT'), value: fc.constantFrom('New', '<b>') }),
      fc.record({ type: fc.constant('HTML'), value: html }),
      fc.record({ type: fc.constant('ATTRIBUTE'), name: fc.constant('href'), value: fc.constantFrom('/b', null) }),
      fc.record({ type: fc.constant('IMAGE'), value: fc.constant('/b.png'), alt: fc.constantFrom('B', null) }),
      fc.record({ type: fc.constant('CLASS'), add: fc.constant(['a']), remove: fc.constant(['b']) }),
      fc.record({ type: fc.constant('STYLE'), value: fc.constant({ color: 'red', 'font-size': '2rem' }) }),
      fc.record({ type: fc.constant('HIDE'), keepSpace: fc.boolean() }),
      fc.record({ type: fc.constant('INSERT'), value: html, position }),
      fc.record({ type: fc.constant('MOVE'), to: fc.constant('main'), position }),
    ),
  )
  .map(([where, what]) => ({ ...where, ...what }))

test('the editor shows what visitors will get', () => {
  const drafts = fc.record({
    changes: fc.array(change, { maxLength: 12 }),
    css: fc.constantFrom(null, '.hero { color: blue }'),
    page: fc.constantFrom('pricing', 'home'),
  })
  fc.assert(
    fc.property(drafts, ({ changes, css, page }) => {
      const body = changesBody.parse({ changes: changes.map((each, nth) => ({ ...each, id: `c${nth}` })), css })
      const variation = { changes: body.changes, css: body.css, js: null, redirect: null }
      const made = webDocument({
        revision: 1,
        settings: defaultWebSettings,
        experiments: [
          {
            key: 'x1',
            pages: [],
            activation: 'PAGE',
            activationSelector: null,
            applyAt: 'AUTO',
            variations: { v: variation },
          },
        ],
      })
      const served = (JSON.parse(made.text) as WebDocument).experiments[0]!.variations.v ?? { css: [], changes: [] }
      const acts = ({ page: of }: { page: string | null }) => of === null || of === page
      const shown = previewOf(body, [page])
      expect(shown.changes.flatMap((each) => each.served ?? [])).toEqual(served.changes.filter(acts))
      const rules = served.css.filter(acts).map(({ text }) => text)
      expect(plain(shown.css)).toBe(plain(rules.join('\n')))
    }),
  )
})

/** Blocks are joined with a line break, rules of one block without. */
const plain = (css: string): string => css.replaceAll('\n', '')

const piece = fc.constantFrom(
  ...['<p>', '</p>', '<b>', '</b>', '<ul>', '</ul>', '<li>', '</li>', '<pre>', '</pre>', '<br>', '<svg>', '</svg>'],
  ...[
    '<path d="M0 0"/>',
    '<a href="/a">',
    '</a>',
    '<img alt=x>',
    '<x-a>',
    '</x-a>',
    '\n',
    ' ',
    'a',
    '&lt;',
    '&amp;',
    '&',
    '<',
    '>',
  ],
)

test('HTML that the service takes is the same tree in the editor', () => {
  let taken = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const read = parseHtml(pieces.join(''))
      if ('faults' in read) return
      taken += 1
      expect(nodesOf(pieces.join(''))).toEqual(read.nodes)
    }),
    { numRuns: 2_000 },
  )
  expect(taken).toBeGreaterThan(50)
})
