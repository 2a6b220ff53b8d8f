import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, standingClock } from '../../../../testing/clock.ts'
import { auditOf, newPerson, roleIds, type TestPerson } from '../../../../testing/people.ts'
import { createProject, startTestService, type TestService } from '../../../../testing/service.ts'
import { authors, systemActor } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { joinOrganization } from './index.ts'

let service: TestService
let owner: TestPerson
let admin: TestPerson
let roles: Record<string, string>
const url = '/api/v1/members/invitations'

beforeAll(async () => {
  service = await startTestService()
  owner = await newPerson(service, { role: 'OWNER' })
  admin = await newPerson(service, { role: 'ADMIN' })
  roles = await roleIds(service)
})
afterAll(() => service.close())

const address = () => `${crypto.randomUUID()}@svc.test`
const invite = (who: string, fields: object = {}) =>
  service.call(who, 'POST', url, { email: address(), roleId: roles.VIEWER, ...fields })
const listed = async (who = owner.token): Promise<{ id: string; email: string }[]> =>
  (await service.call(who, 'GET', url)).body.data
const secretOf = (link: string) => link.split('#')[1]!

/** The open link with this secret in the database. */
async function linkOf(secret: string) {
  const { rows } = await sql<{ id: string }>`
    select id from links where secret_hash = ${createHash('sha256').update(secret).digest()}`.execute(service.db)
  return rows[0]
}

