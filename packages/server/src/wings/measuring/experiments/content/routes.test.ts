import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newExperiment } from '../../../../../testing/experiments.ts'
import { newFlag, succeed } from '../../../../../testing/flags.ts'
import { auditOf, newPerson, newServiceToken } from '../../../../../testing/people.ts'
import { type Answer, createProject, startTestService, type TestProject } from '../../../../../testing/service.ts'
import { design } from '../../../../../testing/web-experiments.ts'

let moment = Date.parse('2026-11-20T10:00:00Z')
const service = await startTestService({ now: () => new Date(moment) })
let project: TestProject
let url: string
let one: string

beforeEach(async () => {
  moment += 60_000
  project = await createProject(service, service.people.admin, 'WEB')
  url = `${project.path}/experiments`
  const { id } = await done('POST', url, { name: 'Price in the headline', pages: [pricing] })
  one = `${url}/${id}`
})
afterAll(() => service.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  service.call(service.people.admin, method, path, body, headers)
const done = (method: Method, path: string, body?: unknown) => succeed(service, method, path, body)
const issuesOf = ({ body }: Answer) => body.error.details.issues.map(({ path }: { path: string[] }) => path.join('.'))

const pricing = {
  key: 'pricing',
  name: 'Pricing',
  url: 'https://shop.example/pricing',
  conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
}
const text = (id: string, value: string, more: object = {}) => ({
  ...{ id, type: 'TEXT', page: 'pricing', selector: 'h1', value, was: 'Our plans' },
  ...more,
})
const redirect = { url: 'https://shop.example/b', keepQuery: true }
const ofVariation = (what: string, key = 'variation-1') => `${one}/variations/${key}/${what}`
const evenly = (...variations: object[]) =>
  variations.map((variation) => ({ ...variation, weight: 10_000 / variations.length }))

describe('the pages of an experiment', () => {
  test('are shown with its counts, and null for an experiment of a flag', async () => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'From € 9')], css: '.a { color: red }' })
    expect(await done('GET', one)).toMatchObject({
      ...{ pages: [pricing], activation: 'PAGE', activationSelector: null, applyAt: 'AUTO', hasStagedChanges: false },
      variations: [
        { key: 'original', changes: 0, hasCss: false, hasCode: false, redirect: null },
        { key: 'variation-1', changes: 1, hasCss: true, hasCode: false, redirect: null },
      ],
    })
    const flags = await createProject(service)
    const { path } = await newExperiment(service, flags, await newFlag(service, flags, { key: 'tested' }))
    const shown = await done('GET', path)
    expect(shown).toMatchObject({ pages: null, activation: null, activationSelector: null, applyAt: null })
    expect(Object.keys(shown.variations[0])).toEqual(['id', 'key', 'name', 'weight'])
    const refused = await call('PATCH', path, { pages: [], applyAt: 'EARLY' })
    expect([refused.status, issuesOf(refused)]).toEqual([400, ['pages', 'applyAt']])
    for (const what of ['changes', 'code', 'hand-off'])
      expect((await call('GET', `${path}/variations/on/${what}`)).status).toBe(404)
  })

  test.each([
    ['a condition that no page has', { pages: [{ ...pricing, conditions: { segment: 's' } }] }, ['pages.0.conditions']],
    ['two pages of one key', { pages: [pricing, pricing] }, ['pages.1.key']],
    ['an element without its activation', { activationSelector: 'h1' }, ['activationSelector']],
    ['an activation without its element', { activation: 'SEEN' }, ['activationSelector']],
    [
      'a redirect beside changes',
      { variations: evenly({ key: 'original' }, { key: 'variation-1', redirect }) },
      ['variations.1.redirect'],
    ],
    ['a page that a change names', { pages: [], activation: 'SEEN' }, ['activationSelector', 'pages']],
  ])('are refused with %s', async (_what, body, paths) => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'From € 9')] })
    const before = await done('GET', one)
    const answer = await call('PATCH', one, body)
    expect([
      answer.status,
      issuesOf(answer).map((path: string) => paths.find((each) => path.startsWith(each))),
    ]).toEqual([400, paths])
    expect(await done('GET', one)).toEqual(before)
  })

  test('stay with kept variations, and go with variations that go', async () => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'From € 9')] })
    const [, kept, moved] = (
      await done('PATCH', one, {
        variations: evenly({ key: 'original' }, { key: 'variation-1' }, { key: 'other', redirect }, { key: 'last' }),
      })
    ).variations
    expect([kept.changes, moved.redirect]).toEqual([1, redirect])
    await done('PATCH', one, { variations: evenly({ key: 'original' }, { key: 'other', redirect: null }) })
    const again = await done('PATCH', one, { variations: evenly({ key: 'original' }, { key: 'variation-1' }) })
    expect(again.variations.map(({ changes }: { changes: number }) => changes)).toEqual([0, 0])
  })

  test('are copied with changes and code, also of a completed experiment', async () => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'From € 9')] })
    for (const verb of ['launch', 'complete']) await done('POST', `${one}/${verb}`)
    const copyOf = async (path: string) => `${url}/${(await done('POST', `${path}/duplicate`)).id}`
    const first = await copyOf(one)
    await done('PUT', `${first}/variations/variation-1/code`, { js: 'svc.track("seen")' })
    const { id, pages } = await done('GET', await copyOf(first))
    expect(pages).toEqual([pricing])
    const copy = `${url}/${id}/variations/variation-1`
    expect(await done('GET', `${copy}/changes`)).toEqual({ changes: [text('c1', 'From € 9')], css: null })
    expect(await done('GET', `${copy}/code`)).toEqual({ js: 'svc.track("seen")' })
  })
})

