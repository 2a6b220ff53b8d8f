import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeed } from '../../../../testing/flags.ts'
import { type MailServer, startMailServer } from '../../../../testing/mail.ts'
import { newPerson, type TestPerson } from '../../../../testing/people.ts'
import { deliver, fire, startWebhookTest, type WebhookTest } from '../../../../testing/webhooks.ts'

let mail: MailServer
let on: WebhookTest
let ada: TestPerson
let grace: TestPerson

beforeAll(async () => {
  mail = await startMailServer({ refuse: (address) => address === grace.email })
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

test('an event is a mail of one thread, which nobody answers by machine', async () => {
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

test('goes to members alone, also after they have left', async () => {
  const { status, body } = await create(['stranger@svc.test'])
  expect([status, body.error.details.issues[0].path]).toEqual([400, ['config', 'to', '0']])
  const leaving = await newPerson(on.service)
  const path = pathOf(await create([leaving.email]))
  await call('DELETE', `/api/v1/members/${leaving.id}`)
  const { body: after } = await call('POST', `${path}/test`)
  expect(after.data).toMatchObject({
    status: 'FAILED',
    errorMessage: 'None of the addresses belongs to a member any more.',
  })
})

test('is refused where the service sends no mail', async () => {
  const without = await startWebhookTest()
  const body = { name: 'Mail', kind: 'EMAIL', config: { to: ['a@svc.test'] }, events: ['flag.created'] }
  const answer = await without.service.call(
    without.service.people.admin,
    'POST',
    `${without.project.path}/destinations`,
    body,
  )
  expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_state'])
  await without.service.close()
})
