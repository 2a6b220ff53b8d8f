import type { components, operations } from '@octokit/openapi-types'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../testing/full.ts'
import { messageOf } from '../../../../../testing/vendors/ticket-messages.ts'
import {
  type TicketKindName,
  type VendorOptions,
  vendorConfigs,
  vendors,
} from '../../../../../testing/vendors/ticket-vendors.ts'
import type { Answer, Message, Ticket, TicketKind, TicketStep, Verdict } from '../../tickets/index.ts'
import { github, type NewIssue } from './github.ts'
import { jira } from './jira.ts'
import { linear } from './linear.ts'
import { pagerduty } from './pagerduty.ts'
import { ticketParts } from './ticket-text.ts'

type IssueRequest = operations['issues/create']['requestBody']['content']['application/json']

const now = new Date('2026-11-27T12:00:01.000Z')
const delivery = { id: '0199aa7e-5f00-7000-8000-000000000001' }
const { key } = messageOf()
const kinds = { PAGERDUTY: pagerduty, GITHUB: github, JIRA: jira, LINEAR: linear } as const
const names = Object.keys(kinds) as TicketKindName[]

function requestOf(name: TicketKindName, step: TicketStep, message = messageOf(), config?: object) {
  const kind = kinds[name] as TicketKind<unknown>
  return kind.requestOf({
    config: kind.config.parse(config ?? vendorConfigs[name]),
    message,
    eventType: 'flag.srm_failed',
    step,
  })
}

const judge = (name: TicketKindName, answer: Partial<Answer>, step: TicketStep): Verdict =>
  (kinds[name] as TicketKind<unknown>).judge(
    { status: null, headers: {}, body: '', ...answer },
    now,
    step,
    vendorConfigs[name],
  )

const create: TicketStep = { do: 'CREATE', key, mark: delivery.id }
const find: TicketStep = { do: 'FIND', key, mark: delivery.id, since: now }
const stepsOf = (ticket: Ticket): Record<'COMMENT' | 'CLOSE', TicketStep> => ({
  COMMENT: { do: 'COMMENT', key, mark: 'second', ticket },
  CLOSE: { do: 'CLOSE', key, mark: 'second', ticket },
})

/** A vendor, and a function that sends a step to it and judges the answer. */
function vendorOf(name: TicketKindName, options: VendorOptions = { now: () => now }) {
  const vendor = vendors[name](options)
  return {
    vendor,
    send(step: TicketStep, message?: Message): Verdict {
      const { method, url, headers, body } = requestOf(name, step, message)
      return judge(name, vendor.answer({ method, url: new URL(url), headers, body: body ?? '' }), step)
    },
  }
}

