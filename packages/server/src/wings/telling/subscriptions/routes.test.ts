import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hourMs } from '../../../../testing/clock.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { createProject, type TestProject } from '../../../../testing/service.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../../testing/vendors/mail.ts'
import { deliver, fire, startWebhookTest, type WebhookTest } from '../../../../testing/webhooks.ts'
import { authors, systemActor } from '../../../platform/outbox.ts'
import { sealWith } from '../../../platform/seal.ts'
import { fanOutToAll } from './index.ts'

let mail: MailServer
let on: WebhookTest
let project: TestProject
const refused = new Set<string>()
const secondMs = 1_000

beforeAll(async () => {
  mail = await startMailServer({ refuse: (address) => refused.has(address) })
  on = await startWebhookTest({ settings: { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' } })
})
afterAll(async () => {
  await on.service.close()
  await mail.close()
})
beforeEach(async () => {
  project = await createProject(on.service)
})

const path = '/api/dashboard/me/subscriptions'
const listed = async (person: TestPerson) => (await person.inSession('GET', path)).body.data
const lineOf = async (person: TestPerson, { id }: { id: string } = project) =>
  (await listed(person)).subscriptions.find((each: { projectId: string }) => each.projectId === id)
const choose = (person: TestPerson, ...subscriptions: object[]) => person.inSession('PUT', path, { subscriptions })
const hearing = (events: string[] | 'SAFETY', more: object = {}) => ({ projectId: project.id, events, ...more })

const fireHere = () => fire({ service: on.service, project })

/** Records that a webhook of the project was disabled, which is a safety event. */
async function alarm(): Promise<void> {
  const { service, clock } = on
  const seal = sealWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url'))
  const author = authors([fanOutToAll(seal)], clock.now)(systemActor('test'))
  const { orgId } = await succeed(service, 'GET', project.path)
  const webhook = { id: project.id, name: 'Receiver', enabled: false }
  await service.db.transaction().execute((tx) =>
    author.record(tx, {
      orgId,
      projectId: project.id,
      action: 'webhook.disable',
      object: { type: 'webhook', id: webhook.id, name: webhook.name },
      events: [{ name: 'webhook.disabled', payload: { webhook, reason: 'It does not answer.' } }],
    }),
  )
}

const mailTo = ({ email }: TestPerson) => mail.received.filter(({ to }) => to.includes(email))

/** The address in the header of a mail, as a mail program reads it. */
function linkIn({ headers }: ReceivedMail): string {
  const unfolded = headers.join('\n').replaceAll(/\n[ \t]+/g, ' ')
  return new URL(/^List-Unsubscribe: <([^>]+)>/im.exec(unfolded)![1]!).pathname
}

/** One click, as a mail program sends it: a form, from anywhere, without any credential. */
const click = async (link: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' }
  return (await on.service.call(null, 'POST', link, 'List-Unsubscribe=One-Click', headers)).status
}

const auditOf = async (person: TestPerson) =>
  (await succeed(on.service, 'GET', `/api/v1/audit?action=user.mail_change&limit=100`)).filter(
    ({ object }: { object: { id: string } }) => object.id === person.id,
  )

describe('what a person chooses', () => {
  test('comes to the address of their account, and ends with the choice', async () => {
    const ada = await newPerson(on.service)
    expect(await lineOf(ada)).toMatchObject({ events: [], digest: 'NONE', isDefault: true, disableReason: null })
    const { status, body } = await choose(ada, hearing(['flag.created']))
    expect([status, body.data.sendsMail, body.data.email]).toEqual([200, true, ada.email])
    expect(await lineOf(ada)).toMatchObject({ events: ['flag.created'], isDefault: false })
    await fireHere()
    await deliver(on)
    expect((await mail.next(ada.email)).text).toMatch(/created the flag/)
    await choose(ada)
    expect(await lineOf(ada)).toMatchObject({ events: [], isDefault: true })
    await fireHere()
    await deliver(on)
    expect(mailTo(ada)).toHaveLength(1)
  })

  test('is hidden from everyone else', async () => {
    const ada = await newPerson(on.service)
    await choose(ada, hearing(['flag.created']))
    expect(await succeed(on.service, 'GET', `${project.path}/destinations`)).toEqual([])
    const grace = await newPerson(on.service, { role: 'ADMIN' })
    expect(JSON.stringify(await listed(grace))).not.toContain('flag.created')
  })

  test('is in the audit log, but only if it changes something', async () => {
    const ada = await newPerson(on.service)
    await choose(ada, hearing(['flag.created'], { digest: 'DAILY' }))
    await choose(ada, hearing(['flag.created'], { digest: 'DAILY' }))
    expect(await auditOf(ada)).toMatchObject([
      {
        actor: { type: 'user', id: ada.id },
        before: { subscriptions: [] },
        after: { subscriptions: [{ projectId: project.id, events: ['flag.created'], digest: 'DAILY' }] },
      },
    ])
  })

  test('waits for the digest, but safety events do not', async () => {
    const ada = await newPerson(on.service)
    await choose(ada, hearing(['flag.created', 'webhook.disabled'], { digest: 'HOURLY' }))
    // A digest is due on the hour.
    on.clock.move(secondMs)
    await fireHere()
    await alarm()
    await deliver(on)
    expect(mailTo(ada)).toMatchObject([{ text: expect.stringContaining('was disabled') }])
    on.clock.move(hourMs)
    await deliver(on)
    expect(mailTo(ada)).toHaveLength(2)
  })

  test.each([
    ['a project that does not exist', () => [{ projectId: crypto.randomUUID(), events: [] }], 'projectId'],
    ['a project twice', () => [hearing([]), hearing('SAFETY')], 'projectId'],
    ['an event that does not exist', () => [hearing(['flag.exploded'])], 'events'],
    ['a digest that does not exist', () => [hearing([], { digest: 'WEEKLY' })], 'digest'],
  ])('is refused for %s', async (_, chosen, field) => {
    const ada = await newPerson(on.service)
    const { status, body } = await choose(ada, ...chosen())
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
    expect(body.error.details.issues[0].path).toContain(field)
    expect(await auditOf(ada)).toEqual([])
  })

  test('is refused for a project that the person does not see', async () => {
    const other = await createProject(on.service)
    const ada = await newPerson(on.service, { projectIds: [other.id] })
    expect((await choose(ada, hearing('SAFETY'))).status).toBe(400)
    expect(await lineOf(ada)).toBeUndefined()
  })

  test('needs a person: a token has no mailbox', async () => {
    expect((await on.service.call(on.service.people.admin, 'GET', path)).status).toBe(401)
  })
})

describe('the default', () => {
  test('of owners and administrators is safety events, at once', async () => {
    const [admin, viewer] = [await newPerson(on.service, { role: 'ADMIN' }), await newPerson(on.service)]
    expect(await lineOf(admin)).toMatchObject({ events: 'SAFETY', isDefault: true })
    await alarm()
    await fireHere()
    await deliver(on)
    expect(mailTo(admin)).toMatchObject([{ text: expect.stringContaining('was disabled') }])
    expect(mailTo(viewer)).toEqual([])
    await alarm()
    on.clock.move(secondMs)
    await deliver(on)
    expect(mailTo(admin)).toHaveLength(2)
  })

  test('is about a project alone: an organization-wide event is one mail', async () => {
    const admin = await newPerson(on.service, { role: 'ADMIN' })
    await alarm()
    const first = project
    project = await createProject(on.service)
    await alarm()
    await deliver(on)
    expect(mailTo(admin)).toHaveLength(2)
    expect(await lineOf(admin, first)).toMatchObject({ events: 'SAFETY', isDefault: true })
  })

  test('gives way to a choice, also to hear nothing', async () => {
    const admin = await newPerson(on.service, { role: 'ADMIN' })
    await choose(admin, hearing([]))
    await alarm()
    await deliver(on)
    expect(mailTo(admin)).toEqual([])
    expect(await lineOf(admin)).toMatchObject({ events: [], isDefault: false })
  })

  test('ends with the role', async () => {
    const admin = await newPerson(on.service, { role: 'ADMIN' })
    await alarm()
    const roles = await succeed(on.service, 'GET', '/api/v1/roles')
    const { id: roleId } = roles.find(({ name }: { name: string }) => name === 'VIEWER')
    await deliver(on)
    await succeed(on.service, 'PATCH', `/api/v1/members/${admin.id}`, { roleId })
    await alarm()
    on.clock.move(secondMs)
    await deliver(on)
    expect(mailTo(admin)).toHaveLength(1)
    expect(await lineOf(admin)).toMatchObject({ events: [], isDefault: true })
  })
})

describe('ends', () => {
  const subscribed = async (more: object = {}) => {
    const ada = await newPerson(on.service)
    await choose(ada, hearing(['flag.created'], more))
    on.clock.move(secondMs)
    return ada
  }
  const deliverDigest = async () => {
    on.clock.move(hourMs)
    await deliver(on)
  }

  test('with the membership, and what waits with it', async () => {
    const ada = await subscribed({ digest: 'HOURLY' })
    await fireHere()
    await succeed(on.service, 'DELETE', `/api/v1/members/${ada.id}`)
    await deliverDigest()
    expect(mailTo(ada)).toEqual([])
  })

  test('with the access to the project', async () => {
    const ada = await subscribed({ digest: 'HOURLY' })
    await fireHere()
    const other = await createProject(on.service)
    await succeed(on.service, 'PATCH', `/api/v1/members/${ada.id}`, { projectIds: [other.id] })
    await fireHere()
    await deliverDigest()
    expect(mailTo(ada)).toEqual([])
  })

  test('after five failures, until the person saves again', async () => {
    const ada = await subscribed()
    refused.add(ada.email)
    for (let failure = 0; failure < 5; failure += 1) {
      await fireHere()
      await deliver(on)
      on.clock.move(secondMs)
    }
    expect(await lineOf(ada)).toMatchObject({ disableReason: '5 consecutive deliveries failed.' })
    expect((await auditOf(ada))[0]).toMatchObject({ actor: { type: 'system' }, after: { enabled: false } })
    refused.delete(ada.email)
    await choose(ada, hearing(['flag.created']))
    expect(await lineOf(ada)).toMatchObject({ disableReason: null })
    await fireHere()
    await deliver(on)
    expect(mailTo(ada)).toHaveLength(1)
  })

  test('with one click of a mail program, and what waits with it', async () => {
    const ada = await subscribed()
    await fireHere()
    await deliver(on)
    const link = linkIn(await mail.next(ada.email))
    await choose(ada, hearing(['flag.created'], { digest: 'HOURLY' }))
    await fireHere()
    expect([await click(link), await click(link)]).toEqual([200, 200])
    await deliverDigest()
    expect(mailTo(ada)).toHaveLength(1)
    expect(await lineOf(ada)).toMatchObject({ events: [], isDefault: false })
    expect(await auditOf(ada)).toMatchObject([
      { actor: { type: 'system', name: 'unsubscribe link' }, after: { projectId: project.id, events: [] } },
      { actor: { type: 'user' } },
      { actor: { type: 'user' } },
    ])
  })

  test('not with a request that only opens the link', async () => {
    const ada = await subscribed()
    await fireHere()
    await deliver(on)
    const link = linkIn(await mail.next(ada.email))
    const opened = await on.service.call(null, 'GET', link)
    expect([opened.status, opened.headers.location]).toEqual([
      303,
      `${on.service.baseUrl}/unsubscribe#${link.split('/').at(-1)}`,
    ])
    const shown = await on.service.call(null, 'GET', link.replace('/unsubscribe/', '/mailings/'))
    expect(shown.body.data).toMatchObject({ email: ada.email, destination: null, isOver: false })
    expect(await lineOf(ada)).toMatchObject({ events: ['flag.created'] })
  })
})

describe('a link of a destination', () => {
  const created = async (...people: TestPerson[]) => {
    const body = {
      name: 'Team',
      kind: 'EMAIL',
      config: { to: people.map(({ email }) => email) },
      events: ['flag.created'],
    }
    const { id } = await succeed(on.service, 'POST', `${project.path}/destinations`, body)
    return { read: () => succeed(on.service, 'GET', `${project.path}/destinations/${id}`) }
  }

  test('takes out the address of the mail, and of no other', async () => {
    const [ada, bob] = [await newPerson(on.service), await newPerson(on.service)]
    const team = await created(ada, bob)
    await fireHere()
    await deliver(on)
    const received = await mail.next(ada.email)
    expect(received.to).toEqual([ada.email])
    const link = linkIn(received)
    expect(await click(link)).toBe(200)
    expect(await team.read()).toMatchObject({ config: { to: [bob.email] }, enabled: true })
    expect(await click(link)).toBe(404)
  })

  test('of its last address disables it', async () => {
    const ada = await newPerson(on.service)
    const team = await created(ada)
    await fireHere()
    await deliver(on)
    const link = linkIn(await mail.next(ada.email))
    expect([await click(link), await click(link)]).toEqual([200, 200])
    expect(await team.read()).toMatchObject({ enabled: false, disableReason: `${ada.email} has unsubscribed.` })
  })

  test.each(['x', `${crypto.randomUUID()}.${'A'.repeat(43)}`])('is not %s', async (link) => {
    expect(await click(`/api/dashboard/unsubscribe/${link}`)).toBe(404)
    expect((await on.service.call(null, 'GET', `/api/dashboard/mailings/${link}`)).status).toBe(404)
  })
})
