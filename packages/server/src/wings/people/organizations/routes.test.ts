import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditOf, newPerson, type TestPerson } from '../../../../testing/people.ts'
import { createFlag, createProject, startTestService, type TestService } from '../../../../testing/service.ts'

let service: TestService
let owner: TestPerson
let viewer: TestPerson
const url = '/api/v1/organization'
const settings = '/api/dashboard/organization'

beforeAll(async () => {
  service = await startTestService()
  owner = await newPerson(service, { role: 'OWNER' })
  viewer = await newPerson(service)
})
afterAll(() => service.close())

const organization = {
  id: expect.any(String),
  shortId: 1,
  name: 'Acme',
  features: ['integrations_api_export'],
  createdAt: expect.any(String),
}

test('returns only the organization of the caller', async () => {
  expect((await service.call(viewer.token, 'GET', url)).body).toEqual({ data: organization })
  expect((await service.call(service.people.stranger, 'GET', url)).body.data).toMatchObject({ name: 'Other' })
  expect((await service.call(service.people.flagsRead, 'GET', url)).body.error.details).toEqual({ scope: 'org:read' })
})

test('every member sees the settings, and owners and administrators can change them', async () => {
  const { body, headers } = await viewer.inSession('GET', settings)
  expect(body.data).toEqual({
    ...organization,
    notifications: null,
    quietHours: null,
    digestAt: '09:00',
    digestTimezone: null,
  })
  const notifications = { mode: 'EXCLUDE', keywords: ['sandbox'] }
  const edit = { name: 'Acme Corp', notifications }
  const { status, body: changed } = await owner.inSession('PATCH', settings, edit, {
    'x-svc-if-match': headers.etag as string,
  })
  expect([status, changed.data]).toEqual([200, { ...body.data, ...edit }])
  expect((await viewer.inSession('GET', settings)).body.data).toMatchObject(edit)
  expect(await auditOf(service, changed.data.id)).toMatchObject([
    {
      action: 'organization.update',
      actor: 'user',
      before: { name: 'Acme', notifications: null },
      after: { name: 'Acme Corp', notifications },
    },
  ])
  const back = await owner.inSession('PATCH', settings, { name: 'Acme', notifications: null })
  expect(back.body.data).toEqual(body.data)
})

test('an edit without a difference records nothing', async () => {
  const { body } = await viewer.inSession('GET', settings)
  const before = await auditOf(service, body.data.id)
  for (const edit of [{}, { name: body.data.name }, { notifications: null }])
    expect((await owner.inSession('PATCH', settings, edit)).status).toBe(200)
  expect(await auditOf(service, body.data.id)).toEqual(before)
})

test.each([
  ['a blank name', { name: ' ' }, ['name']],
  ['no keywords', { notifications: { mode: 'INCLUDE', keywords: [] } }, ['notifications', 'keywords']],
  ['an unknown mode', { notifications: { mode: 'SOME', keywords: ['x'] } }, ['notifications', 'mode']],
  ['its features', { features: [] }, ['features']],
])('400: changing %s', async (_what, edit, path) => {
  const { status, body } = await owner.inSession('PATCH', settings, edit)
  expect([status, body.error.details.issues[0].path]).toEqual([400, path])
})

test('403: editors cannot change it; 401: tokens cannot change it', async () => {
  const editor = await newPerson(service, { role: 'EDITOR' })
  expect(await editor.inSession('PATCH', settings, { name: 'Mine' })).toMatchObject({
    status: 403,
    body: { error: { code: 'role_missing' } },
  })
  for (const token of [service.people.admin, owner.token])
    expect((await service.call(token, 'PATCH', settings, { name: 'Mine' })).status).toBe(401)
})

test('412: a different request was faster', async () => {
  const stale = { 'x-svc-if-match': (await viewer.inSession('GET', settings)).headers.etag as string }
  expect((await owner.inSession('PATCH', settings, { name: 'One' }, stale)).status).toBe(200)
  expect((await owner.inSession('PATCH', settings, { name: 'Two' }, stale)).status).toBe(412)
})

test('a filter can be previewed on the events of the last days, of this organization only', async () => {
  const preview = async (body: object, who = owner) => who.inSession('POST', `${settings}/notifications/preview`, body)
  const { events: before } = (await preview({ notifications: null })).body.data
  const [shop, other] = [await createProject(service), await createProject(service)]
  await createFlag(service, shop, 'checkout')
  await createFlag(service, other, 'sandbox')
  await service.call(service.people.stranger, 'POST', '/api/v1/projects', { name: 'Elsewhere' })
  const { body: all } = await preview({ notifications: null })
  // Each project: created, then the flag with a revision in each environment.
  expect(all.data).toMatchObject({ events: before + 8, passed: before + 8, safety: 0, stopped: [], hasMore: false })
  const filter = { mode: 'EXCLUDE', keywords: ['sandbox', 'nothing'] }
  const { status, body } = await preview({ notifications: filter, days: 30 })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    events: before + 8,
    passed: before + 5,
    keywords: [
      { keyword: 'sandbox', matches: 3 },
      { keyword: 'nothing', matches: 0 },
    ],
    byEvent: expect.arrayContaining([{ event: 'flag.created', passed: 1, stopped: 1 }]),
    stopped: expect.arrayContaining([expect.objectContaining({ event: 'flag.created', name: 'Flag sandbox' })]),
  })
  expect((await viewer.inSession('GET', settings)).body.data.notifications).toBeNull()
  expect((await preview({ notifications: null, days: 31 })).body.error.details.issues[0].path).toEqual(['days'])
  expect((await preview({ notifications: null }, viewer)).status).toBe(403)
})

describe('quiet hours', () => {
  const hours = { from: '22:00', to: '07:00', days: ['SAT', 'SUN'], timezone: 'Europe/Amsterdam' }
  const patch = (body: object) => owner.inSession('PATCH', '/api/dashboard/organization', body)

  test('are saved, and read by tokens that read integrations', async () => {
    const { status, body } = await patch({ quietHours: hours, digestAt: '08:30', digestTimezone: 'Asia/Tokyo' })
    expect(status).toBe(200)
    const digest = { digestAt: '08:30', digestTimezone: 'Asia/Tokyo' }
    expect(body.data).toMatchObject({ quietHours: hours, ...digest })
    const read = await service.call(service.people.admin, 'GET', '/api/v1/organization/notifications')
    expect(read.body.data).toEqual({ notifications: body.data.notifications, quietHours: hours, ...digest })
    expect((await patch({ quietHours: null })).body.data.quietHours).toBeNull()
  })

  test.each([
    ['an hour that does not exist', { from: '24:00' }, 'from'],
    ['an end at the start', { to: '22:00' }, 'to'],
    ['a time zone of nobody', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset', { timezone: '+01:00' }, 'timezone'],
    ['seven quiet days', { days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] }, 'days'],
  ])('are refused with %s', async (_, change, field) => {
    const { status, body } = await patch({ quietHours: { ...hours, ...change } })
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['quietHours', field]])
  })

  test.each([
    ['blank', ['a', ' '], 1],
    ['there twice', ['Checkout', 'ｃheckout'], 1],
  ])('a keyword of the filter that is %s is refused', async (_, keywords, at) => {
    const { status, body } = await patch({ notifications: { mode: 'INCLUDE', keywords } })
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['notifications', 'keywords', at]])
  })
})