describe('the changes of a variation', () => {
  test('are saved as a whole, with differences, an audit entry and an event', async () => {
    const changes = [text('c1', 'From € 9'), text('c2', 'Hello', { page: null })]
    const third = { id: 'c3', type: 'INSERT', selector: 'li:nth-child(2)', value: '<li>New</li>', position: 'BEFORE' }
    const dry = await done('PUT', ofVariation('changes'), { changes: [...changes, third], dryRun: true })
    expect(dry.differences.map(({ path }: { path: string }) => path)).toEqual([
      'changes.c1',
      'changes.c2',
      'changes.c3',
    ])
    expect(dry.warnings).toMatchObject([
      { code: 'OVERWRITTEN' },
      { code: 'SELECTOR_SHIFTS', message: expect.stringContaining('c3 inserts an element, so li:nth-child(2) ') },
    ])
    expect(await done('GET', ofVariation('changes'))).toEqual({ changes: [], css: null })
    await done('PUT', ofVariation('changes'), { changes })
    // The same again changes nothing and tells nothing.
    expect((await done('PUT', ofVariation('changes'), { changes })).differences).toEqual([])
    const audit = (await auditOf(service, (await done('GET', one)).id)).at(-1)!
    expect(audit).toMatchObject({
      action: 'experiment.save_changes',
      before: { variationKey: 'variation-1', changes: [], css: null },
      after: { variationKey: 'variation-1', changes, css: null },
    })
    const events = await done('GET', `${project.path}/events?limit=100`)
    const saved = events.filter(({ event }: { event: string }) => event === 'experiment.visual_changes.saved')
    expect(saved).toMatchObject([
      {
        experiment: { shortId: 1, status: 'DRAFT', previousStatus: 'DRAFT' },
        variation: { key: 'variation-1', name: 'Variation 1' },
        changeSet: { count: 2, previousCount: 0 },
        via: 'API',
      },
    ])
  })

  test('have an ETag of their content', async () => {
    const { headers } = await call('GET', ofVariation('changes'))
    const put = (value: string) =>
      call('PUT', ofVariation('changes'), { changes: [text('c1', value)] }, { 'x-svc-if-match': String(headers.etag) })
    expect((await put('One')).status).toBe(200)
    expect((await put('Two')).status).toBe(412)
  })

  test.each([
    ['an unknown page', { changes: [text('c1', 'x', { page: 'home' })] }, 'changes.0.page'],
    ['a script in HTML', { changes: [text('c1', '<script>1</script>', { type: 'HTML' })] }, 'changes.0.value'],
    ['an id twice', { changes: [text('c1', 'x'), text('c1', 'y')] }, 'changes.1.id'],
    ['a selector of a pseudo-element', { changes: [text('c1', 'x', { selector: 'a::before' })] }, 'changes.0.selector'],
  ])('are refused with %s', async (_what, body, path) => {
    const answer = await call('PUT', ofVariation('changes'), body)
    expect([answer.status, issuesOf(answer)]).toEqual([400, [path]])
  })

  test('are refused with every fault at once, also an unknown page', async () => {
    const changes = [text('c1', 'x', { page: 'home' }), text('c1', 'y', { selector: 'a::before' })]
    const answer = await call('PUT', ofVariation('changes'), { changes, css: 'a {', more: 1 })
    const faults = ['changes.0.page', 'changes.1.id', 'changes.1.selector', 'css', 'more']
    expect([answer.status, issuesOf(answer).sort()]).toEqual([400, faults])
  })

  test('are no longer staged once they are as they were, even where nothing was live', async () => {
    const { id } = await done('POST', `${project.path}/experiments`, { name: 'Bare' })
    const bare = `${project.path}/experiments/${id}`
    for (const each of [bare, one]) await design(service, each)
    await done('POST', `${bare}/launch`)
    await done('POST', `${one}/launch`)
    for (const which of [bare, one]) {
      const isStaged = async () => (await done('GET', which)).hasStagedChanges
      await done('PUT', `${which}/variations/original/changes`, {
        changes: [{ ...text('c1', 'From € 9'), page: null }],
      })
      expect(await isStaged()).toBe(true)
      await done('PUT', `${which}/variations/original/changes`, { changes: [] })
      expect(await isStaged()).toBe(false)
      await done('PUT', `${which}/variations/original/changes`, {
        changes: [{ ...text('c1', 'From € 9'), page: null }],
      })
      const staged = `${project.path}/environments/${project.production.id}/staged`
      const paths = ['variations.original.changes.c1']
      await done('POST', `${staged}/discard`, { experimentId: (await done('GET', which)).id, paths })
      expect(await isStaged()).toBe(false)
    }
  })

  test('are staged after the launch, by the fields of the experiment, and discarded one by one', async () => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'One')] })
    await done('POST', `${one}/launch`)
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'Two'), text('c2', 'New')], css: 'h1 {}' })
    await done('PATCH', one, { pages: [{ ...pricing, name: 'Prices' }], applyAt: 'EARLY' })
    const staged = `${project.path}/environments/${project.production.id}/staged`
    const paths = async () =>
      (await done('GET', staged)).experiments.flatMap((each: { changes: { path: string }[] }) =>
        each.changes.map(({ path }) => path),
      )
    expect((await paths()).sort()).toEqual([
      'applyAt',
      'pages.pricing.name',
      'variations.variation-1.changes.c1.value',
      'variations.variation-1.changes.c2',
      'variations.variation-1.css',
    ])
    expect((await done('GET', one)).hasStagedChanges).toBe(true)
    const live = (await done('GET', `${ofVariation('changes')}?version=LIVE`)).changes
    expect(live).toEqual([text('c1', 'One')])
    const { id } = await done('GET', one)
    await done('POST', `${staged}/discard`, {
      experimentId: id,
      paths: ['variations.variation-1.changes.c1.value', 'variations.variation-1.changes.c2', 'applyAt'],
    })
    expect((await paths()).sort()).toEqual(['pages.pricing.name', 'variations.variation-1.css'])
    const published = await done('POST', `${one}/publish`)
    expect(published.changes.map(({ path }: { path: string }) => path).sort()).toEqual([
      'pages.pricing.name',
      'variations.variation-1.css',
    ])
    expect(await done('GET', `${ofVariation('changes')}?version=LIVE`)).toEqual({
      changes: [text('c1', 'One')],
      css: 'h1 {}',
    })
  })
})