describe('inviting', () => {
  test('returns the link once; the list and the audit log do not contain it', async () => {
    const email = address()
    const { status, body } = await invite(admin.token, { email: email.toUpperCase() })
    const { link, ...invitation } = body.data
    expect([status, invitation]).toEqual([
      201,
      {
        id: expect.any(String),
        email,
        role: { id: roles.VIEWER, name: 'VIEWER' },
        projectIds: null,
        invitedBy: admin.name,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        expired: false,
      },
    ])
    expect(link).toMatch(/^http:\/\/svc\.test\/join#[\w-]{43}$/)
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(7 * dayMs)
    expect((await listed()).find(({ id }) => id === invitation.id)).toEqual(invitation)
    const entries = await auditOf(service, invitation.id)
    expect(entries).toEqual([
      {
        action: 'member.invite',
        actor: 'personal_token',
        name: email,
        before: null,
        after: { email, role: { id: roles.VIEWER, name: 'VIEWER' }, projectIds: null },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(secretOf(link))
    expect(await linkOf(secretOf(link))).toEqual({ id: invitation.id })
  })

  test('can limit the member to chosen projects', async () => {
    const project = await createProject(service)
    const { body } = await invite(owner.token, { projectIds: [project.id] })
    expect(body.data.projectIds).toEqual([project.id])
    const confined = await newPerson(service, { projectIds: [] })
    expect((await listed(confined.token)).find(({ id }) => id === body.data.id)).toMatchObject({ projectIds: [] })
  })

  test('revokes an earlier invitation for the same address', async () => {
    const email = address()
    const first = (await invite(owner.token, { email })).body.data
    const second = (await invite(owner.token, { email, roleId: roles.EDITOR })).body.data
    expect((await listed()).filter((each) => each.email === email)).toMatchObject([
      { id: second.id, role: { name: 'EDITOR' } },
    ])
    expect(await linkOf(secretOf(first.link))).toBeUndefined()
    expect(await auditOf(service, second.id)).toMatchObject([
      { action: 'member.invite', before: { role: { name: 'VIEWER' } }, after: { role: { name: 'EDITOR' } } },
    ])
  })

  test('leaves one invitation with a working link when eight are created at once for one address', async () => {
    const email = address()
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(owner.token, { email })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const left = (await listed()).filter((each) => each.email === email)
    const links = await Promise.all(answers.map(({ body }) => linkOf(secretOf(body.data.link))))
    expect(links.filter(Boolean)).toEqual([{ id: left[0]!.id }])
    expect(left).toHaveLength(1)
  })

  test('is limited to ten mails per address and hour, in any spelling and with resending', async () => {
    const email = address()
    const { body } = await invite(admin.token, { email })
    for (let count = 1; count < 5; count += 1)
      expect((await invite(owner.token, { email: email.toUpperCase() })).status).toBe(201)
    const [open] = (await listed()).filter((each) => each.email === email)
    for (let count = 5; count < 10; count += 1)
      expect((await service.call(admin.token, 'POST', `${url}/${open!.id}/resend`)).status).toBe(200)
    for (const refused of [
      await invite(admin.token, { email }),
      await service.call(owner.token, 'POST', `${url}/${open!.id}/resend`),
    ])
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(body.data.id).not.toBe(open!.id)
    expect((await invite(admin.token)).status).toBe(201)
  })

  test.each<[string, object, string]>([
    ['an invalid address', { email: 'somebody' }, 'email'],
    ['a line break in the address', { email: 'a@svc.test\nBcc: b@svc.test' }, 'email'],
    ['an address that is too long', { email: `${'a'.repeat(250)}@svc.test` }, 'email'],
    ['a role of another organization', { roleId: 'foreign' }, 'roleId'],
    ['an invalid role id', { roleId: 'VIEWER' }, 'roleId'],
    ['an unknown project', { projectIds: [crypto.randomUUID()] }, 'projectIds'],
    ['an administrator with chosen projects', { roleId: 'admin', projectIds: [] }, 'projectIds'],
    ['an unknown field', { link: 'x' }, 'link'],
  ])('400: %s', async (_what, fields, field) => {
    const ids = { foreign: (await roleIds(service, 'Other')).VIEWER, admin: roles.ADMIN }
    const sent = { ...fields, ...('roleId' in fields && { roleId: ids[fields.roleId as 'admin'] ?? fields.roleId }) }
    const { status, body } = await invite(owner.token, sent)
    expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([400, 'validation_failed', [field]])
  })

  test('403: nobody can give more than their own rights', async () => {
    expect((await invite(admin.token, { roleId: roles.OWNER })).body.error.code).toBe('role_missing')
    expect((await invite(admin.token, { roleId: roles.ADMIN })).status).toBe(201)
    expect((await invite(owner.token, { roleId: roles.OWNER })).status).toBe(201)
    expect((await invite(service.people.editor)).body.error.details.scope).toBe('members:write')
  })

  test('409: a member cannot be invited', async () => {
    expect(await invite(owner.token, { email: admin.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { error: { code: 'validation_failed', details: { issues: [{ path: ['email'] }] } } },
    })
  })
})

describe('an open invitation', () => {
  test('can be resent with a new link, and the previous link stops working', async () => {
    const first = (await invite(owner.token)).body.data
    const { status, body } = await service.call(admin.token, 'POST', `${url}/${first.id}/resend`)
    const { link, ...resent } = body.data
    expect([status, resent]).toMatchObject([200, { id: first.id, email: first.email, invitedBy: admin.name }])
    expect([await linkOf(secretOf(first.link)), await linkOf(secretOf(link))]).toEqual([undefined, { id: first.id }])
    expect((await auditOf(service, first.id)).at(-1)).toMatchObject({ action: 'invitation.resend' })
  })

  test('can be revoked, and its link stops working', async () => {
    const { id, link, email } = (await invite(owner.token)).body.data
    expect((await service.call(admin.token, 'DELETE', `${url}/${id}`)).body).toEqual({ data: null })
    expect(await linkOf(secretOf(link))).toBeUndefined()
    expect((await listed()).map((each) => each.id)).not.toContain(id)
    expect((await auditOf(service, id)).at(-1)).toMatchObject({ action: 'invitation.revoke', before: { email } })
    expect((await service.call(admin.token, 'DELETE', `${url}/${id}`)).status).toBe(404)
  })

  test('for an owner can be changed only by owners', async () => {
    const { id, email } = (await invite(owner.token, { roleId: roles.OWNER })).body.data
    for (const answer of [
      await service.call(admin.token, 'POST', `${url}/${id}/resend`),
      await service.call(admin.token, 'DELETE', `${url}/${id}`),
      await invite(admin.token, { email }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'role_missing' } } })
    expect((await service.call(owner.token, 'POST', `${url}/${id}/resend`)).status).toBe(200)
  })

  test('of another organization is not found', async () => {
    const { id } = (await invite(owner.token)).body.data
    const { stranger } = service.people
    expect(await listed(stranger)).toEqual([])
    expect((await service.call(stranger, 'POST', `${url}/${id}/resend`)).status).toBe(404)
    expect((await service.call(stranger, 'DELETE', `${url}/${id}`)).status).toBe(404)
    expect((await listed()).map((each) => each.id)).toContain(id)
  })
})

describe('accepting', () => {
  const accept = (link: string) =>
    service.call(
      null,
      'POST',
      '/api/dashboard/invitations/accept',
      { link: secretOf(link), name: 'Nora New', password: 'a sentence that nobody guesses' },
      { 'sec-fetch-site': 'same-origin' },
    )

  test('the link admits its addressee once, with the role of the invitation', async () => {
    const project = await createProject(service)
    const { id, link, email } = (await invite(owner.token, { roleId: roles.EDITOR, projectIds: [project.id] })).body
      .data
    expect((await accept(link)).status).toBe(200)
    expect((await accept(link)).status).toBe(404)
    const { body } = await service.call(owner.token, 'GET', '/api/v1/members?limit=1')
    expect(body.data).toMatchObject([{ email, name: 'Nora New', role: { name: 'EDITOR' }, projectIds: [project.id] }])
    expect((await listed()).map((each) => each.id)).not.toContain(id)
    expect((await service.call(owner.token, 'POST', `${url}/${id}/resend`)).status).toBe(404)
  })

  test('a role that was given by an invitation can be deleted when nobody has it any more', async () => {
    const role = await service.call(owner.token, 'POST', '/api/v1/roles', { name: 'Passing', capabilities: [] })
    const roleId = role.body.data.id
    await accept((await invite(owner.token, { roleId })).body.data.link)
    const remove = () => service.call(owner.token, 'DELETE', `/api/v1/roles/${roleId}`)
    expect((await remove()).status).toBe(409)
    const { body } = await service.call(owner.token, 'GET', '/api/v1/members?limit=1')
    await service.call(owner.token, 'DELETE', `/api/v1/members/${body.data[0].userId}`)
    expect((await remove()).status).toBe(200)
  })

  test('a revoked, replaced or resent invitation admits nobody', async () => {
    const revoked = (await invite(owner.token)).body.data
    await service.call(owner.token, 'DELETE', `${url}/${revoked.id}`)
    const replaced = (await invite(owner.token)).body.data
    await invite(owner.token, { email: replaced.email })
    const resent = (await invite(owner.token)).body.data
    await service.call(owner.token, 'POST', `${url}/${resent.id}/resend`)
    for (const { link } of [revoked, replaced, resent]) expect((await accept(link)).status).toBe(404)
  })
})

describe('joining', () => {
  const join = (userId: string, projectIds: string[] | null) =>
    inTransaction(service.db, async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from organizations where name = 'Acme'`.execute(tx)
      const invitation = { orgId: rows[0]!.id, roleId: roles.EDITOR!, projectIds }
      const by = authors([], () => new Date())(systemActor('test'))
      return { joined: await joinOrganization(tx, by, { invitation, user: { id: userId } }) }
    })

  test('creates a member with the role and the projects of the invitation', async () => {
    const project = await createProject(service)
    const foreign = await createProject(service, service.people.stranger)
    const { id, token } = await newPerson(service, { organization: null })
    expect(await join(id, [project.id, foreign.id])).toEqual({ joined: true })
    expect((await service.call(token, 'GET', '/api/v1/me')).body.data.role.name).toBe('EDITOR')
    const { body } = await service.call(token, 'GET', '/api/v1/projects')
    expect(body.data.map((each: { id: string }) => each.id)).toEqual([project.id])
    expect(await auditOf(service, id)).toMatchObject([
      { action: 'member.join', before: null, after: { role: { name: 'EDITOR' }, projectIds: [project.id] } },
    ])
  })

  test('happens only once', async () => {
    const { id } = await newPerson(service)
    expect(await join(id, null)).toEqual({ joined: false })
    const { body } = await service.call(owner.token, 'GET', `/api/v1/members/${id}`)
    expect(body.data.role.name).toBe('VIEWER')
  })
})

test('an expired invitation is listed as expired and can be resent', async () => {
  const clock = standingClock()
  const later = await startTestService({ now: clock.now })
  const { VIEWER } = await roleIds(later)
  const { body } = await later.call(later.people.admin, 'POST', url, { email: address(), roleId: VIEWER })
  const expired = async () => (await later.call(later.people.admin, 'GET', url)).body.data[0].expired
  clock.move(7 * dayMs - 1)
  expect(await expired()).toBe(false)
  clock.move(1)
  expect(await expired()).toBe(true)
  await later.call(later.people.admin, 'POST', `${url}/${body.data.id}/resend`)
  expect(await expired()).toBe(false)
  await later.close()
})

describe('with a mail server', () => {
  let posting: TestService
  let server: SMTPServer
  const mails: string[] = []
  const waiting: ((mail: string) => void)[] = []
  const nextMail = () => new Promise<string>((resolve) => waiting.push(resolve))

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onData: (stream, _session, done) => {
        void text(stream).then((mail) => {
          mails.push(mail)
          waiting.shift()?.(mail)
          done()
        })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    posting = await startTestService({
      settings: { SVC_SMTP_URL: `smtp://127.0.0.1:${port}`, SVC_MAIL_FROM: 'Svc <svc@svc.test>' },
    })
  })
  afterAll(async () => {
    await posting.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  test('the link goes to the address and is not shown', async () => {
    const { VIEWER } = await roleIds(posting)
    const email = address()
    const first = nextMail()
    const { status, body } = await posting.call(posting.people.owner, 'POST', url, { email, roleId: VIEWER })
    expect([status, body.data.link]).toEqual([201, null])
    const mail = (await first).replace(/=\r\n/g, '').replaceAll('=3D', '=')
    expect(mail).toContain(`To: ${email}`)
    expect(mail).toContain('Subject: owner invites you to Acme')
    expect(mail).toMatch(/http:\/\/svc\.test\/join#[\w-]{43}/)
    const second = nextMail()
    const resent = await posting.call(posting.people.owner, 'POST', `${url}/${body.data.id}/resend`)
    expect(resent.body.data.link).toBeNull()
    expect(await second).not.toBe(mail)
    expect(mails).toHaveLength(2)
  })

  test('nobody can create a password link for a different person', async () => {
    const owner = await newPerson(posting, { role: 'OWNER' })
    const { id } = await newPerson(posting)
    expect(await owner.inSession('POST', `/api/dashboard/members/${id}/password-reset-link`)).toMatchObject({
      status: 409,
      body: { error: { code: 'invalid_state' } },
    })
  })
})
