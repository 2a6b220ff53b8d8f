import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../testing/processes/port.ts'
import { type MailServer, startMailServer } from '../../testing/vendors/mail.ts'
import { type OutgoingMail, openMailer } from './mail.ts'

let server: MailServer | undefined

afterEach(() => server?.close())

const letter = { to: 'olive@acme.test', subject: 'A link', text: 'https://svc.test/join#secret-of-a-link\n' }

function openWithLog(url: string, timeoutMs?: number) {
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  return { mailer: openMailer(url, 'Svc <svc@svc.test>', log, timeoutMs), lines }
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
  const { mailer, lines } = openWithLog(`smtp://127.0.0.1:${await freePort()}`)
  mailer.post(letter)
  await mailer.close()
  expect(lines).toMatchObject([{ msg: 'mail was not sent', err: { code: expect.stringMatching(/ECONN|ESOCKET/) } }])
})

describe('mail whose result is waited for', () => {
  const outgoing: OutgoingMail = {
    to: ['olive@acme.test', 'other@acme.test'],
    subject: 'Two flags were published',
    text: 'https://svc.test/unsubscribe#secret-of-a-link\n',
    html: '<p>Two flags were published</p>',
    headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': `<https://svc.test/${'u'.repeat(300)}>` },
    messageId: '<d1@svc.test>',
    references: ['<k1@svc.test>'],
  }
  const failed = { accepted: [], refused: [], durationMs: expect.any(Number) }

  async function send(url: string, timeoutMs?: number) {
    const { mailer, lines } = openWithLog(url, timeoutMs)
    const result = await mailer.send(outgoing)
    await mailer.close()
    expect(lines).toEqual([])
    return result
  }

  test('reaches the server as it was written', async () => {
    server = await startMailServer()
    expect(await send(server.url)).toEqual({
      ...{ accepted: outgoing.to, refused: [], code: 250, error: null },
      durationMs: expect.any(Number),
    })
    const [mail] = server.received
    expect(mail).toMatchObject({ to: outgoing.to, subject: outgoing.subject })
    expect(mail?.headers).toEqual(
      expect.arrayContaining([
        'Auto-Submitted: auto-generated',
        'Message-ID: <d1@svc.test>',
        'References: <k1@svc.test>',
        'To: olive@acme.test, other@acme.test',
      ]),
    )
    expect(mail?.headers.join('\n').replaceAll('\n ', ' ')).toContain(
      `List-Unsubscribe: <https://svc.test/${'u'.repeat(300)}>`,
    )
    for (const part of ['text/plain', 'text/html', '<p>Two flags were published</p>'])
      expect(mail?.text).toContain(part)
  })

  test('a refused address is named, and the others get the mail', async () => {
    server = await startMailServer({ refuse: (address) => address === 'olive@acme.test' && 552 })
    expect(await send(server.url)).toMatchObject({
      accepted: ['other@acme.test'],
      refused: [{ address: 'olive@acme.test', code: 552, text: 'no mailbox for olive@acme.test here' }],
      ...{ code: 250, error: null },
    })
  })

  test('all addresses can be refused', async () => {
    server = await startMailServer({ refuse: (address) => (address === 'olive@acme.test' ? 451 : 550) })
    expect(await send(server.url)).toMatchObject({
      accepted: [],
      refused: [
        { address: 'olive@acme.test', code: 451 },
        { address: 'other@acme.test', code: 550 },
      ],
      ...{ code: 451, error: 'The mail server refuses every address.' },
    })
  })

  test('a refused mail is refused for everybody, and an answer does not repeat a link', async () => {
    server = await startMailServer({
      refuseMail: (source) => `554 spam: ${/https\S+secret-of-a-link/.exec(source)?.[0]} x`,
    })
    expect(await send(server.url)).toMatchObject({
      refused: outgoing.to.map((address) => ({ address, code: 554, text: 'spam: ••• x' })),
      ...{ code: 554, error: 'The mail server refuses the mail: 554 spam: ••• x' },
    })
  })

  test('the answer to a sign-in is not repeated', async () => {
    server = await startMailServer({ refuseSignIn: (user, password) => `${user} has no password ${password}` })
    const url = server.url.replace('//', '//mail-user:pass%2Fword@')
    expect(await send(url)).toEqual({ ...failed, code: 535, error: 'The mail server refuses the sign-in. (535)' })
  })

  test('no other answer repeats the secrets of the address', async () => {
    const plain = `\0mail-user\0pass/word`
    const seen = ['mail-user', 'pass/word', 'pass%2Fword', btoa('pass/word'), btoa(plain), 'a-long-option']
    server = await startMailServer({ refuseMail: () => `554 ${seen.join(' ')} ends` })
    const url = `${server.url.replace('//', '//mail-user:pass%2Fword@')}?dkim.privateKey=a-long-option`
    expect((await send(url)).error).toBe(
      `The mail server refuses the mail: 554 ${seen.map(() => '•••').join(' ')} ends`,
    )
  })

  test('a password can contain a plain percent sign', async () => {
    server = await startMailServer({ refuseMail: () => '554 100%zz ends' })
    const url = server.url.replace('//', '//mail-user:100%zz@')
    expect((await send(url)).error).toBe('The mail server refuses the mail: 554 ••• ends')
  })

  test('an unreachable server is reported', async () => {
    expect(await send(`smtp://127.0.0.1:${await freePort()}`)).toEqual({
      ...{ ...failed, code: null },
      error: expect.stringMatching(/^The mail server cannot be reached\. \(ECONN\w+\)$/),
    })
  })

  test('a server that says nothing is left when the time is up', async () => {
    server = await startMailServer()
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const result = await send(`smtp://127.0.0.1:${port}`, 100)
    silent.close()
    expect(result).toEqual({ ...failed, code: null, error: 'Sending the mail took too long.' })
  })

  test('closing waits for it, and later mail is not sent', async () => {
    server = await startMailServer()
    const { mailer } = openWithLog(server.url)
    const results = Array.from({ length: 5 }, () => mailer.send(outgoing))
    await mailer.close()
    expect(server.received).toHaveLength(5)
    expect((await Promise.all(results)).map(({ code }) => code)).toEqual(Array(5).fill(250))
    expect(await mailer.send(outgoing)).toMatchObject({ accepted: [], error: expect.any(String) })
  })
})
