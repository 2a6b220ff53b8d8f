import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../testing/mail.ts'
import { openMailer } from './mail.ts'

let server: MailServer

afterEach(() => server.close())

const letter = { to: 'olive@acme.test', subject: 'A link', text: 'https://svc.test/join#secret-of-a-link\n' }

function openWithLog(url: string) {
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  return { mailer: openMailer(url, 'Svc <svc@svc.test>', log), lines }
}

test('mail reaches the server as it was written', async () => {
  server = await startMailServer()
  const { mailer, lines } = openWithLog(server.url)
  mailer.post(letter)
  const mail = await server.next()
  expect(mail).toMatchObject({ to: ['olive@acme.test'], from: 'svc@svc.test', subject: 'A link' })
  expect(mail.text).toContain('https://svc.test/join#secret-of-a-link')
  await mailer.close()
  expect(lines).toMatchObject([{ msg: 'mail was sent' }])
})

test('closing waits for mail under way', async () => {
  server = await startMailServer()
  const { mailer } = openWithLog(server.url)
  for (let number = 0; number < 5; number++) mailer.post({ ...letter, subject: `Number ${number}` })
  await mailer.close()
  expect(server.received).toHaveLength(5)
})

test('refused mail is logged without its content and does not throw', async () => {
  server = await startMailServer({ refuse: (address) => address === 'olive@acme.test' })
  const { mailer, lines } = openWithLog(server.url)
  mailer.post(letter)
  mailer.post({ ...letter, to: 'other@acme.test' })
  await mailer.close()
  expect(server.received).toMatchObject([{ to: ['other@acme.test'] }])
  expect(lines.find(({ msg }) => msg === 'mail was not sent')).toMatchObject({ err: { responseCode: 550 } })
  expect(JSON.stringify(lines)).not.toMatch(/secret-of-a-link|olive@acme/)
})

test('an unreachable server is logged', async () => {
  server = await startMailServer()
  await server.close()
  const { mailer, lines } = openWithLog(server.url)
  mailer.post(letter)
  await mailer.close()
  expect(lines).toMatchObject([{ msg: 'mail was not sent', err: { code: expect.stringMatching(/ECONN|ESOCKET/) } }])
})
