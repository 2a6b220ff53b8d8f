import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { newSite, type TestSite } from '../../../../../testing/editors.ts'
import { newExperiment } from '../../../../../testing/experiments.ts'
import { newFlag, succeed } from '../../../../../testing/flags.ts'
import { createProject, startTestService, type TestService } from '../../../../../testing/service.ts'

const clock = standingClock()

let service: TestService
let site: TestSite

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  site = await newSite(service)
  await done('PUT', `${site.path}/variations/variation-1/changes`, changes('From € 9'))
})
afterAll(() => service.close())

const done = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  succeed(service, method, path, body)
const changes = (value: string) => ({ changes: [{ id: 'c1', type: 'TEXT', selector: 'h1', value, was: 'Our plans' }] })
const wanted = { variationKey: 'variation-1', pageKey: 'pricing' }
const create = (body: object = {}, on = site) => done('POST', `${on.path}/previews`, { ...wanted, ...body })
const refused = async (body: object, on = site) =>
  (await service.call(service.people.admin, 'POST', `${on.path}/previews`, { ...wanted, ...body })).body.error
const secretIn = ({ url }: { url: string }) => url.split('svc-preview=')[1]!
const ticketFor = (secret: string, more: object = {}) =>
  service.call(null, 'POST', '/api/web/v1/previews/ticket', {
    ...{ sdkKey: site.project.production.sdkKey, secret },
    ...more,
  })
const moduleAt = async (address: string) => service.app.inject({ url: new URL(address).pathname })

/** The module that a page would import. */
async function shownBy(secret: string, more: object = {}): Promise<string> {
  const { status, body, text } = await ticketFor(secret, more)
  expect(status, text).toBe(200)
  return (await moduleAt(body.module)).body
}

/** What a module says about itself. */
const aboutIn = (module: string) => JSON.parse(module.split('export const preview = ')[1]!)

