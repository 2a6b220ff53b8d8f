import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClient } from '../../sdk/src/client.ts'
import { createWeb } from '../../sdk/src/web-server.ts'
import type { ServedExperiment, WebDocument } from './document.ts'
import { contextOf } from './engine/context.ts'
import { createVisit } from './engine/visit.ts'

type Attributes = Record<string, unknown>

const hosts = ['shop.example', 'www.shop.example']
const paths = ['/', '/pricing', '/pricing/', '/Pricing', '/a%20b']
const queries = ['', '?a=1', '?a=1&a=2', '?utm_source=mail&A=1', '?a=%2F']
const names = ['page.url', 'page.host', 'page.path', 'page.query.a', 'page.hash', 'page.referrer', 'visitor.isNew']
const values = ['https://shop.example/pricing', ...hosts, ...paths, '1', '/', '#top', 'new', 'nl', 'pro', true]

const test_ = fc.record({
  attribute: fc.constantFrom(
    ...names,
    'visitor',
    'utm_source',
    'referrer',
    'device',
    'language',
    'plan',
    'targetingKey',
  ),
  operator: fc.constantFrom('equals', 'notEquals', 'contains', 'startsWith', 'endsWith', 'exists', 'notExists'),
  value: fc.constantFrom(...values),
})
const { condition } = fc.letrec<{ condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: fc.constant({ all: [] }) },
    test_.map(({ operator, ...rest }) =>
      /xists/.test(operator) ? { attribute: rest.attribute, operator } : { operator, ...rest },
    ),
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}))
const rule = fc.oneof(
  fc
    .record({ traffic: fc.constantFrom(5000, 10_000), end: fc.nat(10_000), when: condition })
    .map(({ traffic, end, when }) => ({
      ...{ id: '1', type: 'AB_TEST', when, bucketBy: ['targetingKey'], hashVersion: 1, salt: 's', traffic },
      split: [
        { variation: 'original', end },
        { variation: 'other', end: 10_000 },
      ],
    })),
  condition.map((when) => ({ id: '1', type: 'TARGETED_DELIVERY', when, variation: 'other' })),
)
const experiment = fc.record({
  pages: fc.dictionary(fc.constantFrom('one', 'two', 'three'), condition, { minKeys: 1, maxKeys: 3 }),
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
  overrides: fc.dictionary(fc.constantFrom('v-1', 'v-2'), fc.constantFrom('original', 'other')),
  enabled: fc.constantFrom(true, true, false),
  isServed: fc.constantFrom(true, true, false),
})
const view = fc.record({
  address: fc
    .tuple(
      fc.constantFrom(...hosts),
      fc.constantFrom(...paths),
      fc.constantFrom(...queries),
      fc.constantFrom('', '#top'),
    )
    .map(([host, path, query, hash]) => `https://${host}${path}${query}${hash}`),
  referrer: fc.constantFrom('', 'https://search.example/?q=1', 'https://shop.example/', 'about:client'),
  isNew: fc.boolean(),
  id: fc.oneof(fc.constantFrom('v-1', 'v-2'), fc.string({ minLength: 1 })),
  own: fc.dictionary(fc.constantFrom('plan', 'visitor', 'page.path', '__proto__'), fc.constantFrom(...values)),
  device: fc.constantFrom('desktop', 'mobile'),
  language: fc.constantFrom('nl', 'en-US'),
})

/** The engine in a page without a document. */
function takenInPage(
  file: object,
  web: WebDocument,
  { address, referrer, isNew, id, own, ...browser }: View,
): Attributes {
  const page = {
    location: { href: address },
    navigator: { language: browser.language },
    matchMedia: () => ({ matches: browser.device === 'mobile' }),
    screen: { width: 400, height: 800 },
  }
  const visit = createVisit({ file, web } as never, { setChanges() {}, setCss() {}, expose() {} }, [])
  const context = { ...contextOf(page as never, { isNew, referrer }), ...own, targetingKey: id }
  return visit(context, false)
}
type View = typeof view extends fc.Arbitrary<infer Given> ? Given : never

/** The same by a server that knows of the browser what a site can tell it. */
async function takenOnServer(file: object, web: WebDocument, given: View): Promise<Attributes> {
  const answers = { '.js': 'run()', json: JSON.stringify(web) }
  const client = createClient({
    ...{ sdkKey: 'sdk_1', baseUrl: 'https://svc.example', bootstrap: file as never, tracking: false },
    logger: { warn() {} },
    fetch: async (url) => {
      const body = Object.entries(answers).find(([end]) => String(url).endsWith(end) && String(url).includes('/web/'))
      return new Response(body?.[1], { status: body ? 200 : 503 })
    },
  })
  try {
    const server = createWeb({ client })
    if (!(await server.waitUntilReady())) throw new Error('the server is not ready')
    const { address, referrer, id, isNew, own, device, language } = given
    const visit = server.decide({
      ...{ url: address, referrer, visitor: { id, isNew }, attributes: { device, language, ...own } },
    })
    return Object.fromEntries(visit.experiments.map(({ key, variationKey }) => [key, variationKey]))
  } finally {
    await client.close()
  }
}

test('a server and the script in the page decide the same', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.array(experiment, { minLength: 1, maxLength: 3 }), view, async (experiments, given) => {
      const flags = experiments.flatMap(({ rules, overrides, enabled, isServed }, index) =>
        isServed
          ? [
              [
                `x${index}`,
                {
                  ...{ id: 'f', type: 'STRING', enabled, overrides, rules, defaultVariation: 'original' },
                  variations: { original: 'original', other: 'other' },
                },
              ],
            ]
          : [],
      )
      const file = {
        ...{ schemaVersion: 1, revision: 7, environment: { id: 'e', key: 'production' }, publishedAt: null },
        ...{ audiences: {}, exclusionGroups: {}, events: {}, flags: Object.fromEntries(flags) },
      }
      const web: WebDocument = {
        ...{ schemaVersion: 1, revision: 7, goals: [] },
        settings: { consent: 'NOT_REQUIRED', pending: 'HOLD', privacy: true, maxDelayMs: 2000, cookieDomain: null },
        experiments: experiments.map(({ pages }, index) => ({
          ...{ key: `x${index}`, activation: 'PAGE', activationSelector: null, applyAt: 'AUTO', variations: {} },
          pages: pages as ServedExperiment['pages'],
        })),
      }
      const inPage = takenInPage(file, web, given)
      taken += Object.keys(inPage).length
      expect(await takenOnServer(file, web, given)).toEqual(inPage)
    }),
    { numRuns: 500 },
  )
  // Otherwise, it would only compare visitors who take no part.
  expect(taken).toBeGreaterThan(100)
})
