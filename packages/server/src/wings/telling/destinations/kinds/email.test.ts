import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../testing/full.ts'
import { hostileMessages } from '../../../../../testing/vendors/hostile-messages.ts'
import { type MailServer, startMailServer } from '../../../../../testing/vendors/mail.ts'
import { messageOf } from '../../../../../testing/vendors/ticket-messages.ts'
import { type OutgoingMail, openMailer, type SentMail } from '../../../../platform/mail.ts'
import type { Message, Verdict } from '../../tickets/index.ts'
import { type EmailInput, email } from './email.ts'
import { plain } from './ticket-text.ts'

const unsubscribeUrl = 'https://svc.example/unsubscribe?token=abc&again=1'
const deliveryId = '0199c0de-0000-7000-8000-000000000001'
const ada = 'ada@acme.example'

const mailOf = (messages: readonly Message[], more: Partial<EmailInput> = {}): OutgoingMail =>
  email.mailOf({
    to: ada,
    messages: messages as [Message, ...Message[]],
    deliveryId,
    unsubscribeUrl,
    host: 'svc.example:8080',
    ...more,
  })

/** The elements of HTML without a fault, their own texts, and the addresses of links. */
function readHtml(html: string) {
  const found: { name: string; text: string }[] = []
  const links: string[] = []
  const read = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node) {
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
      found.push({ name: node.tagName, text })
      links.push(...node.attrs.filter(({ name }) => name === 'href').map(({ value }) => value))
      for (const { name } of node.attrs) if (!attributes.has(name)) throw new Error(`an attribute ${name}`)
    }
    if ('childNodes' in node) for (const child of node.childNodes) read(child)
  }
  const fail = ({ code, startOffset }: ParserError) => {
    throw new Error(`${code}: ${JSON.stringify(html.slice(startOffset, startOffset + 80))}`)
  }
  read(parse(html, { onParseError: fail }))
  const unexpected = found.filter(({ name }) => !elements.has(name))
  expect(unexpected).toEqual([])
  return { of: (element: string) => found.filter(({ name }) => name === element).map(({ text }) => text), links }
}

const elements = new Set('html head meta title body div h1 p a br span table tbody tr th td'.split(' '))
const attributes = new Set('lang charset name content dir style href'.split(' '))

/** Whether a text is all of another, or its beginning with `…`. */
const isBeginningOf = (text: string, whole: string): boolean =>
  text === whole || (text.endsWith('…') && whole.startsWith(text.slice(0, -1)))

const composer = createTransport(
  { streamTransport: true, buffer: true, newline: 'windows' },
  { from: 'svc@svc.example' },
)

/** The lines before the body, as they are sent. */
async function headersOf({ to, headers, references, ...mail }: OutgoingMail): Promise<string[]> {
  const { message } = await composer.sendMail({
    ...mail,
    to: [...to],
    headers: { ...headers },
    references: [...references],
  })
  const [head = ''] = message.toString().split('\r\n\r\n')
  return head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n')
}

