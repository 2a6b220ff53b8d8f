import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClient } from '../../sdk/src/client.ts'
import { createKept, keptIn } from '../../sdk/src/web/kept.ts'
import { createWeb } from '../../sdk/src/web-server.ts'
import type { ServedExperiment, WebDocument } from './document.ts'
import type { Api } from './engine/api.ts'
import { contextOf } from './engine/context.ts'
import type { Host, Part } from './engine/part.ts'
import { conditionsOf, createVisit, type Step } from './engine/visit.ts'
import { isRedirecting } from './redirecting.ts'
import { isKeeping } from './tests.ts'

const parts: Part[] = []
Object.assign(globalThis, { svcParts: parts })
// They add themselves, in the order in which they act.
for (const name of ['sticky', 'consent', 'activation', 'redirects']) await import(`./engine/parts/${name}.ts`)

/** What a page view comes to. Of those who are counted, only visitors of redirects are: the script counts the others. */
interface Outcome {
  taken: Record<string, unknown>
  redirect: string | null
  counted: string[]
  /** The cookie with what the visitor keeps, if there is a new one. */
  kept: string
}

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
    .record({
      ...{ traffic: fc.constantFrom(5000, 10_000), end: fc.nat(10_000), when: condition },
      ...{ bucketBy: fc.constantFrom('targetingKey', 'targetingKey', 'plan'), sticky: fc.boolean() },
    })
    .map(({ traffic, end, when, bucketBy, sticky }) => ({
      ...{ id: '1', type: 'AB_TEST', when, bucketBy: [bucketBy], hashVersion: 1, salt: 's', traffic, sticky },
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
  activation: fc.constantFrom('PAGE', 'PAGE', 'SEEN', 'CALL'),
  redirect: fc.option(
    fc.record({
      url: fc
        .tuple(fc.constantFrom(...hosts), fc.constantFrom(...paths), fc.constantFrom(...queries))
        .map(([host, path, query]) => `https://${host}${path}${query}`),
      keepQuery: fc.boolean(),
    }),
  ),
})
const consents = fc.constantFrom(
  ...(['NOT_REQUIRED', 'REQUIRED'] as const).flatMap((consent) =>
    (['HOLD', 'APPLY'] as const).flatMap((pending) => [true, false].map((isGiven) => ({ consent, pending, isGiven }))),
  ),
)
/** What a visitor keeps, of rules and units that there can be. */
const keptCookie = fc
  .array(fc.tuple(fc.nat(2), fc.constantFrom('v-1', 'v-2', 'pro', 'nl'), fc.constantFrom('original', 'other', 'gone')))
  .map((entries) => {
    const kept = createKept('', 'e')
    for (const [ruleId, unit, variationKey] of entries) kept.set(String(ruleId), unit, variationKey)
    return `svc_kept=${kept.text()}`
  })
const view = fc.record({
  cookie: keptCookie,
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

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }
}

/** The engine with its parts in a page without a document. */
async function outcomeInPage(file: object, web: WebDocument, given: View, isGiven: boolean): Promise<Outcome> {
  const { address, referrer, isNew, id, own, device, language, cookie } = given
  let redirect: string | null = null
  const go = (to: string): void => {
    redirect = to
  }
  let isJoined = web.settings.consent === 'NOT_REQUIRED'
  const location = { href: address, origin: new URL(address).origin, replace: go }
  const sees = { observe() {}, disconnect() {} }
  const page = {
    ...{ location, navigator: { language }, screen: { width: 400, height: 800 } },
    matchMedia: () => ({ matches: device === 'mobile' }),
    document: { cookie: `svc_id=${id}; ${cookie}${isGiven ? '; svc_consent=1' : ''}`, querySelectorAll: () => [] },
    sessionStorage: storage(),
    setTimeout() {},
    addEventListener() {},
    IntersectionObserver: function IntersectionObserver() {
      return sees
    },
    MutationObserver: function MutationObserver() {
      return sees
    },
  }
  let kept = keptIn(cookie)
  const keep = (_name: string, text: string): void => {
    kept = text
  }
  const cookies = { drop() {}, keep }
  const exposed: string[] = []
  const expose = (key: string) => void (isJoined && exposed.push(key))
  const host = {
    ...{ page, file, web, api: {} as Api, settings: { sdkKey: 'sdk_1', eventsUrl: '', warn: expect.unreachable } },
    ...{ fetch: expect.unreachable, cookies, conditionOf: conditionsOf(file as never) },
    ...{ look() {}, leave() {}, sendNow() {}, expose, setCss() {}, setChanges() {} },
    join() {
      isJoined = true
    },
    contextNow: () => ({ targetingKey: id }),
  }
  // As the script has them: those that the content needs.
  const isNeeded = [
    isKeeping(file as never),
    web.settings.consent === 'REQUIRED',
    web.experiments.some(({ activation }) => activation !== 'PAGE'),
    web.experiments.some(isRedirecting),
  ]
  const steps = parts.flatMap((part, index): Step[] => (isNeeded[index] ? [part(host as unknown as Host)] : []))
  const visit = createVisit(host as never, steps)
  if (isJoined) host.join()
  const context = { ...contextOf(page as never, { isNew, referrer }), ...own, targetingKey: id }
  const taken = visit(context, false)
  // The page goes when all visitors are counted.
  await Promise.resolve()
  return { taken, redirect, counted: exposed.filter((key) => redirectingKeys(web).includes(key)), kept }
}
type View = typeof view extends fc.Arbitrary<infer Given> ? Given : never

const redirectingKeys = ({ experiments }: WebDocument): string[] =>
  experiments.filter(isRedirecting).map(({ key }) => key)

/** The same by a server that knows of the browser what a site can tell it. */
async function outcomeOnServer(file: object, web: WebDocument, given: View, isGiven: boolean): Promise<Outcome> {
  const answers = { '.js': 'run()', json: JSON.stringify(web) }
  const counted: string[] = []
  const client = createClient({
    ...{ sdkKey: 'sdk_1', baseUrl: 'https://svc.example', bootstrap: file as never },
    logger: { warn() {} },
    fetch: async (url, init) => {
      if (String(url).endsWith('/events'))
        for (const { flagKey } of JSON.parse(String(init?.body)).events) counted.push(flagKey)
      const body = Object.entries(answers).find(([end]) => String(url).endsWith(end) && String(url).includes('/web/'))
      return new Response(body?.[1], { status: body ? 200 : 503 })
    },
  })
  try {
    const server = createWeb({ client })
    if (!(await server.waitUntilReady())) throw new Error('the server is not ready')
    const { address, referrer, id, isNew, own, device, language, cookie } = given
    const { kept } = server.visitor(cookie)
    const { experiments, redirect, setCookie } = server.decide({
      ...{ url: address, referrer, visitor: { id, isNew, kept }, attributes: { device, language, ...own } },
      consent: isGiven || undefined,
    })
    return {
      ...{ redirect, counted, kept: keptIn(String(setCookie)) },
      taken: Object.fromEntries(experiments.map(({ key, variationKey }) => [key, variationKey])),
    }
  } finally {
    // It sends what waits.
    await client.close()
  }
}

test('a server and the script in the page decide, redirect and count the same', async () => {
  const seen = { taken: 0, redirected: 0, counted: 0, open: 0, kept: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(experiment, { minLength: 1, maxLength: 3 }),
      view,
      consents,
      async (experiments, given, { consent, pending, isGiven }) => {
        const flags = experiments.flatMap(({ rules, overrides, enabled, isServed }, index) =>
          isServed
            ? [
                [
                  `x${index}`,
                  {
                    ...{ id: 'f', type: 'STRING', enabled, overrides, defaultVariation: 'original' },
                    rules: rules.map((each) => ({ ...each, id: `${index}` })),
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
          settings: { consent, pending, privacy: true, maxDelayMs: 2000, cookieDomain: null },
          experiments: experiments.map(({ pages, activation, redirect }, index) => ({
            ...{ key: `x${index}`, activation: activation as ServedExperiment['activation'], applyAt: 'AUTO' },
            activationSelector: activation === 'SEEN' ? 'h1' : null,
            variations: redirect ? { other: { css: [], changes: [], redirect, code: null } } : {},
            pages: pages as ServedExperiment['pages'],
          })),
        }
        const inPage = await outcomeInPage(file, web, given, isGiven)
        const isOpen = consent === 'REQUIRED' && !isGiven
        seen.taken += Object.keys(inPage.taken).length
        seen.redirected += inPage.redirect ? 1 : 0
        seen.counted += inPage.counted.length
        seen.open += isOpen ? 1 : 0
        // The page alone knows the id of a new visitor who has not answered.
        const { kept, ...shown } = inPage
        const expected = isOpen && given.isNew ? { taken: {}, redirect: null, counted: [] } : shown
        const { kept: keptByServer, ...found } = await outcomeOnServer(file, web, given, isGiven)
        expect(found).toEqual(expected)
        const [inCookie, ofPage, ofServer] = [given.cookie, kept, keptByServer].map((text) =>
          createKept(text, 'e').text().split('~').filter(Boolean),
        )
        // The page keeps more: it decides what is left to it, too.
        expect(ofPage).toEqual(expect.arrayContaining(ofServer!))
        seen.kept += ofServer!.some((each) => !inCookie!.includes(each)) ? 1 : 0
      },
    ),
    { numRuns: 1000 },
  )
  // Otherwise, it would only compare visitors to whom nothing happens.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(15)
})
