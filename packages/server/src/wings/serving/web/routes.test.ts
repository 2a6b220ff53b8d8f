import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { untilBlocked } from '../../../../testing/blocked.ts'
import { succeed } from '../../../../testing/flags.ts'
import {
  createProject,
  dataFile,
  joinTestService,
  startTestService,
  type TestProject,
} from '../../../../testing/service.ts'
import { design } from '../../../../testing/web-experiments.ts'
import { defaultWebSettings } from '../../model/web/index.ts'

const service = await startTestService()
let project: TestProject
let one: string

afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service, service.people.admin, 'WEB')
  const url = `${project.path}/experiments`
  const { id } = await done('POST', url, { name: 'Secret name', pages: [page('/pricing')] })
  one = `${url}/${id}`
  await save([text('From € 9')])
})

const done = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
  succeed(service, method, path, body)
const page = (path: string, operator = 'equals') => ({
  ...{ key: 'pricing', name: 'Secret page', url: 'https://secret.example/pricing' },
  conditions: { attribute: 'page.path', operator, value: path },
})
const text = (value: string) => ({ id: 'c1', type: 'TEXT', page: null, selector: 'h1', value, was: 'Secret before' })
const save = (changes: object[], css: string | null = null) =>
  done('PUT', `${one}/variations/variation-1/changes`, { changes, css })
const scriptPath = () => `/sdk/v1/web/${project.production.sdkKey}.js`
const documentPath = () => `/api/sdk/v1/web/${project.production.sdkKey}.json`
const get = (path: string, headers?: Record<string, string>, node = service) =>
  node.call(null, 'GET', path, undefined, headers)
const firstValue = (each: { variations: Record<string, { changes: { value: string }[] }> }) =>
  each.variations['variation-1']!.changes[0]!.value
const webDocument = async () => (await get(documentPath())).body

describe('the web document', () => {
  test('has what serves, at the revision of the data file, and nothing that only people may see', async () => {
    const empty = await webDocument()
    expect([empty.revision, empty.experiments]).toEqual([0, []])
    await done('POST', `${one}/launch`)
    const served = await get(documentPath())
    expect(served.body).toMatchObject({
      ...{ schemaVersion: 1, revision: 1, goals: [] },
      settings: { consent: 'NOT_REQUIRED', pending: 'HOLD', privacy: true, maxDelayMs: 2000, cookieDomain: null },
      experiments: [
        {
          ...{ key: 'x1', activation: 'PAGE', activationSelector: null, applyAt: 'AUTO' },
          pages: { pricing: { attribute: 'page.path', operator: 'equals', value: '/pricing' } },
          variations: { 'variation-1': { css: [], changes: [{ type: 'TEXT', value: 'From € 9' }], code: null } },
        },
      ],
    })
    expect((await dataFile(service, project.production.sdkKey)).revision).toBe(1)
    const script = await get(scriptPath())
    for (const { text: all } of [served, script]) expect(all).not.toMatch(/secret/i)
  })

  test('follows a publish of content alone, a restore, a pause and a new setting', async () => {
    await done('POST', `${one}/launch`)
    await save([text('From € 8')], 'h1 { color: red }')
    const shown = async () => {
      const { revision, experiments } = await webDocument()
      return [revision, experiments.map(firstValue)]
    }
    expect(await shown()).toEqual([1, ['From € 9']])
    await done('POST', `${one}/publish`)
    expect(await shown()).toEqual([2, ['From € 8']])
    const environment = `${project.path}/environments/${project.production.id}`
    const { experiments } = await done('GET', `${environment}/revisions/2`)
    expect(experiments[0].changes.map(({ path }: { path: string }) => path).sort()).toEqual([
      'variations.variation-1.changes.c1.value',
      'variations.variation-1.css',
    ])
    await done('POST', `${environment}/revisions/1/restore`)
    expect((await done('GET', `${one}/variations/variation-1/changes`)).changes).toEqual([text('From € 9')])
    await done('POST', `${one}/publish`)
    expect(await shown()).toEqual([3, ['From € 9']])
    await done('POST', `${one}/pause`)
    expect(await shown()).toEqual([4, []])
    await done('PUT', `${project.path}/web-settings`, { maxDelayMs: 500 })
    expect(await webDocument()).toMatchObject({ revision: 5, settings: { maxDelayMs: 500 } })
    const { id } = await done('POST', `${project.path}/environments`, { name: 'Staging' })
    const staging = await done('GET', `${project.path}/environments/${id}`)
    expect((await get(`/api/sdk/v1/web/${staging.sdkKey}.json`)).body.settings.maxDelayMs).toBe(500)
  })

  test('keeps what other experiments do while one begins and ends', async () => {
    await done('POST', `${one}/launch`)
    const [first] = (await webDocument()).experiments
    const { id } = await done('POST', `${project.path}/experiments`, { name: 'Other', pages: [page('/other')] })
    const other = `${project.path}/experiments/${id}`
    await design(service, other)
    await done('POST', `${other}/launch`)
    expect((await webDocument()).experiments).toEqual([first, expect.objectContaining({ key: 'x2' })])
    await done('POST', `${other}/pause`)
    expect((await webDocument()).experiments).toEqual([first])
  })

  test('has new settings, even if a launch begins before they are saved', async () => {
    const { id } = project.production
    let launching: Promise<unknown> | undefined
    await service.db.transaction().execute(async (tx) => {
      await sql`select from environments where id = ${id} for no key update`.execute(tx)
      launching = done('POST', `${one}/launch`)
      await untilBlocked(service)
      const settings = { ...defaultWebSettings, maxDelayMs: 700 }
      await sql`update projects set web = ${JSON.stringify(settings)}::jsonb where id = ${project.id}`.execute(tx)
    })
    await launching
    expect(await webDocument()).toMatchObject({ revision: 1, settings: { maxDelayMs: 700 } })
  })

  test('has what was rolled out, until the experiment is archived', async () => {
    await done('POST', `${one}/launch`)
    await done('POST', `${one}/winner`, { variationKey: 'variation-1', rollOut: true })
    expect((await webDocument()).experiments).toMatchObject([
      { variations: { 'variation-1': { changes: [{ value: 'From € 9' }] } } },
    ])
    await done('POST', `${one}/archive`)
    expect((await webDocument()).experiments).toEqual([])
  })
})

