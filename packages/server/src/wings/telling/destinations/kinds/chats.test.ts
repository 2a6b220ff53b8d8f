import type { KnownBlock } from '@slack/types'
import { AdaptiveCard, SerializationContext } from 'adaptivecards'
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { messageOf } from '../../../../../testing/ticket-messages.ts'
import type { ChatKind } from './chat-kind.ts'
import { discord } from './discord.ts'
import { googleChat } from './google-chat.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { template } from './template.ts'
import type { Answer, Message, Verdict } from './ticket-kind.ts'

const now = new Date('2026-11-27T12:00:01.000Z')
const url = 'https://hooks.example.com/services/T0/B0/abcdWxYz'
const kinds = { SLACK: slack, DISCORD: discord, TEAMS: teams, GOOGLE_CHAT: googleChat } as const
type Name = keyof typeof kinds
const names = Object.keys(kinds) as Name[]

function sent(name: Name, ...messages: Message[]) {
  const kind = kinds[name] as ChatKind<{ url: string }>
  const outgoing = kind.requestOf({ config: { url }, messages: messages as [Message, ...Message[]] })
  return { ...outgoing, json: JSON.parse(outgoing.body ?? '') }
}

const text = (maxLength: number) => z.string().min(1).max(maxLength)

/** The documented limits. */
const limits: Record<Name, z.ZodType> = {
  // https://docs.slack.dev/reference/block-kit/blocks
  SLACK: z.strictObject({
    text: text(4_000),
    blocks: z
      .union([
        z.strictObject({
          type: z.literal('header'),
          text: z.strictObject({ type: z.literal('plain_text'), text: text(150), emoji: z.boolean() }),
        }),
        z.strictObject({
          type: z.literal('section'),
          text: z.strictObject({ type: z.literal('mrkdwn'), text: text(3_000) }),
        }),
        z.strictObject({
          type: z.literal('section'),
          fields: z
            .strictObject({ type: z.literal('mrkdwn'), text: text(2_000) })
            .array()
            .min(1)
            .max(10),
        }),
        z.strictObject({
          type: z.literal('context'),
          elements: z
            .strictObject({ type: z.literal('plain_text'), text: text(2_000), emoji: z.boolean() })
            .array()
            .max(10),
        }),
      ])
      .array()
      .min(1)
      .max(50),
  }),
  // https://discord.com/developers/docs/resources/message#embed-object-embed-limits
  DISCORD: z.strictObject({
    embeds: z
      .strictObject({
        title: text(256),
        url: z.url().optional(),
        description: text(4_096).optional(),
        color: z.int(),
        fields: z
          .strictObject({ name: text(256), value: text(1_024), inline: z.boolean() })
          .array()
          .max(25)
          .optional(),
        footer: z.strictObject({ text: text(2_048) }).optional(),
        timestamp: z.iso.datetime().optional(),
      })
      .refine(
        ({ title, description = '', fields = [], footer }) =>
          [title, description, footer?.text ?? '', ...fields.flatMap(({ name, value }) => [name, value])].join('')
            .length <= 6_000,
        'together 6,000',
      )
      .array()
      .max(10),
    allowed_mentions: z.strictObject({ parse: z.array(z.never()).length(0) }),
  }),
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  TEAMS: z.strictObject({
    type: z.literal('message'),
    attachments: z
      .strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.object({ type: z.literal('AdaptiveCard'), version: z.literal('1.4') }),
      })
      .array()
      .length(1),
  }),
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
  GOOGLE_CHAT: z.strictObject({
    text: text(4_096),
    cardsV2: z
      .strictObject({
        cardId: z.string(),
        card: z.strictObject({
          header: z.strictObject({ title: text(300) }),
          sections: z
            .strictObject({ widgets: z.object({}).array().min(1).max(100) })
            .array()
            .max(100),
        }),
      })
      .array(),
    thread: z.strictObject({ threadKey: text(4_000) }).optional(),
  }),
}
const bytesMost: Record<Name, number> = { SLACK: 1_000_000, DISCORD: 1_000_000, TEAMS: 28 * 1024, GOOGLE_CHAT: 32_000 }