describe('the code of a variation', () => {
  test('needs the capability of whoever has a role', async () => {
    const owner = await newPerson(service, { role: 'OWNER' })
    const role = { name: 'Designer', description: null, capabilities: ['create_experiments'] }
    expect((await owner.inSession('POST', '/api/v1/roles', role)).status).toBe(201)
    const { token: designer } = await newPerson(service, { role: 'Designer' })
    const put = (who: Parameters<typeof service.call>[0]) =>
      service.call(who, 'PUT', ofVariation('code'), { js: 'svc.track("seen")' })
    const refused = await put(designer)
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      { code: 'capability_missing', details: { capability: 'edit_code_variations' } },
    ])
    expect((await service.call(designer, 'PUT', ofVariation('changes'), { changes: [] })).status).toBe(200)
    const token = await newServiceToken(service, ['experiments:read', 'experiments:write'])
    for (const who of [(await newPerson(service, { role: 'EDITOR' })).token, token])
      expect((await put(who)).status).toBe(200)
  })

  test('is read and not run; its audit entry has the text, and its difference has not', async () => {
    const refused = await call('PUT', ofVariation('code'), { js: '}; alert(1); {' })
    expect([refused.status, issuesOf(refused)]).toEqual([400, ['js']])
    const saved = await done('PUT', ofVariation('code'), { js: 'svc.track("a")' })
    expect(saved).toEqual({ js: 'svc.track("a")', differences: [{ path: 'js', from: null, to: null }] })
    expect((await auditOf(service, (await done('GET', one)).id)).at(-1)).toMatchObject({
      action: 'experiment.save_code',
      before: { variationKey: 'variation-1', js: null },
      after: { variationKey: 'variation-1', js: 'svc.track("a")' },
    })
    const event = (await done('GET', `${project.path}/events?after=0&limit=100`)).at(-1)
    expect(event).toMatchObject({
      event: 'experiment.updated',
      changes: [{ path: 'variations.variation-1.js', from: null, to: null }],
    })
    expect(JSON.stringify(event)).not.toContain('svc.track')
  })

  test('has an ETag of its own, and a dry run saves nothing', async () => {
    const { headers } = await call('GET', ofVariation('code'))
    const put = (js: string | null, dryRun = false) =>
      call('PUT', ofVariation('code'), { js, dryRun }, { 'x-svc-if-match': String(headers.etag) })
    expect((await put('svc.track("a")', true)).body.data.differences).toEqual([{ path: 'js', from: null, to: null }])
    expect((await call('GET', ofVariation('code'))).headers.etag).toBe(headers.etag)
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'From € 9')] })
    const saved = await put('svc.track("a")')
    expect(saved.status).toBe(200)
    expect((await put('svc.track("b")')).status).toBe(412)
    expect((await call('GET', ofVariation('code'))).headers.etag).toBe(saved.headers.etag)
    expect((await done('PUT', ofVariation('code'), { js: 'svc.track("a")' })).differences).toEqual([])
  })
})

