import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilBlocked } from '../../../../../testing/blocked.ts'
import { minuteMs, standingClock } from '../../../../../testing/clock.ts'
import { editorToken, newSite, openEditor, openingBody, redeem, type TestSite } from '../../../../../testing/editors.ts'
import { newPerson, type TestPerson } from '../../../../../testing/people.ts'
import { type Answer, startTestService, type TestService } from '../../../../../testing/service.ts'

const clock = standingClock(new Date().toISOString())

let service: TestService
let site: TestSite
let ada: TestPerson

beforeAll(async () => {
  service = await startTestService({ now: clock.now })
  site = await newSite(service)
  ada = await newPerson(service, { role: 'EDITOR' })
})
afterAll(() => service.close())

const changes = () => `${site.path}/variations/variation-1/changes`
const read = (token: string, path = changes()) => service.call(token, 'GET', path)

/** Moves the clock, and back again: the sessions of people in tests last for a day. */
async function later(ms: number, work: () => Promise<unknown>): Promise<void> {
  clock.move(ms)
  await work()
  clock.move(-ms)
}

const statusOf = async (token: string) => (await read(token)).status

describe('the address of the editor', () => {
  test('has a code at its end, which works once and for a minute', async () => {
    const { url, code } = await openEditor(ada, site)
    expect(url).toBe(`https://shop.example/pricing#svc-editor=${code}`)
    const answer = await redeem(service, code)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^svc_edt_[\w-]{43}$/),
      projectId: site.project.id,
      experimentId: site.experimentId,
      variationKey: 'variation-1',
      expiresAt: expect.stringMatching(/Z$/),
    })
    const late = await openEditor(ada, site)
    await later(minuteMs, async () => expect((await redeem(service, late.code)).status).toBe(401))
  })

  test.each([
    ['a host that the project does not have', { url: 'https://evil.example/' }, 409],
    ['a variation that is not there', { variationKey: 'none' }, 400],
    ['an address without a scheme', { url: 'shop.example' }, 400],
    ['an address whose host would be two words of a policy', { url: 'https://a;b.shop.example/' }, 400],
  ])('is refused for %s', async (_what, body, status) => {
    const answer = await ada.inSession('POST', `${site.dashboard}/editor-sessions`, { ...openingBody, ...body })
    expect(answer.status, answer.text).toBe(status)
    if (status === 409) expect(answer.body.error.details.missing).toMatchObject([{ code: 'HOST_NOT_ALLOWED' }])
  })

  test('is for people who are signed in and may change experiments', async () => {
    const path = `${site.dashboard}/editor-sessions`
    expect((await service.call(service.people.admin, 'POST', path, openingBody)).status).toBe(401)
    const viewer = await newPerson(service)
    expect((await viewer.inSession('POST', path, openingBody)).status).toBe(403)
  })

  test('leaves an audit entry without a secret, and no event', async () => {
    const { rows: before } = await sql<{ count: number }>`select count(*)::integer from events`.execute(service.db)
    const { id } = await openEditor(ada, site)
    const { rows } = await sql`
      select action, after from audit_entries where project_id = ${site.project.id} order by seq desc limit 1`.execute(
      service.db,
    )
    const after = { editorSessionId: id, variationKey: 'variation-1', origin: 'https://shop.example' }
    expect(rows).toEqual([{ action: 'experiment.open_editor', after }])
    const { rows: now } = await sql<{ count: number }>`select count(*)::integer from events`.execute(service.db)
    expect(now).toEqual(before)
  })
})