describe('the script', () => {
  test('is one public file with a strong ETag, prepared in each encoding', async () => {
    await done('POST', `${one}/launch`)
    const first = await get(scriptPath())
    expect(first.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=60, s-maxage=10, stale-while-revalidate=60, stale-if-error=86400',
      vary: 'Accept-Encoding',
    })
    expect(first.headers.etag).toMatch(/^"sha256-[0-9a-f]{64}"$/)
    expect(first.text).toContain('From € 9')
    expect((await get(scriptPath(), { 'if-none-match': String(first.headers.etag) })).status).toBe(304)
    for (const [encoding, decoded] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await service.app.inject({ url: scriptPath(), headers: { 'accept-encoding': encoding } })
      expect(decoded(response.rawPayload).toString()).toBe(first.text)
    }
    await save([text('From € 8')])
    await done('POST', `${one}/publish`)
    const next = await get(scriptPath(), { 'if-none-match': String(first.headers.etag) })
    expect([next.status, next.text.includes('From € 8')]).toEqual([200, true])
    await done('PUT', `${project.path}/web-settings`, { scriptMaxAgeSeconds: 0 })
    expect((await get(scriptPath())).headers['cache-control']).toMatch(/^public, max-age=0,/)
  })

  test('has the whole engine where the content needs it', async () => {
    const plain = (await get(scriptPath())).text
    await done('PATCH', one, { pages: [page('^/pricing', 'matches')] })
    await done('POST', `${one}/launch`)
    expect((await get(scriptPath())).text.length - plain.length).toBeGreaterThan(4000)
  })

  test('has the parts that content and settings use, and no others', async () => {
    const has = async () => {
      const { text } = await get(scriptPath())
      return ['svc_consent', 'svc_left', 'IntersectionObserver'].filter((mark) => text.includes(mark))
    }
    await done('POST', `${one}/launch`)
    expect(await has()).toEqual([])
    await done('PUT', `${project.path}/web-settings`, { consent: 'REQUIRED', hosts: ['shop.example'] })
    await done('PATCH', one, { activation: 'SEEN', activationSelector: 'h1' })
    await save([])
    const { variations } = await done('GET', one)
    const [original, other] = variations.map(({ key, weight }: { key: string; weight: number }) => ({ key, weight }))
    await done('PATCH', one, { variations: [original, { ...other, redirect: { url: 'https://shop.example/b' } }] })
    await done('POST', `${one}/publish`)
    expect(await has()).toEqual(['svc_consent', 'svc_left', 'IntersectionObserver'])
  })

  test('has the code of variations on lines of its own, and none if the settings say so', async () => {
    const js = 'document.title = "From € 9"\n// <p>'
    await done('PUT', `${one}/variations/variation-1/code`, { js })
    await done('POST', `${one}/launch`)
    const { text: script } = await get(scriptPath())
    expect(script).toContain(`function(svc){\n${js}\n}`)
    expect((await webDocument()).experiments[0].variations['variation-1'].code).toBe(0)
    expect((await get(documentPath())).text).not.toContain('document.title')
    const other = 'document.title = "From € 8"'
    await done('PUT', `${one}/variations/variation-1/code`, { js: other })
    expect((await get(scriptPath())).text).toBe(script)
    const { changes } = await done('POST', `${one}/publish`)
    expect(changes).toEqual([{ path: 'variations.variation-1.js', from: null, to: null }])
    expect((await get(scriptPath())).text).toContain(other)
    await done('PUT', `${project.path}/web-settings`, { codeVariations: false })
    expect((await get(scriptPath())).text).not.toContain('svcCode')
    expect((await webDocument()).experiments[0].variations['variation-1'].code).toBeNull()
  })

  test('is new on each node after a publish', async () => {
    await done('POST', `${one}/launch`)
    const other = await joinTestService(service)
    try {
      expect((await get(documentPath(), {}, other)).body.revision).toBe(1)
      await save([text('From € 8')])
      await done('POST', `${one}/publish`)
      await expect.poll(async () => (await get(scriptPath(), {}, other)).text.includes('From € 8')).toBe(true)
    } finally {
      await other.close()
    }
  })

  test('is not found for unknown keys and for projects of flags', async () => {
    const flags = await createProject(service)
    for (const sdkKey of ['none', flags.production.sdkKey])
      for (const path of [`/sdk/v1/web/${sdkKey}.js`, `/api/sdk/v1/web/${sdkKey}.json`]) {
        const answer = await get(path)
        expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([404, '*'])
      }
  })

  test('has a limit, which is checked where something begins to serve', async () => {
    const html = `<p>${'x'.repeat(19_000)}</p>`
    // Changes and code count together.
    await save(
      Array.from({ length: 25 }, (_none, nth) => ({ id: `c${nth}`, type: 'HTML', selector: `.a${nth}`, value: html })),
    )
    await done('PUT', `${one}/variations/variation-1/code`, { js: `//${'x'.repeat(40_000)}` })
    const { status, body } = await service.call(service.people.admin, 'POST', `${one}/launch`)
    expect([status, body.error.code, body.error.details.limit]).toEqual([409, 'invalid_state', 500_000])
    expect(body.error.details.largest.key).toBe('x1')
    expect((await webDocument()).experiments).toEqual([])
    await done('PUT', `${one}/variations/variation-1/code`, { js: null })
    await done('POST', `${one}/launch`)
  })
})

describe('the settings of a web project', () => {
  test('have defaults, an ETag, an audit entry and an event', async () => {
    const path = `${project.path}/web-settings`
    const before = await service.call(service.people.admin, 'GET', path)
    expect(before.body.data).toMatchObject({ hosts: [], consent: 'NOT_REQUIRED', scriptMaxAgeSeconds: 60 })
    const put = (body: object) =>
      service.call(service.people.admin, 'PUT', path, body, { 'x-svc-if-match': String(before.headers.etag) })
    expect((await put({ hosts: ['Shop.Example', '*.shop.example'] })).body.data.hosts).toEqual([
      'shop.example',
      '*.shop.example',
    ])
    expect((await put({})).status).toBe(412)
    const event = (await done('GET', `${project.path}/events?limit=100`)).at(-1)
    expect(event).toMatchObject({ event: 'project.updated', project: { id: project.id } })
    expect(event).not.toHaveProperty('previousName')
  })

  test('are not those of a project of flags', async () => {
    const flags = await createProject(service)
    expect((await service.call(service.people.admin, 'GET', `${flags.path}/web-settings`)).status).toBe(404)
  })
})