describe('a ticket', () => {
  it.each(['GITHUB', 'JIRA', 'LINEAR'] as const)('of %s is made, found, commented and closed', (name) => {
    const { vendor, send } = vendorOf(name)
    expect(send(find)).toEqual({ verdict: 'DELIVERED', ticket: 'MISSING' })
    const made = send(create)
    expect(made).toEqual({
      verdict: 'DELIVERED',
      external: { id: expect.any(String), url: expect.stringMatching(/^https:\/\/[a-z.]+\/.*\d$/) },
    })
    expect(send(find)).toEqual(made)
    const { COMMENT, CLOSE } = stepsOf(made.external!)
    expect(send(COMMENT)).toEqual({ verdict: 'DELIVERED' })
    expect(vendor.tickets).toMatchObject([{ title: messageOf().title, isOpen: true, comments: [expect.any(String)] }])
    expect(send(CLOSE)).toEqual({ verdict: 'DELIVERED' })
    expect(vendor.tickets).toMatchObject([{ isOpen: false }])
    expect(send(find)).toEqual(made)
  })

  it.each(['GITHUB', 'JIRA', 'LINEAR'] as const)('of %s that was deleted is missing', (name) => {
    const { send } = vendorOf(name)
    const steps = stepsOf({ id: name === 'JIRA' ? 'OPS-9' : name === 'LINEAR' ? crypto.randomUUID() : '9', url: null })
    for (const step of Object.values(steps)) expect(send(step)).toEqual({ verdict: 'DELIVERED', ticket: 'MISSING' })
  })

  it('of GitHub is found without its labels', () => {
    const { vendor, send } = vendorOf('GITHUB', { now: () => now, canPush: false })
    const made = send(create)
    expect(vendor.tickets).toMatchObject([{ labels: [] }])
    expect(send(find)).toEqual(made)
  })

  it('of GitHub is found among those of others', () => {
    const { send } = vendorOf('GITHUB')
    const made = send(create)
    for (let index = 0; index < 20; index += 1) send({ ...create, mark: `other-${index}` })
    expect(send(find)).toEqual(made)
  })

  it('of Linear is made once by its id, and so is a comment', () => {
    const { vendor, send } = vendorOf('LINEAR')
    const { external } = send(create)
    expect(send(create)).toEqual({ verdict: 'DELIVERED', ticket: 'REPEATED' })
    const { COMMENT } = stepsOf(external!)
    send(COMMENT)
    expect(send(COMMENT)).toEqual({ verdict: 'DELIVERED' })
    expect(vendor.tickets).toMatchObject([{ comments: [expect.any(String)] }])
  })

  it('of Jira that was closed by hand is accepted, with a note', () => {
    const { vendor, send } = vendorOf('JIRA')
    const { CLOSE } = stepsOf(send(create).external!)
    vendor.tickets[0]!.isOpen = false
    expect(send(CLOSE)).toEqual({
      verdict: 'DELIVERED',
      error: 'Jira did not accept the transition; the ticket may be closed already.',
    })
  })

  it('says the same to GitHub as its description of the API', () => {
    const issue: NewIssue = JSON.parse(requestOf('GITHUB', create).body!)
    expect(issue satisfies IssueRequest).toMatchObject({ title: messageOf().title, labels: ['svc', 'flags'] })
    const answer = { number: 5, html_url: 'https://github.com/acme/web-shop/issues/5' } satisfies Partial<
      components['schemas']['issue']
    >
    expect(judge('GITHUB', { status: 201, body: JSON.stringify(answer) }, create)).toMatchObject({
      external: { id: '5' },
    })
  })

  it('goes to a GitHub Enterprise Server', () => {
    const config = { ...vendorConfigs.GITHUB, apiUrl: 'https://git.acme.example/api/v3/' }
    expect(requestOf('GITHUB', create, messageOf(), config).url).toBe(
      'https://git.acme.example/api/v3/repos/acme/web-shop/issues',
    )
  })
})

describe('an alarm', () => {
  it('rings once for a key, and is resolved', () => {
    const { vendor, send } = vendorOf('PAGERDUTY')
    const made = send(create)
    expect(made).toEqual({ verdict: 'DELIVERED', external: { id: expect.stringMatching(/^svc-/), url: null } })
    send(create)
    expect(vendor.tickets).toMatchObject([{ labels: ['critical'], comments: [expect.any(String)], isOpen: true }])
    const resolve: TicketStep = { do: 'CLOSE', key, mark: 'second', ticket: null }
    expect(send(resolve)).toEqual({ verdict: 'DELIVERED' })
    expect(send(resolve)).toEqual({ verdict: 'DELIVERED' })
    expect(vendor.tickets).toMatchObject([{ isOpen: false }])
    send(create)
    expect(vendor.tickets).toHaveLength(2)
  })

  it.each([
    ['BAD', 'critical', true],
    ['WARNING', 'warning', true],
    ['INFO', 'info', false],
    ['GOOD', 'info', false],
  ] as const)('%s is %s, and opens: %s', (tone, severity, opens) => {
    const { vendor, send } = vendorOf('PAGERDUTY')
    send(create, messageOf({ tone }))
    expect(vendor.tickets).toMatchObject([{ labels: [severity] }])
    expect(pagerduty.opens(messageOf({ tone }))).toBe(opens)
    expect(pagerduty.opens(messageOf({ tone, key: 'webhook.test/d1' }))).toBe(true)
    expect(github.opens(messageOf({ tone }))).toBe(true)
  })

  it('goes to the region of the account', () => {
    const config = { routingKey: vendorConfigs.PAGERDUTY.routingKey }
    expect(requestOf('PAGERDUTY', create, messageOf(), config).url).toBe('https://events.pagerduty.com/v2/enqueue')
  })
})