describe('a code', () => {
  test('that comes twice ends the session', async () => {
    const { code } = await openEditor(ada, site)
    const { token } = (await redeem(service, code)).body
    expect(await statusOf(token)).toBe(200)
    const second = await redeem(service, code)
    expect([second.status, second.body.error]).toEqual([401, expect.stringContaining('was used before')])
    expect(await statusOf(token)).toBe(401)
  })

  test('of which two come at once opens nothing', async () => {
    const { code } = await openEditor(ada, site)
    const answers = await Promise.all([redeem(service, code), redeem(service, code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const { token } = answers.find(({ status }) => status === 200)!.body
    expect(await statusOf(token)).toBe(401)
  })

  test.each([
    ['of another site', { origin: 'https://shop.example' }, 403],
    ['of no site', { origin: '' }, 403],
    ['of an isolated frame', { origin: 'null' }, 403],
  ])('is not taken from a page %s', async (_what, headers, status) => {
    const { code } = await openEditor(ada, site)
    const answer = await redeem(service, code, headers)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, undefined])
    expect((await redeem(service, code)).status).toBe(200)
  })

  test('that is made up, or is no code, opens nothing', async () => {
    expect((await redeem(service, `${crypto.randomUUID()}.${'A'.repeat(43)}`)).status).toBe(401)
    expect((await redeem(service, '')).status).toBe(401)
    expect(
      (await service.call(null, 'POST', '/api/web/v1/editor/redeem', {}, { origin: service.baseUrl })).status,
    ).toBe(400)
  })

  test('for the next page comes from the editor alone, and replaces the token', async () => {
    const { id, code } = await openEditor(ada, site)
    const { token } = (await redeem(service, code)).body
    const path = `${site.dashboard}/editor-sessions/${id}/code`
    const renewed = await service.call(token, 'POST', path)
    expect([renewed.status, renewed.body.data.code.startsWith(`${id}.`)]).toEqual([201, true])
    const next = (await redeem(service, renewed.body.data.code)).body
    expect([await statusOf(token), await statusOf(next.token)]).toEqual([401, 200])
    expect((await ada.inSession('POST', path)).status).toBe(404)
    const other = await editorToken(service, ada, site)
    expect((await service.call(other, 'POST', path)).status).toBe(404)
  })
})

describe('a token of the editor', () => {
  test('edits its own experiment in the name of its person', async () => {
    const token = await editorToken(service, ada, site)
    const put = { changes: [{ id: 'c1', type: 'TEXT', selector: 'h1', value: 'From € 9' }] }
    expect((await service.call(token, 'PUT', changes(), put)).status).toBe(200)
    const { rows } = await sql<{ id: string; payload: { via: string } }>`
      select triggered_by ->> 'id' as id, payload from events where project_id = ${site.project.id}
      order by seq desc limit 1`.execute(service.db)
    expect(rows).toMatchObject([{ id: ada.id, payload: { via: 'EDITOR' } }])
    expect((await read(token, site.path)).status).toBe(200)
  })

  test('finds no other experiment, not even of its project', async () => {
    const token = await editorToken(service, ada, site)
    const other = await newSite(service)
    expect((await read(token, `${other.path}/variations/variation-1/changes`)).status).toBe(404)
    const { body } = await service.call(service.people.admin, 'POST', `${site.project.path}/experiments`, { name: 'B' })
    expect((await read(token, `${site.project.path}/experiments/${body.data.id}`)).status).toBe(404)
  })

  test('ends after 30 minutes without use, and what the editor does by itself is no use', async () => {
    const { id, code } = await openEditor(ada, site)
    const { token } = (await redeem(service, code)).body
    await later(29 * minuteMs, async () => expect(await statusOf(token)).toBe(200))
    await later(58 * minuteMs, async () => {
      const presence = { variationKey: 'variation-1', place: 'EDITOR' }
      expect((await service.call(token, 'POST', `${site.dashboard}/presence`, presence)).status).toBe(200)
      expect((await service.call(token, 'POST', `${site.dashboard}/editor-sessions/${id}/code`)).status).toBe(201)
    })
    await later(59 * minuteMs, async () => expect(await statusOf(token)).toBe(401))
  })

  test('ends after 8 hours at the latest', async () => {
    const own = await newPerson(service, { role: 'EDITOR' })
    const token = await editorToken(service, own, site)
    for (let minutes = 0; minutes < 480; minutes += 20)
      await later(minutes * minuteMs, async () => expect(await statusOf(token)).toBe(200))
    await later(480 * minuteMs, async () => expect(await statusOf(token)).toBe(401))
  })

  test('ends with the session of its person in the dashboard', async () => {
    const own = await newPerson(service, { role: 'EDITOR' })
    const token = await editorToken(service, own, site)
    expect((await own.inSession('POST', '/api/dashboard/sign-out')).status).toBeLessThan(300)
    expect(await statusOf(token)).toBe(401)
  })

  test('may do what its person may do now', async () => {
    const own = await newPerson(service, { role: 'EDITOR' })
    const token = await editorToken(service, own, site)
    await sql`
      update memberships set role_id = (select id from roles where name = 'VIEWER' and org_id = memberships.org_id)
      where user_id = ${own.id}`.execute(service.db)
    const put = await service.call(token, 'PUT', changes(), { changes: [] })
    expect([await statusOf(token), put.status, put.body.error.code]).toEqual([200, 403, 'scope_missing'])
    await sql`update memberships set all_projects = false where user_id = ${own.id}`.execute(service.db)
    expect(await statusOf(token)).toBe(404)
    await sql`delete from memberships where user_id = ${own.id}`.execute(service.db)
    expect(await statusOf(token)).toBe(401)
  })
})

describe('open sessions', () => {
  test('are listed, and can be ended by everybody who may edit', async () => {
    const own = await newPerson(service, { role: 'EDITOR' })
    const { id, code } = await openEditor(own, site)
    const { token } = (await redeem(service, code)).body
    const path = `${site.dashboard}/editor-sessions`
    const { data } = (await ada.inSession('GET', path)).body
    expect(data[0]).toMatchObject({ id, origin: 'https://shop.example', user: { id: own.id, name: own.name } })
    expect((await ada.inSession('DELETE', `${path}/${id}`)).status).toBe(200)
    expect((await ada.inSession('DELETE', `${path}/${id}`)).status).toBe(200)
    expect(await statusOf(token)).toBe(401)
  })

  test('are at most ten of a person: with the next one, the oldest ends', async () => {
    const own = await newPerson(service, { role: 'EDITOR' })
    const first = await editorToken(service, own, site)
    const second = await editorToken(service, own, site)
    for (let more = 0; more < 9; more += 1) await openEditor(own, site)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
    await Promise.all([1, 2, 3].map(() => openEditor(own, site)))
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from web_links where user_id = ${own.id} and revoked_at is null`.execute(
      service.db,
    )
    expect(rows).toEqual([{ open: 10 }])
  })

  test('do not begin while the experiment or its project is deleted', async () => {
    const other = await newSite(service)
    let opening: Promise<Answer>
    await service.db.transaction().execute(async (tx) => {
      await sql`select from experiments where id = ${other.experimentId} for update`.execute(tx)
      opening = ada.inSession('POST', `${other.dashboard}/editor-sessions`, openingBody)
      await untilBlocked(service)
      await sql`delete from experiments where id = ${other.experimentId}`.execute(tx)
    })
    const opened = await opening!
    expect([opened.status, opened.body.error.code]).toEqual([404, 'not_found'])
  })
})

describe('the page of the editor', () => {
  const page = (id: string, { sdkKey } = site.project.production) =>
    service.app.inject({ url: `/web/editor/${id}?sdkKey=${sdkKey}` })

  test('can be framed by the origin of its session alone', async () => {
    const { id } = await openEditor(ada, site)
    const { statusCode, headers, body } = await page(id)
    expect([statusCode, body]).toEqual([200, expect.stringContaining('/web/editor/assets/')])
    expect(headers['content-security-policy']).toContain('frame-ancestors https://shop.example;')
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(headers).not.toHaveProperty('x-frame-options')
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
    const [asset] = /\/web\/editor\/assets\/[\w.-]+\.js/.exec(body)!
    const script = await service.app.inject({ url: asset })
    expect([script.statusCode, script.headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')])
  })

  test('is not there for the script of a different project, or of none', async () => {
    const { id } = await openEditor(ada, site)
    const other = await newSite(service)
    expect((await page(id, other.project.production)).statusCode).toBe(404)
    expect((await service.app.inject({ url: `/web/editor/${id}` })).statusCode).toBe(404)
    expect((await service.app.inject({ url: `/web/editor/${id}?sdkKey=a&sdkKey=b` })).statusCode).toBe(404)
  })

  test('is not there without an open session', async () => {
    for (const id of ['x', crypto.randomUUID()]) expect((await page(id)).statusCode).toBe(404)
    const { id } = await openEditor(ada, site)
    await ada.inSession('DELETE', `${site.dashboard}/editor-sessions/${id}`)
    expect((await page(id)).statusCode).toBe(404)
  })
})
