import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hourMs } from '../../../../testing/clock.ts'
import { secondWorker } from '../../../../testing/destinations.ts'
import { succeed } from '../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../../testing/vendors/mail.ts'
import { held } from '../../../../testing/vendors/receiver.ts'
import { deliver, fire, startWebhookTest, type WebhookTest } from '../../../../testing/webhooks.ts'

let mail: MailServer
/** What the mail server waits for before it takes a mail. */
let take = async (): Promise<void> => {}
let on: WebhookTest
let ada: TestPerson
let grace: TestPerson

beforeAll(async () => {
  mail = await startMailServer({ refuse: (address) => address === grace.email, take: () => take() })
  on = await startWebhookTest({ settings: { SVC_SMTP_URL: mail.url, SVC_MAIL_FROM: 'svc@svc.test' } })
  ada = await newPerson(on.service)
  grace = await newPerson(on.service)
})
afterAll(async () => {
  await on.service.close()
  await mail.close()
})

let count = 0
const create = (to: string[], more: object = {}) => {
  count += 1
  const body = { name: `Mail ${count}`, kind: 'EMAIL', config: { to }, events: ['flag.created'], ...more }
  return on.service.call(on.service.people.admin, 'POST', `${on.project.path}/destinations`, body)
}
const pathOf = ({ body }: { body: { data: { id: string } } }) => `${on.project.path}/destinations/${body.data.id}`
const call = (method: 'DELETE' | 'POST', path: string) => on.service.call(on.service.people.admin, method, path)

test('an event is a mail in one thread, with headers against automatic answers', async () => {
  const path = pathOf(await create([ada.email]))
  await fire(on)
  await deliver(on)
  const received = await mail.next(ada.email)
  expect(received.text).toMatch(/created the flag/)
  expect(received.headers.join('\n')).toMatch(/Auto-Submitted: auto-generated/i)
  expect(received.headers.join('\n')).toMatch(/References:\s+<svc-[0-9a-f]{64}@/i)
  const [record] = await succeed(on.service, 'GET', `${path}/deliveries`)
  expect(record).toMatchObject({ status: 'DELIVERED', responseStatus: null, errorMessage: null })
  await call('DELETE', path)
})

test('is sent once, however long the mail server takes', async () => {
  const [asked, taken] = [held<void>(), held<void>()]
  take = () => {
    asked.resolve()
    return taken.promise
  }
  const { email } = await newPerson(on.service)
  const path = pathOf(await create([email]))
  await fire(on)
  on.service.deliveries.wake()
  await asked.promise
  on.clock.move(59_000)
  const second = secondWorker(on)
  second.wake()
  await second.idle()
  taken.resolve()
  await deliver(on)
  const records = await succeed(on.service, 'GET', `${path}/deliveries`)
  expect(records).toMatchObject([{ status: 'DELIVERED', attempts: 1, errorMessage: null }])
  expect(mail.received.filter(({ to }) => to.includes(email))).toHaveLength(1)
  await call('DELETE', path)
})

test('is delivered if one address takes it, and names those that did not', async () => {
  const path = pathOf(await create([ada.email, grace.email]))
  const { body } = await call('POST', `${path}/test`)
  expect(body.data).toMatchObject({ status: 'DELIVERED', errorMessage: expect.stringMatching(`^${grace.email}: 550 `) })
  await call('DELETE', path)
})

test('has failed if no address takes it', async () => {
  const path = pathOf(await create([grace.email]))
  const { body } = await call('POST', `${path}/test`)
  expect(body.data).toMatchObject({ status: 'FAILED', errorMessage: expect.stringMatching(`^${grace.email}: 550 `) })
  await call('DELETE', path)
})

test('goes to members, but not after they have left', async () => {
  const leaving = await newPerson(on.service)
  const path = pathOf(await create([leaving.email]))
  await call('DELETE', `/api/v1/members/${leaving.id}`)
  const { body: after } = await call('POST', `${path}/test`)
  expect(after.data).toMatchObject({
    status: 'FAILED',
    errorMessage: 'None of the addresses belongs to a member or has confirmed that it wants this mail.',
  })
})