const markdown = new MarkdownIt()

/** What a person reads of a ticket. */
const readable: Record<TicketKindName, (text: string) => string> = {
  PAGERDUTY: (text) => text,
  JIRA: (text) => [...text.matchAll(/"text":("(?:\\.|[^"\\])*")/g)].map(([, each]) => JSON.parse(each!)).join('\n'),
  GITHUB: rendered,
  LINEAR: rendered,
}

function rendered(text: string): string {
  const tokens = markdown.parse(text.replace(/<!-- svc-[0-9a-f]{12} -->/, ''), {})
  const parts = tokens.flatMap(({ children }) => children ?? [])
  const markup = new Set(parts.map(({ type }) => type))
  for (const allowed of ['text', 'text_special', 'strong_open', 'strong_close', 'link_open', 'link_close', 'softbreak'])
    markup.delete(allowed)
  expect([...markup]).toEqual([])
  expect(parts.filter(({ type }) => type === 'link_open')).toHaveLength(1)
  return parts.map(({ content, type }) => (type === 'softbreak' ? '\n' : content)).join('')
}

const joints = /\u200b/g

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ maxLength: 12_000, unit: 'grapheme-composite' }),
  fc
    .array(
      fc.constantFrom(
        '@ada',
        '#12',
        'GH-4',
        '<!channel>',
        '**',
        '`',
        '[x](http://y)',
        'https://github.com/a/b/issues/1',
        'www.a.b',
        '<!-- ',
        ' -->',
        '<script>',
        '&amp;',
        '1. ',
        '- ',
        '> ',
        '|',
        '$x$',
        ':tada:',
        '\\',
        '\u0000',
        '\ud800',
        '\udc00',
        '\n',
        '\u202e',
        '👩‍👩‍👧‍👦',
        'é',
        'svc',
        ' ',
        '"',
        "'",
        '{{x}}',
        '__proto__',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
)
const hostileMessage = fc.record({
  title: hostile,
  summary: hostile,
  project: hostile,
  actor: hostile,
  facts: fc.array(fc.record({ label: hostile, value: hostile }), { maxLength: 25 }),
})

describe('hostile names', () => {
  it.each(names)('are accepted by %s, and read as they are', (name) => {
    fc.assert(
      fc.property(hostileMessage, (texts) => {
        const { vendor, send } = vendorOf(name)
        const message = messageOf({ ...texts, title: `Checkout ${texts.title}` })
        expect(send(create, message)).toMatchObject({ verdict: 'DELIVERED' })
        const { title, text } = vendor.tickets[0]!
        expect(ticketParts(message).title.startsWith(title.replace(/…$/, ''))).toBe(true)
        const read = readable[name](text).replaceAll(joints, '')
        const { summary, facts } = ticketParts(message)
        expect(read).toContain(summary.replaceAll(joints, ''))
        expect(read).toContain(facts[0]!.value.replaceAll(joints, ''))
        if (name === 'GITHUB' || name === 'LINEAR') expect(text).not.toMatch(/[@#](?!&#8203;|8203;)/)
        const { COMMENT } = stepsOf(send(find, message).external ?? { id: 'none', url: null })
        if (name !== 'PAGERDUTY') expect(send(COMMENT, message)).toEqual({ verdict: 'DELIVERED' })
      }),
      { numRuns: runsOf(1_000) },
    )
  })

  it('leaves out facts that do not fit', () => {
    const value = '@'.repeat(2_000)
    const facts = Array.from({ length: 25 }, () => ({ label: value, value }))
    for (const name of names) {
      const { vendor, send } = vendorOf(name)
      expect(send(create, messageOf({ facts, summary: value }))).toMatchObject({ verdict: 'DELIVERED' })
      expect(vendor.tickets[0]!.text.length).toBeGreaterThan(20_000)
    }
  })
})

const in5s = { 'retry-after': '5' }
const linearError = (message: string, extensions: object) => JSON.stringify({ errors: [{ message, extensions }] })
const held = (holdMs?: number): Verdict => ({ verdict: 'HOLD', ...(holdMs !== undefined && { holdMs }) })
const retried: Verdict = { verdict: 'RETRY' }
const refused: Verdict = { verdict: 'PERMANENT' }
const seconds = now.getTime() / 1000

describe('an answer', () => {
  it.each<[TicketKindName, string, Partial<Answer>, Verdict]>([
    ...names.flatMap((name): [TicketKindName, string, Partial<Answer>, Verdict][] => [
      [name, '429 with seconds', { status: 429, headers: in5s }, held(5_000)],
      [name, '429 with parts of seconds', { status: 429, headers: { 'retry-after': '1.5' } }, held(1_500)],
      [
        name,
        '429 with a date',
        { status: 429, headers: { 'retry-after': 'Fri, 27 Nov 2026 12:00:31 GMT' } },
        held(30_000),
      ],
      [name, '429 without a time', { status: 429 }, held()],
      [name, '429 with two numbers', { status: 429, headers: { 'retry-after': '5, 6' } }, { verdict: 'HOLD' }],
      [name, '429 with a time before zero', { status: 429, headers: { 'retry-after': '-5' } }, { verdict: 'HOLD' }],
      [name, '429 with no time at all', { status: 429, headers: { 'retry-after': '0' } }, held(1_000)],
      [
        name,
        '429 with a date that is over',
        { status: 429, headers: { 'retry-after': 'Fri, 27 Nov 2026 11:59:00 GMT' } },
        held(1_000),
      ],
      [name, '429 with words', { status: 429, headers: { 'retry-after': 'soon' } }, held()],
      [name, '429 with a day', { status: 429, headers: { 'retry-after': '86400' } }, held(3_600_000)],
      [name, '429 with the past', { status: 429, headers: { 'x-ratelimit-reset': '1' } }, held(1_000)],
      [name, 'no answer', { status: null }, retried],
      [name, '500', { status: 500 }, retried],
      [name, '503', { status: 503, headers: in5s }, retried],
      [name, '408', { status: 408 }, retried],
      [name, '302', { status: 302 }, retried],
      [name, '410', { status: 410 }, refused],
      [name, '400', { status: 400 }, refused],
    ]),
    ...(['GITHUB', 'JIRA', 'LINEAR'] as const).flatMap((name): [TicketKindName, string, Partial<Answer>, Verdict][] => [
      [name, '401', { status: 401 }, refused],
      [name, '403', { status: 403 }, refused],
      [name, '404', { status: 404 }, refused],
      [name, '422', { status: 422 }, refused],
    ]),
    ['PAGERDUTY', '401', { status: 401 }, retried],
    ['GITHUB', '403 with a time', { status: 403, headers: in5s }, held(5_000)],
    [
      'GITHUB',
      '403 of the hourly limit',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(seconds + 90) } },
      held(90_000),
    ],
    [
      'GITHUB',
      '403 of another limit',
      {
        status: 403,
        headers: { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': String(seconds + 90) },
        body: '{"message":"You have exceeded a secondary rate limit."}',
      },
      held(),
    ],
    [
      'GITHUB',
      '201 that cannot be read',
      { status: 201, body: '<html>' },
      { verdict: 'RETRY', error: expect.any(String) },
    ],
    ['JIRA', '429 with ISO 8601', { status: 429, headers: { 'x-ratelimit-reset': '2026-11-27T12:01Z' } }, held(59_000)],
    ['JIRA', '201 that cannot be read', { status: 201, body: '{}' }, { verdict: 'RETRY', error: expect.any(String) }],
    [
      'LINEAR',
      '400 of a limit',
      {
        status: 400,
        headers: {
          'x-ratelimit-requests-remaining': '0',
          'x-ratelimit-requests-reset': String(now.getTime() + 7_000),
          'x-ratelimit-complexity-remaining': '9000',
          'x-ratelimit-complexity-reset': String(now.getTime() + 900_000),
        },
        body: linearError('Rate limit exceeded', { code: 'RATELIMITED' }),
      },
      held(7_000),
    ],
    ['LINEAR', '200 of a limit', { status: 200, body: linearError('Slow', { type: 'ratelimited' }) }, held()],
    [
      'LINEAR',
      'an error of theirs',
      { status: 200, body: linearError('Oh', { code: 'INTERNAL_SERVER_ERROR' }) },
      retried,
    ],
    ['LINEAR', 'a lock', { status: 200, body: linearError('Oh', { type: 'lock timeout' }) }, retried],
    [
      'LINEAR',
      'a key that is not valid',
      { status: 400, body: linearError('Authentication required', { code: 'AUTHENTICATION_ERROR' }) },
      { verdict: 'PERMANENT', error: 'Linear answered: Authentication required' },
    ],
    [
      'LINEAR',
      'a team that does not exist',
      { status: 200, body: linearError('Entity not found: Team', { code: 'INPUT_ERROR' }) },
      { verdict: 'PERMANENT', error: 'Linear answered: Entity not found: Team' },
    ],
    ['LINEAR', '200 that cannot be read', { status: 200, body: '<html>' }, retried],
    ['LINEAR', '200 without success', { status: 200, body: '{"data":{"issueCreate":{"success":false}}}' }, retried],
  ])('%s: %s', (name, _what, answer, expected) => {
    expect(judge(name, answer, create)).toEqual(expected)
  })
})

describe('a config', () => {
  it.each<[TicketKindName, object, string]>([
    ['PAGERDUTY', { routingKey: 'short' }, 'routingKey'],
    ['PAGERDUTY', { region: 'MARS' }, 'region'],
    ['GITHUB', { repo: '../other' }, 'repo'],
    ['GITHUB', { owner: 'a/b' }, 'owner'],
    ['GITHUB', { repo: '..' }, 'repo'],
    ['GITHUB', { token: 'a\r\nb' }, 'token'],
    ['GITHUB', { apiUrl: 'https://api.github.com?a' }, 'apiUrl'],
    ['GITHUB', { apiUrl: 'http://api.github.com' }, 'apiUrl'],
    ['JIRA', { site: 'https://acme.atlassian.net/jira' }, 'site'],
    ['JIRA', { projectKey: 'OPS" OR "' }, 'projectKey'],
    ['JIRA', { labels: ['two words'] }, 'labels'],
    ['JIRA', { doneTransitionId: 'Done' }, 'doneTransitionId'],
    ['LINEAR', { apiKey: 'two words' }, 'apiKey'],
    ['LINEAR', { teamId: 'OPS' }, 'teamId'],
    ['LINEAR', { extra: true }, ''],
  ])('of %s with %j is refused', (name, wrong, field) => {
    const result = (kinds[name] as TicketKind<unknown>).config.safeParse({ ...vendorConfigs[name], ...wrong })
    expect(result.error?.issues[0]?.path[0] ?? '').toBe(field)
    expect(result.success).toBe(false)
  })
})