test('an unknown variation is not found, and a completed experiment keeps what ran', async () => {
  expect((await call('GET', ofVariation('changes', 'nobody'))).status).toBe(404)
  expect((await call('PUT', ofVariation('changes', 'nobody'), { changes: [] })).status).toBe(404)
  await done('PUT', ofVariation('changes'), { changes: [text('c1', 'Ran')] })
  for (const verb of ['launch', 'complete']) await done('POST', `${one}/${verb}`)
  expect((await call('PUT', ofVariation('changes'), { changes: [] })).status).toBe(409)
  expect((await done('GET', ofVariation('changes'))).changes).toEqual([text('c1', 'Ran')])
})

test('a redirect to a host that the project does not name is refused where it would begin to serve', async () => {
  const { variations } = await done('GET', one)
  const [original, other] = variations.map(({ key, weight }: { key: string; weight: number }) => ({ key, weight }))
  const redirect = { url: 'https://shop.example/b' }
  await done('PATCH', one, { variations: [original, { ...other, redirect }] })
  const { status, body } = await call('POST', `${one}/launch`)
  expect([status, body.error.details.missing]).toMatchObject([409, [{ code: 'HOST_NOT_ALLOWED' }]])
  await done('PUT', `${project.path}/web-settings`, { hosts: ['shop.example'] })
  await done('POST', `${one}/launch`)
  const redirectTo = (url: string) => done('PATCH', one, { variations: [original, { ...other, redirect: { url } }] })
  await redirectTo('https://foreign.example/b')
  // A publish of the whole environment goes the same way.
  for (const place of [one, `${project.path}/environments/${project.production.id}`])
    expect((await call('POST', `${place}/publish`)).status).toBe(409)
  await redirectTo(redirect.url)
  const leaves = await call('PUT', `${project.path}/web-settings`, { hosts: ['other.example'] })
  expect([leaves.status, leaves.body.error.message]).toEqual([
    409,
    'variation-1 of x1 redirects to shop.example, which is none of the hosts of the project. Add it to the hosts in the web settings, or change the redirect.',
  ])
  expect(await done('GET', `${project.path}/web-settings`)).toMatchObject({ hosts: ['shop.example'] })
  await done('POST', `${one}/pause`)
  await done('PUT', `${project.path}/web-settings`, { hosts: ['other.example'] })
  expect((await call('POST', `${one}/resume`)).status).toBe(409)
  await done('POST', `${one}/complete`)
  await done('POST', `${one}/winner`, { variationKey: 'original', rollOut: true })
})