describe('an address of no member', () => {
  const linkIn = ({ text }: ReceivedMail) =>
    /confirm-mail#(\S+)/.exec(text.replaceAll('=\n', '').replaceAll('=3D', '='))![1]!
  const confirm = (link: string) =>
    on.service.call(
      null,
      'POST',
      '/api/dashboard/mail-addresses/confirm',
      { link },
      { 'sec-fetch-site': 'same-origin' },
    )
  const stranger = () => `stranger-${crypto.randomUUID()}@svc.test`
  const read = (path: string) => succeed(on.service, 'GET', path)
  const asksTo = (email: string) =>
    mail.received.filter(({ to, text }) => to.includes(email) && text.includes('confirm-mail#'))

  test('gets only a mail that asks until it agrees', async () => {
    const email = stranger()
    const created = await create([email])
    const path = pathOf(created)
    expect([created.status, created.body.data.unconfirmed]).toEqual([201, [email]])
    const asked = await mail.next(email)
    expect(asked.text).toMatch(/Mail is sent only after you agree/)
    expect((await call('POST', `${path}/test`)).body.data.status).toBe('FAILED')
    const link = linkIn(asked)
    const shown = await on.service.call(
      null,
      'POST',
      '/api/dashboard/mail-addresses/check',
      { link },
      { 'sec-fetch-site': 'same-origin' },
    )
    expect(shown.body.data).toEqual({ email, organization: 'Acme' })
    expect([(await confirm(link)).status, (await confirm(link)).status]).toEqual([200, 200])
    expect((await read(path)).unconfirmed).toEqual([])
    expect((await call('POST', `${path}/test`)).body.data.status).toBe('DELIVERED')
    const entries = await read('/api/v1/audit?action=organization.confirm_mail')
    expect(entries.filter(({ after }: { after: { email: string } }) => after.email === email)).toHaveLength(1)
    await call('DELETE', path)
  })

  test('that can still agree keeps the destination enabled', async () => {
    const tell = async () => {
      on.clock.move(1_000)
      await fire(on)
      await deliver(on)
    }
    const [email, late] = [stranger(), stranger()]
    const [path, latePath] = [pathOf(await create([email])), pathOf(await create([late]))]
    for (let events = 0; events < 5; events += 1) await tell()
    expect(await read(path)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
    await confirm(linkIn(await mail.next(email)))
    await tell()
    expect((await mail.next(email)).text).toMatch(/created the flag/)
    on.clock.move(7 * 24 * hourMs)
    await tell()
    expect(await read(latePath)).toMatchObject({ enabled: true, consecutiveFailures: 1 })
    await call('DELETE', path)
    await call('DELETE', latePath)
  })

  test('is asked once a day, whoever adds it', async () => {
    const email = stranger()
    const path = pathOf(await create([email]))
    await create([email])
    await mail.next(email)
    on.clock.move(hourMs)
    await on.service.call(on.service.people.admin, 'PATCH', path, { config: { to: [email, ada.email] } })
    expect(asksTo(email)).toHaveLength(1)
    on.clock.move(24 * hourMs)
    await on.service.call(on.service.people.admin, 'PATCH', path, { config: { to: [email] } })
    await mail.next(email)
    expect(asksTo(email)).toHaveLength(2)
    expect((await confirm(linkIn(asksTo(email)[0]!))).status).toBe(200)
  })

  test('that has unsubscribed is asked again before it gets more', async () => {
    const email = stranger()
    const path = pathOf(await create([email, ada.email]))
    await confirm(linkIn(await mail.next(email)))
    await call('POST', `${path}/test`)
    const { headers } = await mail.next(email)
    const address = /^List-Unsubscribe:\s+<([^>]+)>/im.exec(headers.join('\n'))![1]!
    expect((await call('POST', new URL(address).pathname)).status).toBe(200)
    const again = await create([email])
    expect(again.body.data.unconfirmed).toEqual([email])
    await mail.next(email)
  })

  test.each(['x', `${crypto.randomUUID()}.9.YQ.${'A'.repeat(43)}`])('does not agree by %s', async (link) => {
    expect((await confirm(link)).status).toBe(404)
  })
})