describe('a preview', () => {
  test('is an address of the site with a secret behind #, shown once', async () => {
    const { url, ...preview } = await create()
    expect(url).toMatch(/^https:\/\/shop\.example\/pricing#svc-preview=[\w-]{43}$/)
    expect(preview).toEqual({
      ...{ id: expect.any(String), status: 'OPEN', version: 'DRAFT', ...wanted },
      ...{ pageUrl: 'https://shop.example/pricing', createdBy: expect.any(String), lastUsedAt: null, revokedAt: null },
      ...{
        createdAt: clock.now().toISOString(),
        expiresAt: new Date(clock.now().getTime() + 72 * hourMs).toISOString(),
      },
    })
    const [listed] = await done('GET', `${site.path}/previews`)
    expect(listed).toEqual(preview)
  })

  test.each([
    ['a variation that is not there', { variationKey: 'none' }, 'validation_failed'],
    ['a page that is not there', { pageKey: 'none' }, 'validation_failed'],
    ['more than 30 days', { expiresInHours: 721 }, 'validation_failed'],
    ['no time at all', { expiresInHours: 0 }, 'validation_failed'],
  ])('is refused with %s', async (_what, body, code) => {
    expect((await refused(body)).code).toBe(code)
  })

  test('needs an address whose host the project has', async () => {
    const own = await newSite(service)
    const page = (url: string | null) => ({ key: 'pricing', name: 'Pricing', url, conditions: { all: [] } })
    await done('PATCH', own.path, { pages: [page(null)] })
    expect((await refused({}, own)).code).toBe('invalid_state')
    await done('PATCH', own.path, { pages: [page('https://other.example/')] })
    expect((await refused({}, own)).details.missing).toMatchObject([{ code: 'HOST_NOT_ALLOWED' }])
  })

  test('is one of a hundred at most', async () => {
    const own = await newSite(service)
    await sql`
      insert into web_links (id, kind, experiment_id, secret_hash, variation_key, version, page_key, url, created_by,
        created_at, expires_at)
      select gen_random_uuid(), 'PREVIEW', ${own.experimentId}, decode(md5(number::text), 'hex'), 'original', 'DRAFT',
        'pricing', 'https://shop.example/', 'Ada', ${clock.now()}, ${new Date(clock.now().getTime() + hourMs)}
      from generate_series(1, 99) number`.execute(service.db)
    const both = await Promise.all(
      [1, 2].map(() => service.call(service.people.admin, 'POST', `${own.path}/previews`, wanted)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const { id } = both.find(({ status }) => status === 201)!.body.data
    expect(await refused({}, own)).toMatchObject({ code: 'invalid_state', details: { limit: 100 } })
    await done('DELETE', `${own.path}/previews/${id}`)
    await create({}, own)
  })

  test('leaves audit entries without secrets, and no event', async () => {
    const count = async () => (await sql`select from events`.execute(service.db)).rows.length
    const before = await count()
    const { id } = await create()
    await done('DELETE', `${site.path}/previews/${id}`)
    const { rows } = await sql<{ action: string; after: object }>`
      select action, after from audit_entries where project_id = ${site.project.id}
      order by seq desc limit 2`.execute(service.db)
    expect(rows).toMatchObject([
      { action: 'experiment.revoke_preview', after: { previewId: id } },
      { action: 'experiment.create_preview', after: { previewId: id, ...wanted } },
    ])
    expect(await count()).toBe(before)
  })

  test('is not one of an experiment on a flag', async () => {
    const flags = await createProject(service)
    const { path } = await newExperiment(service, flags, await newFlag(service, flags, { key: 'tested' }))
    expect((await service.call(service.people.admin, 'GET', `${path}/previews`)).status).toBe(404)
  })

  test('goes 30 days after its end', async () => {
    const own = await newSite(service)
    await create({ expiresInHours: 1 }, own)
    const left = async () => (await done('GET', `${own.path}/previews`)).map(({ status }: { status: string }) => status)
    clock.move(30 * dayMs + hourMs)
    await service.retention.run()
    expect(await left()).toEqual(['EXPIRED'])
    clock.move(1)
    await service.retention.run()
    expect(await left()).toEqual([])
    clock.move(-30 * dayMs - hourMs - 1)
  })
})

describe('the secret of a preview', () => {
  test('is exchanged by any page for a module, whose address works for a minute', async () => {
    const { id, url } = await create()
    const answer = await ticketFor(secretIn({ url }))
    expect([answer.status, answer.headers]).toMatchObject([
      200,
      { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
    ])
    const { module, expiresAt, ...rest } = answer.body
    expect([rest, expiresAt]).toEqual([{}, new Date(clock.now().getTime() + minuteMs).toISOString()])
    const found = await moduleAt(module)
    expect([found.statusCode, found.headers]).toMatchObject([
      200,
      {
        ...{ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
        ...{ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
      },
    ])
    const listed = (await done('GET', `${site.path}/previews`)).find((each: { id: string }) => each.id === id)
    expect(listed.lastUsedAt).toBe(clock.now().toISOString())
    clock.move(minuteMs)
    expect((await moduleAt(module)).statusCode).toBe(404)
  })

  test.each([
    ['is made up', () => 'A'.repeat(43), {}],
    ['is no secret', () => '', {}],
    ['is used with the script of another site', async () => secretIn(await create()), { sdkKey: 'other' }],
  ])('opens nothing if it %s', async (_what, secret, more) => {
    const sdkKey = 'sdkKey' in more ? (await newSite(service)).project.production.sdkKey : undefined
    const answer = await ticketFor(await secret(), sdkKey ? { sdkKey } : {})
    expect([answer.status, Object.keys(answer.body)]).toEqual([401, ['error']])
  })

  test('opens nothing any more once the preview is revoked or has expired', async () => {
    const [revoked, expired] = [await create(), await create({ expiresInHours: 1 })]
    const ticket = (await ticketFor(secretIn(revoked))).body.module
    await done('DELETE', `${site.path}/previews/${revoked.id}`)
    expect((await ticketFor(secretIn(revoked))).status).toBe(401)
    expect((await moduleAt(ticket)).statusCode).toBe(404)
    clock.move(hourMs)
    expect((await ticketFor(secretIn(expired))).status).toBe(401)
  })

  test('cannot be made from a ticket: a changed one opens nothing', async () => {
    const { module } = (await ticketFor(secretIn(await create()))).body as { module: string }
    const [text, signature] = module.split('/').at(-1)!.split('.')
    const ticket = JSON.parse(Buffer.from(text!, 'base64url').toString())
    const longer = Buffer.from(JSON.stringify({ ...ticket, until: ticket.until + dayMs })).toString('base64url')
    const folder = module.slice(0, module.lastIndexOf('/'))
    for (const changed of [`${longer}.${signature}`, text, `${text}.`, '.', 'x.y'])
      expect((await moduleAt(`${folder}/${changed}`)).statusCode).toBe(404)
  })
})

describe('the module of a preview', () => {
  test('is made for one page at a time: others wait, and a crowd is refused', async () => {
    const { module } = (await ticketFor(secretIn(await create()))).body as { module: string }
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => moduleAt(module)))).map(
      (each) => each.statusCode,
    )
    expect(statuses[0]).toBe(200)
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(19)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })

  test('has the draft as it is now, for everybody, and says what it is', async () => {
    const secret = secretIn(await create())
    const module = await shownBy(secret)
    expect(module).toContain('From € 9')
    expect(module).not.toContain('Our plans')
    expect(module).toContain('"type":"TARGETED_DELIVERY","variation":"variation-1"')
    expect(aboutIn(module)).toEqual({
      ...{ experiment: 'Price in the headline', version: 'DRAFT', variationKey: 'variation-1' },
      variations: [
        { key: 'original', name: expect.any(String) },
        { key: 'variation-1', name: expect.any(String) },
      ],
    })
    await done('PUT', `${site.path}/variations/variation-1/changes`, changes('From € 8'))
    expect(await shownBy(secret)).toContain('From € 8')
    await done('PUT', `${site.path}/variations/variation-1/changes`, changes('From € 9'))
  })

  test('can show each variation, and shows its own in place of one that is not there', async () => {
    const secret = secretIn(await create())
    const shown = async (variationKey: string) => aboutIn(await shownBy(secret, { variationKey })).variationKey
    expect([await shown('original'), await shown('none')]).toEqual(['original', 'variation-1'])
  })

  test('of the live version has what was published, and nothing before the launch', async () => {
    const own = await newSite(service)
    await done('PUT', `${own.path}/variations/variation-1/changes`, changes('Published'))
    const { sdkKey } = own.project.production
    const secret = secretIn(await create({ version: 'LIVE' }, own))
    expect(await shownBy(secret, { sdkKey })).not.toContain('Published')
    await done('POST', `${own.path}/launch`)
    await done('PUT', `${own.path}/variations/variation-1/changes`, changes('Drafted'))
    const module = await shownBy(secret, { sdkKey })
    expect([module.includes('Published'), module.includes('Drafted')]).toEqual([true, false])
  })

  test('asks for no consent and honours no privacy signal, because nothing is stored or sent', async () => {
    const own = await newSite(service)
    await done('PUT', `${own.project.path}/web-settings`, { hosts: ['shop.example'], consent: 'REQUIRED' })
    const { sdkKey } = own.project.production
    const module = await shownBy(secretIn(await create({}, own)), { sdkKey })
    expect(module).toContain('"consent":"NOT_REQUIRED"')
    expect(module).toContain('"privacy":false')
  })
})

test('an address has 60 tries a minute for previews, which any page can use up, and keeps those for codes', async () => {
  const own = await startTestService()
  try {
    const body = { sdkKey: 'x', secret: 'y' }
    for (let tries = 0; tries < 60; tries += 1)
      expect((await own.call(null, 'POST', '/api/web/v1/previews/ticket', body)).status).toBe(401)
    const more = await own.call(null, 'POST', '/api/web/v1/previews/ticket', body)
    expect([more.status, more.headers['retry-after']]).toEqual([429, expect.any(String)])
    const code = await own.call(null, 'POST', '/api/web/v1/editor/redeem', { code: 'z' }, { origin: own.baseUrl })
    expect(code.status).toBe(401)
  } finally {
    await own.close()
  }
})