describe('the hand-off of a variation', () => {
  const handedOff = () => done('GET', ofVariation('hand-off'))
  const shown = async () => {
    const { source, changes } = await handedOff()
    return [source, changes.map(({ after }: { after: string }) => after)]
  }

  test('is the draft, then what was published, then what ran, also once it is archived', async () => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'One')], css: 'h1 { color: red }' })
    expect(await shown()).toEqual(['DRAFT', ['One']])
    await done('POST', `${one}/launch`)
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'Two')] })
    expect(await shown()).toEqual(['LIVE', ['One']])
    await done('POST', `${one}/pause`)
    expect(await shown()).toEqual(['LIVE', ['One']])
    await done('POST', `${one}/publish`)
    expect(await shown()).toEqual(['LIVE', ['Two']])
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'Three')] })
    await done('POST', `${one}/complete`)
    expect(await shown()).toEqual(['FINAL', ['Two']])
    await done('POST', `${one}/archive`)
    expect(await shown()).toEqual(['FINAL', ['Two']])
    await done('POST', `${one}/unarchive`)
    await done('POST', `${one}/winner`, { variationKey: 'variation-1', rollOut: true })
    expect(await shown()).toEqual(['FINAL', ['Two']])
  })

  test('has code and pages, and the same as a Markdown file', async () => {
    await done('PUT', ofVariation('changes'), { changes: [text('c1', 'From € 9')] })
    await done('PUT', ofVariation('code'), { js: 'svc.track("a")' })
    const json = await handedOff()
    expect(json).toMatchObject({
      ...{ variationKey: 'variation-1', js: 'svc.track("a")', css: null, html: null, redirect: null },
      pages: [{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' }],
      checklist: [
        'On Pricing, change the text of h1 from “Our plans” to “From € 9”.',
        'Build in what the code of the variation does.',
      ],
    })
    const file = await call('GET', `${ofVariation('hand-off')}?format=md`)
    expect(file.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': 'attachment; filename="experiment-1-variation-1.md"',
    })
    expect(file.text).toBe(json.markdown)
  })

  test.each([
    ['an unknown variation', () => ofVariation('hand-off', 'other'), 404],
    ['a format that it does not have', () => `${ofVariation('hand-off')}?format=pdf`, 400],
  ])('is refused for %s', async (_what, path, status) => {
    expect((await call('GET', path())).status).toBe(status)
  })
})
