import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, standingClock, type TestClock } from '../../../../testing/clock.ts'
import { newPerson, roleIds } from '../../../../testing/people.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { openBrowser, signIn, testPassword } from '../../../../testing/sessions.ts'

let clock: TestClock
let service: TestService

beforeAll(async () => {
  clock = standingClock()
  service = await startTestService({ now: clock.now })
})
afterAll(() => service.close())

const check = (link: string) => openBrowser(service).call('POST', '/api/dashboard/links/check', { link })

/** Invites a person to Acme and returns the secret of the link that the owner sees. */
async function invite(email: string, role = 'EDITOR', projectIds?: string[]): Promise<string> {
  const body = { email, roleId: (await roleIds(service))[role], ...(projectIds && { projectIds }) }
  const answer = await service.call(service.people.owner, 'POST', '/api/v1/members/invitations', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.link.split('#')[1]
}

const accept = (body: object, browser = openBrowser(service)) =>
  browser.call('POST', '/api/dashboard/invitations/accept', body)
const newcomer = (link: string) => ({ link, name: 'Nora New', password: 'amber kettle by the 9 gates' })

test('200 a new person joins with a name and a password and is signed in', async () => {
  const link = await invite('nora-1@acme.test')
  expect((await check(link)).body.data).toEqual({
    kind: 'INVITATION',
    email: 'nora-1@acme.test',
    organization: { id: expect.any(String), name: 'Acme' },
    invitedBy: 'owner',
    hasAccount: false,
    personalTokens: [],
    initialToken: null,
    expiresAt: new Date(clock.now().getTime() + 7 * dayMs).toISOString(),
  })
  const browser = openBrowser(service)
  const { status, body } = await accept(newcomer(link), browser)
  expect([status, body.data.stage]).toEqual([200, 'SIGNED_IN'])
  expect(body.data.session).toMatchObject({
    user: { name: 'Nora New', email: 'nora-1@acme.test' },
    organizations: [{ name: 'Acme', role: { name: 'EDITOR' }, projects: null }],
  })
  await signIn(service, 'nora-1@acme.test', 'amber kettle by the 9 gates')
  const { rows } = await sql<{ action: string; after: unknown }>`
    select action, after from audit_entries where object_id = ${body.data.session.user.id}`.execute(service.db)
  expect(rows).toEqual([
    { action: 'member.join', after: { role: { id: expect.any(String), name: 'EDITOR' }, projectIds: null } },
  ])
})

test('200 a new person with chosen projects sees only these', async () => {
  const { body: other } = await service.call(service.people.admin, 'POST', '/api/v1/projects', { name: 'Chosen' })
  const link = await invite('nora-2@acme.test', 'EDITOR', [other.data.id])
  const browser = openBrowser(service)
  await accept(newcomer(link), browser)
  const { body } = await browser.call('GET', '/api/v1/projects')
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Chosen'])
})

test('200 a signed-in person joins with their account, under a new session id', async () => {
  const person = await newPerson(service, { organization: 'Other' })
  const link = await invite(person.email, 'ADMIN')
  const browser = await signIn(service, person.email)
  const before = browser.cookie()
  const { status, body } = await accept({ link }, browser)
  expect(status).toBe(200)
  expect(body.data.session.organizations.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Other'])
  expect(browser.cookie()).not.toBe(before)
})

test('400 a new person needs a name and a good password', async () => {
  const link = await invite('nora-4@acme.test')
  const answer = await accept({ link })
  expect(answer.body.error.details.issues.map(({ path }: { path: string[] }) => path)).toEqual([['name'], ['password']])
  expect((await accept({ ...newcomer(link), password: 'nora-4-2026' })).status).toBe(400)
  expect((await accept(newcomer(link))).status).toBe(200)
})

test('404 an invitation that is used, revoked, resent or expired', async () => {
  const used = await invite('nora-5@acme.test')
  await accept(newcomer(used))
  expect((await accept(newcomer(used))).status).toBe(404)
  const first = await invite('nils-5@acme.test')
  const second = await invite('nils-5@acme.test')
  expect((await accept(newcomer(first))).status).toBe(404)
  clock.move(7 * dayMs)
  expect((await accept(newcomer(second))).status).toBe(404)
  expect((await check(second)).status).toBe(404)
})

test('404 an invitation cannot set a password, and a reset link cannot accept an invitation', async () => {
  const link = await invite('nora-6@acme.test')
  const post = (path: string, body: object) => openBrowser(service).call('POST', `/api/dashboard${path}`, body)
  expect((await post('/password-reset/complete', { link, password: testPassword })).status).toBe(404)
  const owner = { organizationName: 'X', name: 'X', email: 'x@acme.test', password: testPassword }
  expect((await post('/sign-up', { link, ...owner })).status).toBe(404)
})

test('409 an address with an account, if it is signed out or a different account is signed in', async () => {
  const person = await newPerson(service, { organization: 'Other' })
  const link = await invite(person.email)
  expect((await check(link)).body.data.hasAccount).toBe(true)
  const refused = {
    status: 409,
    body: { error: { code: 'invalid_state', message: expect.stringMatching(/[Ss]ign in/) } },
  }
  expect(await accept(newcomer(link))).toMatchObject(refused)
  expect(await accept({ link }, await signIn(service, 'viewer@svc.test'))).toMatchObject(refused)
  expect((await accept({ link }, await signIn(service, person.email))).status).toBe(200)
})

test('one of two concurrent uses of an invitation joins', async () => {
  const link = await invite('nora-8@acme.test')
  const answers = await Promise.all([accept(newcomer(link)), accept(newcomer(link)), accept(newcomer(link))])
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const { rows } = await sql`select from users where email = 'nora-8@acme.test'`.execute(service.db)
  expect(rows).toHaveLength(1)
})
