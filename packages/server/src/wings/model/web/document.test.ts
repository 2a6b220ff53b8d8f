import { expect, test } from 'vitest'
import { type Change, changeSchema } from './changes.ts'
import { activationSelectorFault, firstWebContent, noContent } from './content.ts'
import { type ServedExperiment, servedCode, webDocument } from './document.ts'
import { defaultWebSettings } from './settings.ts'

const changes: Change[] = [
  { type: 'TEXT', selector: 'h1', value: 'From € 9', was: 'private', page: 'pricing' },
  { type: 'HTML', selector: '.note', value: '<b class="x">a</b>&amp;' },
  { type: 'ATTRIBUTE', selector: 'a', name: 'href', value: null },
  { type: 'IMAGE', selector: 'img', value: '/a.png' },
  { type: 'CLASS', selector: 'p', add: ['x'] },
  { type: 'STYLE', selector: 'p', value: { color: 'red' } },
  { type: 'HIDE', selector: 'q', page: 'pricing' },
  { type: 'INSERT', selector: 'p', value: 'a<br>', position: 'LAST' },
  { type: 'MOVE', selector: 'p', to: 'q', position: 'AFTER' },
].map((fields, index) => changeSchema.parse({ id: `private${index}`, ...fields }))

const experiment = (key: string, more: Partial<ServedExperiment> = {}): ServedExperiment => ({
  ...firstWebContent,
  key,
  variations: { original: noContent, price: { ...noContent, css: 'b{}' } },
  ...more,
})
const settings = { ...defaultWebSettings, hosts: ['private.example'] }
const read = (content: Parameters<typeof webDocument>[0]) => JSON.parse(webDocument(content).text)

test('pages get what they need, and nothing else', () => {
  const content = {
    revision: 42,
    settings,
    experiments: [
      experiment('x12', {
        pages: [
          {
            key: 'pricing',
            name: 'private',
            url: 'https://private.example',
            conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
          },
        ],
        variations: { original: noContent, price: { changes, css: '.x{}', js: 'private()', redirect: null } },
      }),
    ],
  }
  const { text, bytes } = webDocument(content)
  expect(JSON.parse(text)).toEqual({
    schemaVersion: 1,
    revision: 42,
    settings: { consent: 'NOT_REQUIRED', pending: 'HOLD', privacy: true, maxDelayMs: 2000, cookieDomain: null },
    experiments: [
      {
        key: 'x12',
        activation: 'PAGE',
        activationSelector: null,
        applyAt: 'AUTO',
        pages: { pricing: { attribute: 'page.path', operator: 'equals', value: '/pricing' } },
        variations: {
          price: {
            css: [
              { page: null, text: '@layer svc{p{color:red!important}}' },
              { page: 'pricing', text: '@layer svc{q{display:none!important}}' },
              { page: null, text: '.x{}' },
            ],
            changes: [
              { type: 'TEXT', page: 'pricing', selector: 'h1', value: 'From € 9' },
              { type: 'HTML', page: null, selector: '.note', value: [['b', { class: 'x' }, 'a'], '&'] },
              { type: 'ATTRIBUTE', page: null, selector: 'a', name: 'href', value: null },
              { type: 'IMAGE', page: null, selector: 'img', value: '/a.png', alt: null },
              { type: 'CLASS', page: null, selector: 'p', add: ['x'], remove: [] },
              { type: 'INSERT', page: null, selector: 'p', value: ['a', ['br', null]], position: 'LAST' },
              { type: 'MOVE', page: null, selector: 'p', to: 'q', position: 'AFTER' },
            ],
            redirect: null,
            code: 0,
          },
        },
      },
    ],
    goals: [],
  })
  expect(text).not.toContain('private')
  expect(bytes).toBe(Buffer.from(text).length)
  expect(bytes).toBeGreaterThan(text.length)
})

test('the text is the same in whatever order experiments and variations come', () => {
  const one = experiment('x2')
  const other = experiment('x10', { variations: { b: { ...noContent, css: 'c{}' }, a: { ...noContent, css: 'd{}' } } })
  const turned = { ...other, variations: { a: other.variations.a!, b: other.variations.b! } }
  const of = (experiments: ServedExperiment[]) => webDocument({ revision: 1, settings, experiments }).text
  expect(of([one, turned])).toBe(of([other, one]))
})

test('code has the numbers of its functions in the script', () => {
  const js = (text: string) => ({ ...noContent, js: text })
  const experiments = [
    experiment('x2', { variations: { b: js('second'), a: js('first'), c: { ...noContent, css: 'x{}' } } }),
    experiment('x1', { variations: { a: js('zeroth') } }),
  ]
  expect(servedCode({ settings, experiments }).map((each) => each.js)).toEqual(['zeroth', 'first', 'second'])
  const codes = (of: Parameters<typeof webDocument>[0]) =>
    read(of).experiments.map(({ variations }: { variations: Record<string, { code: number | null }> }) =>
      Object.values(variations).map(({ code }) => code),
    )
  expect(codes({ revision: 1, settings, experiments })).toEqual([[0], [1, 2, null]])
  const without = { ...settings, codeVariations: false }
  expect(servedCode({ settings: without, experiments })).toEqual([])
  expect(codes({ revision: 1, settings: without, experiments })).toEqual([[null], [null, null, null]])
})

test('a goal of several experiments is there once, and goals are in the order of their events', () => {
  const goal = (eventKey: string) => ({ eventKey, on: 'CLICK' as const, selector: 'a', when: null })
  const experiments = [
    experiment('x1', { goals: [goal('c'), goal('b')] }),
    experiment('x2', { goals: [goal('b'), goal('a')] }),
  ]
  expect(read({ revision: 1, settings, experiments }).goals).toEqual(['a', 'b', 'c'].map(goal))
})

test('an environment without experiments has settings only', () => {
  expect(read({ revision: 0, settings, experiments: [] })).toMatchObject({ experiments: [], goals: [] })
})

test.each([
  ['PAGE', null, undefined],
  ['CALL', null, undefined],
  ['SEEN', '.x', undefined],
  ['SEEN', null, 'is required when activation is SEEN.'],
  ['PAGE', '.x', 'must be null when activation is PAGE.'],
] as const)('with activation %s, the selector %j is judged: %s', (activation, activationSelector, fault) =>
  expect(activationSelectorFault({ activation, activationSelector })).toBe(fault),
)

test('a change whose HTML is refused now is left out and named, and the rest is served', () => {
  const old = { id: 'old', type: 'HTML', page: null, selector: 'p', was: null, value: '<script>1</script>' } as const
  const variations = { price: { ...noContent, changes: [old, ...changes.slice(0, 1)] } }
  const { text, unreadable } = webDocument({ revision: 1, settings, experiments: [experiment('x1', { variations })] })
  expect(JSON.parse(text).experiments[0].variations.price.changes).toMatchObject([{ type: 'TEXT' }])
  expect(unreadable).toEqual([{ key: 'x1', variationKey: 'price', changeId: 'old', fault: expect.any(String) }])
})