const pieces = [
  ...[
    '<!channel>',
    '@everyone',
    '@here',
    '<@U123>',
    '<users/all>',
    '<@&1>',
    '[x](javascript:alert)',
    '**b**',
    '`c`',
    '~~s~~',
    '||x||',
  ],
  ...[
    '&amp;',
    '"quotes"',
    "it's",
    '\\',
    '\u0000',
    '\ud800',
    '\u202e',
    'שלום',
    'العربية',
    '日本語',
    '👩‍👩‍👧‍👦',
    '🇳🇱',
    'e\u0301',
    '\n\n',
    '- list',
    '1. one',
    '# head',
  ],
]
const hostile = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 20 })), { maxLength: 30 })
    .map((all) => all.join(' ')),
  fc.constantFrom(...pieces).map((piece) => piece.repeat(Math.ceil(10_000 / piece.length))),
)
const messages = fc
  .record({
    title: hostile,
    summary: hostile,
    project: hostile,
    actor: hostile,
    tone: fc.constantFrom('GOOD' as const, 'INFO' as const, 'WARNING' as const, 'BAD' as const),
    facts: fc.array(fc.record({ label: hostile, value: hostile }), { maxLength: 30 }),
  })
  .map((more) => messageOf(more))

/** Everything that a person would read or be called by. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

/** What would call somebody, in the form of each chat. */
const mention: Record<Name, RegExp> = {
  SLACK: /<[!@#]/,
  // `allowed_mentions` forbids all of them; shown as text, they must not look like one either.
  DISCORD: /(?<!\\)@(everyone|here)|(?<!\\)<(?!\\)@/,
  TEAMS: /<at>/,
  GOOGLE_CHAT: /<users\//,
}

describe.each(names)('%s', (name) => {
  it('keeps within the documented limits, whatever names contain, and calls nobody', () => {
    fc.assert(
      fc.property(fc.array(messages, { minLength: 1, maxLength: 4 }), (all) => {
        const several = all.length === 1 ? all : Array.from({ length: 50 }, (_, index) => all[index % all.length]!)
        const { body, json } = sent(name, ...several)
        const fault = limits[name].safeParse(json).error
        expect(fault && z.prettifyError(fault)).toBeUndefined()
        expect(Buffer.byteLength(body ?? '')).toBeLessThanOrEqual(bytesMost[name])
        expect((body ?? '').isWellFormed()).toBe(true)
        // The footer of Discord and plain texts of Slack are shown as they are.
        const read = JSON.parse(body ?? '', (field, value) =>
          field === 'footer' || value?.type === 'plain_text' ? undefined : value,
        )
        expect(stringsIn(read).filter((each) => mention[name].test(each))).toEqual([])
      }),
      { numRuns: 250 },
    )
  })

  it('says what happened, where, and by whom', () => {
    const { body } = sent(name, messageOf())
    for (const part of ['sample ratio mismatch', 'Web shop', 'checkout', '0.00002']) expect(body).toContain(part)
  })

  it('has a line and a link for each of several', () => {
    const several = ['One', 'Two', 'Three', 'Four'].map((title) => messageOf({ title }))
    const { body } = sent(name, ...several)
    expect(body).toContain('4 events in Web shop')
    for (const { title } of several) expect(body).toContain(title)
  })
})

it('the blocks of Slack and the embeds of Discord have the types of their makers', () => {
  const blocks = sent('SLACK', messageOf()).json.blocks satisfies KnownBlock[]
  const discordBody = sent('DISCORD', messageOf()).json satisfies RESTPostAPIWebhookWithTokenJSONBody
  expect([blocks.length, discordBody.embeds?.length]).toEqual([4, 1])
})

it('cards of Teams are read without a complaint', () => {
  for (const all of [[messageOf()], Array.from({ length: 9 }, () => messageOf())]) {
    const card = new AdaptiveCard()
    const context = new SerializationContext()
    card.parse(sent('TEAMS', ...all).json.attachments[0].content, context)
    const faults = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message)
    expect(faults).toEqual([])
  }
})