const sentHeaders = [
  ...['Auto-Submitted', 'Content-Type', 'Date', 'From', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ...['MIME-Version', 'Message-ID', 'References', 'Subject', 'To'],
]

describe('whatever names contain', () => {
  it('a mail has the headers that it should have, and reads as it was written up to the cut', async () => {
    await fc.assert(
      fc.asyncProperty(hostileMessages, async (message) => {
        const mail = mailOf([message])
        expect(mail.subject).toMatch(/^[^\p{Cc}\u2028\u2029]{1,200}$/u)
        expect(mail.subject.length).toBeLessThanOrEqual(200)
        expect([mail.subject, mail.text, mail.html].every((text) => text.isWellFormed())).toBe(true)

        const headers = await headersOf(mail)
        expect(headers.map((line) => line.split(':')[0]).toSorted()).toEqual(sentHeaders)
        expect(headers).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`)
        expect(headers).toContain('To: ada@acme.example')

        const { of, links } = readHtml(mail.html)
        const [title, summary, project, actor] = [message.title, message.summary, message.project, message.actor].map(
          plain,
        )
        expect(links).toEqual([message.link.url, unsubscribeUrl])
        for (const read of [mail.subject, ...of('title'), ...of('h1')])
          expect(isBeginningOf(read, title || 'Svc')).toBe(true)
        const [foot, ...about] = of('p').filter(Boolean).toReversed()
        expect(foot).toBe('Svc at svc.example:8080 · ')
        expect(about.length).toBe(summary ? 1 : 0)
        for (const read of about) expect(isBeginningOf(read, summary ?? '')).toBe(true)

        const facts = [
          ...message.facts.slice(0, 20).map(({ label, value }) => [plain(label), plain(value)]),
          ['Project', project],
          ['By', actor],
          ['At', message.at.toISOString()],
        ].filter(([label, value]) => label && value)
        expect(of('th').length).toBe(facts.length)
        for (const [at, [label = '', value = '']] of facts.entries()) {
          expect(isBeginningOf(of('th')[at] ?? '', label)).toBe(true)
          expect(isBeginningOf(of('td')[at] ?? '', value)).toBe(true)
          expect(mail.text).toContain(`\n${of('th')[at]}: ${of('td')[at]}\n`)
        }
      }),
      { numRuns: runsOf(1_000) },
    )
  })

  it('several have a line and a link each, and no other links', () => {
    fc.assert(
      fc.property(fc.array(hostileMessages, { minLength: 2, maxLength: 5 }), (all) => {
        const messages = Array.from({ length: 50 }, (_, at) => all[at % all.length]!)
        const mail = mailOf(messages)
        expect(mail.subject).toMatch(/^50 events in[^\p{Cc}\u2028\u2029]{0,188}$/u)
        const { of, links } = readHtml(mail.html)
        expect(links).toEqual([...messages.map(({ link }) => link.url), unsubscribeUrl])
        const titles = of('a').slice(0, -1)
        expect(titles.length).toBe(50)
        for (const [at, { title, at: time }] of messages.entries()) {
          expect(isBeginningOf(titles[at] ?? '', plain(title) || 'Svc')).toBe(true)
          expect(of('span')[at]).toContain(time.toISOString())
          expect(mail.text).toContain(`\n${titles[at]}\n${of('span')[at]}\n${messages[at]?.link.url}\n`)
        }
      }),
      { numRuns: runsOf(100) },
    )
  })
})

describe('a mail', () => {
  it('says what happened, where, and by whom', () => {
    const { to, subject, text, headers } = mailOf([messageOf()])
    expect({ to, subject, headers }).toEqual({
      to: [ada],
      subject: 'Half of Checkout has a sample ratio mismatch',
      headers: {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
    expect(text).toBe(`Half of Checkout has a sample ratio mismatch

The split of visitors is not what the weights say.

p-value: 0.00002
Environment: Production
Project: Web shop
By: Svc
At: 2026-11-27T12:00:00.000Z

Open the results: https://svc.example/p/web-shop/flags/checkout?environment=production

-- 
Svc at svc.example:8080
Unsubscribe: ${unsubscribeUrl}
`)
  })

  it('offers to unsubscribe only where that is possible, with one click only over https', () => {
    const none = mailOf([messageOf()], { unsubscribeUrl: null })
    expect(none.headers).toEqual({ 'Auto-Submitted': 'auto-generated' })
    expect(none.text + none.html).not.toMatch(/unsubscribe/i)
    const http = mailOf([messageOf()], { unsubscribeUrl: 'http://localhost:8080/u?t=a>\r\nBcc: eve@evil.example' })
    expect(http.headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': '<http://localhost:8080/u?t=a%3EBcc:%20eve@evil.example>',
    })
  })

  it.each([
    ['svc.example', 'svc.example'],
    ['localhost:8080', 'localhost'],
    ['[::1]:8080', '[::1]'],
  ])('of %s has an id of the delivery', (host, domain) => {
    const ids = [messageOf(), messageOf({ title: 'Other' })].map((each) => mailOf([each], { host }).messageId)
    expect(ids).toEqual(Array(2).fill(expect.stringMatching(new RegExp(`^<${deliveryId}\\.[0-9a-f]{12}@`))))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]!.endsWith(`@${domain}>`)).toBe(true)
  })

  it('to a different address has a different id, which does not name the address', () => {
    const ids = [ada, 'bob@acme.example'].map((to) => mailOf([messageOf()], { to }).messageId)
    expect(new Set(ids).size).toBe(2)
    expect(ids.join()).not.toMatch(/ada|bob|acme/)
  })

  it('is in the thread of what it is about', () => {
    const [first, same, other] = [{}, { title: 'Recovered' }, { key: 'flag.srm_failed/e1/13' }].map((more) =>
      messageOf(more),
    )
    const references = [[first], [same], [other], [first, same], [first, other]].map(
      (all) => mailOf(all as Message[]).references,
    )
    const [thread, elsewhere] = [references[0], references[2]]
    expect(thread).toEqual([expect.stringMatching(/^<svc-[0-9a-f]{64}@svc\.example>$/)])
    expect(elsewhere).not.toEqual(thread)
    expect(references).toEqual([thread, thread, elsewhere, thread, []])
  })
})

describe('addresses', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@acme.example`)

  it.each([[['ada@acme.example']], [['ADA@Acme.example']], [many(20)]])('%j are taken', (to) =>
    expect(email.config.parse({ to })).toEqual({ to: to.map((each) => each.toLowerCase()) }),
  )

  it.each([
    [[]],
    [many(21)],
    [['ada@acme.example', 'Ada@acme.example']],
    [['ada']],
    [['Ada <ada@acme.example>']],
    [['ada@acme.example, eve@evil.example']],
    [['ada@acme.example\r\nRCPT TO:<eve@evil.example>']],
    [[`${'a'.repeat(250)}@acme.example`]],
  ])('%j are refused', (to) => expect(email.config.safeParse({ to }).success).toBe(false))
})

describe('results', () => {
  const result = (more: Partial<SentMail>): SentMail => ({
    ...{ accepted: [], refused: [], code: null, error: null, durationMs: 1 },
    ...more,
  })
  const refused = (...codes: (number | null)[]) =>
    codes.map((code, at) => ({ address: `a${at}@b.c`, code, text: 'no' }))

  it.each<[Partial<SentMail>, Verdict]>([
    [{ accepted: ['a@b.c'], code: 250 }, { verdict: 'DELIVERED' }],
    [
      { accepted: ['a@b.c'], refused: refused(550, 550, 451), code: 250 },
      { verdict: 'DELIVERED', error: 'a0@b.c, a1@b.c: 550 no; a2@b.c: 451 no' },
    ],
    [{ refused: refused(550, 554) }, { verdict: 'PERMANENT', error: 'a0@b.c: 550 no; a1@b.c: 554 no' }],
    ...[421, 450, 451, 452].map((code): [Partial<SentMail>, Verdict] => [
      { refused: refused(550, code) },
      { verdict: 'HOLD', error: `a0@b.c: 550 no; a1@b.c: ${code} no` },
    ]),
    [{ refused: refused(550, 454) }, { verdict: 'RETRY', error: 'a0@b.c: 550 no; a1@b.c: 454 no' }],
    [{ refused: refused(503) }, { verdict: 'RETRY', error: 'a0@b.c: 503 no' }],
    [{ refused: refused(null) }, { verdict: 'RETRY', error: 'a0@b.c: no' }],
    [
      { code: 421, error: 'busy' },
      { verdict: 'HOLD', error: 'busy' },
    ],
    [
      { code: 535, error: 'no sign-in' },
      { verdict: 'RETRY', error: 'no sign-in' },
    ],
    [{ error: 'no answer' }, { verdict: 'RETRY', error: 'no answer' }],
  ])('%j mean %j', (given, verdict) => expect(email.judge([result(given)])).toEqual(verdict))

  it.each<[string, Partial<SentMail>[], Verdict]>([
    ['one is taken', [{ error: 'no answer' }, { accepted: ['a@b.c'] }], { verdict: 'DELIVERED', error: 'no answer' }],
    [
      'one may be taken later',
      [{ refused: refused(550) }, { refused: refused(451) }],
      { verdict: 'HOLD', error: 'a0@b.c: 550 no; a0@b.c: 451 no' },
    ],
    [
      'one was not answered',
      [{ refused: refused(550) }, { error: 'no answer' }, { error: 'no answer' }],
      { verdict: 'RETRY', error: 'a0@b.c: 550 no; no answer' },
    ],
    [
      'all are refused',
      [{ refused: refused(550) }, { refused: refused(550) }],
      { verdict: 'PERMANENT', error: 'a0@b.c, a0@b.c: 550 no' },
    ],
  ])('of several mails, when %s', (_, given, verdict) => {
    expect(email.judge(given.map(result))).toEqual(verdict)
  })

  it('an error is not longer than others', () => {
    const all = Array.from({ length: 20 }, (_, at) => ({
      address: `a${at}@b.c`,
      code: 550,
      text: 'x'.repeat(300 - at),
    }))
    expect(email.judge([result({ refused: all })]).error?.length).toBeLessThanOrEqual(1_000)
  })
})

describe('through a mail server', () => {
  let server: MailServer
  afterEach(() => server.close())

  const codes = { bob: 550, carl: 451, dora: 554 }
  const refuse = (address: string) => codes[address.split('@')[0] as keyof typeof codes] ?? false

  async function attempt(...names: string[]) {
    const mailer = openMailer(server.url, 'svc@svc.example', pino({ enabled: false }))
    const message = messageOf({ title: 'A\r\nBcc: eve@evil.example' })
    const mails = names.map((name) => mailOf([message], { to: `${name}@acme.example` }))
    const results = await Promise.all(mails.map((mail) => mailer.send(mail)))
    await mailer.close()
    return email.judge(results)
  }

  it.each<[string[], Verdict]>([
    [['ada', 'fay'], { verdict: 'DELIVERED' }],
    [['ada', 'bob'], { verdict: 'DELIVERED', error: 'bob@acme.example: 550 no mailbox for bob@acme.example here' }],
    [
      ['bob', 'dora'],
      {
        verdict: 'PERMANENT',
        error:
          'bob@acme.example: 550 no mailbox for bob@acme.example here; dora@acme.example: 554 no mailbox for dora@acme.example here',
      },
    ],
    [
      ['bob', 'carl'],
      {
        verdict: 'HOLD',
        error:
          'bob@acme.example: 550 no mailbox for bob@acme.example here; carl@acme.example: 451 no mailbox for carl@acme.example here',
      },
    ],
  ])('mail to %j means %j', async (names, verdict) => {
    server = await startMailServer({ refuse })
    expect(await attempt(...names)).toEqual(verdict)
    const taken = names.filter((name) => !(name in codes)).map((name) => `${name}@acme.example`)
    expect(server.received.map(({ to, subject }) => ({ to, subject }))).toEqual(
      taken.map((to) => ({ to: [to], subject: 'A Bcc: eve@evil.example' })),
    )
  })

  it.each<[string, Verdict['verdict']]>([
    ['452 no room', 'HOLD'],
    ['554 spam', 'PERMANENT'],
    ['432 later', 'RETRY'],
  ])('a mail that is answered with %s is to be judged as %s', async (answer, verdict) => {
    server = await startMailServer({ refuseMail: () => answer })
    expect(await attempt('ada', 'fay')).toEqual({ verdict, error: `ada@acme.example, fay@acme.example: ${answer}` })
  })

  it('a server that cannot be reached is tried again', async () => {
    server = await startMailServer()
    await server.close()
    expect(await attempt('ada')).toEqual({
      verdict: 'RETRY',
      error: expect.stringMatching(/^The mail server cannot be reached\. \(ECONN\w+\)$/),
    })
  })
})