const answer = (more: Partial<Answer>): Answer => ({ status: null, headers: {}, body: '', ...more })
const judge = (name: Name, more: Partial<Answer>): Verdict => kinds[name].judge(answer(more), now)

describe('answers', () => {
  it.each<[Name, Partial<Answer>, Verdict]>([
    ['SLACK', { status: 200, body: 'ok' }, { verdict: 'DELIVERED' }],
    ['SLACK', { status: 200, body: '<html>' }, { verdict: 'RETRY' }],
    ['SLACK', { status: 429, headers: { 'retry-after': '30' } }, { verdict: 'HOLD', holdMs: 30_000 }],
    ['SLACK', { status: 403, body: 'action_prohibited' }, { verdict: 'PERMANENT' }],
    ['SLACK', { status: 404 }, { verdict: 'PERMANENT' }],
    ['SLACK', { status: 500 }, { verdict: 'RETRY' }],
    ['SLACK', {}, { verdict: 'RETRY' }],
    ['DISCORD', { status: 200 }, { verdict: 'DELIVERED' }],
    ['DISCORD', { status: 429, body: '{"retry_after": 1.337}' }, { verdict: 'HOLD', holdMs: 1_337 }],
    [
      'DISCORD',
      { status: 429, headers: { 'retry-after': '2.5' }, body: '{"retry_after": 9}' },
      { verdict: 'HOLD', holdMs: 2_500 },
    ],
    ['DISCORD', { status: 429 }, { verdict: 'HOLD' }],
    ['DISCORD', { status: 401 }, { verdict: 'PERMANENT' }],
    ['DISCORD', { status: 400 }, { verdict: 'RETRY' }],
    ['TEAMS', { status: 202 }, { verdict: 'DELIVERED' }],
    ['TEAMS', { status: 400 }, { verdict: 'PERMANENT' }],
    ['GOOGLE_CHAT', { status: 200 }, { verdict: 'DELIVERED' }],
    ['GOOGLE_CHAT', { status: 404 }, { verdict: 'PERMANENT' }],
    ['GOOGLE_CHAT', { status: 410 }, { verdict: 'PERMANENT' }],
    ['GOOGLE_CHAT', { status: 503 }, { verdict: 'RETRY' }],
  ])('%s %j means %j', (name, given, verdict) => expect(judge(name, given)).toEqual(verdict))
})

describe('addresses', () => {
  it.each(['http://hooks.example.com/a', 'ftp://a', 'hooks', `https://a.example/${'x'.repeat(2_000)}`])(
    '%s is refused',
    (bad) => {
      for (const name of names) expect(kinds[name].config.safeParse({ url: bad }).success).toBe(false)
    },
  )

  it('Discord waits for the result, and Google Chat keeps its key', () => {
    expect(sent('DISCORD', messageOf()).url).toBe(`${url}?wait=true`)
    const google = googleChat.requestOf({ config: { url: `${url}?key=a&token=b` }, messages: [messageOf()] })
    expect(google.url).toBe(`${url}?key=a&token=b&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`)
  })
})

describe('TEMPLATE', () => {
  const config = (more: object = {}) => template.config.safeParse({ url, body: { text: '{{flag.name}}' }, ...more })

  it('sends JSON of its own form', () => {
    const { body, method, headers } = template.requestOf({
      config: config({ method: 'PUT', headers: { 'X-Token': 'abc' } }).data!,
      payload: { flag: { name: 'A "b"' } },
    })
    expect([method, JSON.parse(body!), headers]).toEqual([
      'PUT',
      { text: 'A "b"' },
      { 'X-Token': 'abc', 'content-type': 'application/json' },
    ])
  })

  it.each([
    [{ headers: { Host: 'x' } }],
    [{ headers: { 'X-Svc-Signature': 'x' } }],
    [{ headers: { 'X-A': 'b\r\nc: d' } }],
    [{ headers: { 'X A': 'b' } }],
    [{ headers: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'a'])) }],
    [{ method: 'DELETE' }],
    [{ url: 'http://a.example' }],
    [{ more: 1 }],
  ])('%j is refused', (more) => expect(config(more).success).toBe(false))
})
