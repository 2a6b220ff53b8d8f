import { createRequire } from 'node:module'
import type { KnownBlock } from '@slack/types'
import type * as Cards from 'adaptivecards'
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../testing/full.ts'
import { chatFault, type ChatName as Name, chatNames as names } from '../../../../../testing/vendors/chat-vendors.ts'
import { hostileMessages } from '../../../../../testing/vendors/hostile-messages.ts'
import { messageOf } from '../../../../../testing/vendors/ticket-messages.ts'
import type { Answer, Message, Verdict } from '../../tickets/index.ts'
import type { ChatKind } from './chat-kind.ts'
import { discord } from './discord.ts'
import { googleChat } from './google-chat.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { template } from './template.ts'
import { plain } from './ticket-text.ts'

// Node cannot import the package, which is for bundlers. This is its one file for a `<script>`.
const require = createRequire(import.meta.url)
const { AdaptiveCard, SerializationContext } = require('adaptivecards/dist/adaptivecards.js') as typeof Cards

const now = new Date('2026-11-27T12:00:01.000Z')
const url = 'https://hooks.example.com/services/T0/B0/abcdWxYz'
const kinds = { SLACK: slack, DISCORD: discord, TEAMS: teams, GOOGLE_CHAT: googleChat } as const

function sent(name: Name, ...messages: Message[]) {
  const kind = kinds[name] as ChatKind<{ url: string }>
  const outgoing = kind.requestOf({ config: { url }, messages: messages as [Message, ...Message[]] })
  return { ...outgoing, json: JSON.parse(outgoing.body ?? '') }
}

describe.each(names)('%s', (name) => {
  it('keeps within the documented limits, whatever names contain, and mentions nobody', () => {
    fc.assert(
      fc.property(fc.array(hostileMessages, { minLength: 1, maxLength: 4 }), (all) => {
        const several = all.length === 1 ? all : Array.from({ length: 50 }, (_, index) => all[index % all.length]!)
        expect(chatFault(name, sent(name, ...several).body ?? '')).toBeUndefined()
      }),
      { numRuns: runsOf(400) },
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

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const unslashed = (text: string): string => text.replaceAll(/\\(.)/g, '$1')

/** The title and the summary as a person reads them. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of each kind has its own form
const readings: Record<Name, (json: any) => [title: string, summary: string]> = {
  SLACK({ blocks: [header, section] }) {
    return [header.text.text, section.text.type === 'plain_text' ? section.text.text : '']
  },
  DISCORD: ({ embeds: [embed] }) => [unslashed(embed.title), unslashed(embed.description ?? '')],
  TEAMS({ attachments: [{ content }] }) {
    const [title, summary = ''] = content.body.flatMap((each: { text?: string }) => each.text ?? [])
    return [unslashed(title), unslashed(summary)]
  },
  GOOGLE_CHAT({ cardsV2: [{ card }] }) {
    const [widget] = card.sections[0].widgets
    return [card.header.title.replaceAll('<\u200b', '<'), unescaped(widget.textParagraph?.text ?? '')]
  },
}

describe.each(names)('%s', (name) => {
  it('reads as it was written, up to the cut', () => {
    const isRead = (text: string, whole: string) =>
      text === whole || (text.endsWith('…') && whole.startsWith(text.slice(0, -1)))
    fc.assert(
      fc.property(hostileMessages, (message) => {
        const [title, summary] = readings[name](sent(name, message).json)
        const written = plain(message.title)
        expect([title, written]).toSatisfy(() => isRead(title, written) || (written === '' && title === 'Svc'))
        expect([summary, plain(message.summary)]).toSatisfy(() => isRead(summary, plain(message.summary)))
      }),
      { numRuns: runsOf(1_000) },
    )
  })
})

it.each(names)('%s lists each of 50 events, however long their names and links are', (name) => {
  const several = Array.from({ length: 50 }, (_, index) =>
    messageOf({
      title: `Ada changed number ${index}: ${'long name '.repeat(30)}`,
      link: {
        label: 'Open',
        url: `https://svc.example/projects/${'0'.repeat(36)}/environments/${'1'.repeat(36)}/history/${index}`,
      },
    }),
  )
  const { body } = sent(name, ...several)
  expect(chatFault(name, body ?? '')).toBeUndefined()
  for (const index of several.keys()) expect(body).toMatch(new RegExp(`number ${index}(?!\\d)`))
})

it('SLACK has everything in the text, too, for chats that do not know its blocks', () => {
  const { text } = sent('SLACK', messageOf({ title: '@channel is <!here>', summary: 'Why' })).json
  expect(text).toMatch(/^@\u200bchannel is &lt;!here&gt;\nWhy\n.*\n<https:/s)
})

describe('SLACK formats no name', () => {
  const fourMore = Array.from({ length: 4 }, () => messageOf({ title: 'Ada changed it' }))
  const inFacts = (value: string) =>
    sent('SLACK', messageOf({ facts: [{ label: 'Flag', value }] })).json.blocks.find(
      (block: { fields?: unknown }) => block.fields,
    ).fields[0]

  it.each(['*new* checkout', '_old_', '~gone~', '`code`', 'go :rocket: go'])('%s, in its blocks', (name) => {
    expect(inFacts(name)).toEqual({ type: 'plain_text', text: `Flag\n${name}`, emoji: false })
  })

  it('but makes labels bold where nothing else would be', () => {
    expect(inFacts('one-page at 10:30')).toMatchObject({ type: 'mrkdwn', text: '*Flag*\none-page at 10:30' })
  })

  it.each(['*new* checkout', '_old_', '~gone~', '`code`', 'go :rocket: go', 'a <!here> & *b*'])(
    '%s, in the lines of several',
    (title) => {
      const [, list] = sent('SLACK', messageOf({ title }), ...fourMore).json.blocks
      const [first] = list.elements[0].elements
      expect([list.type, list.elements[0].elements.length]).toEqual(['rich_text', 5])
      expect(first.elements).toEqual([{ type: 'link', url: messageOf().link.url, text: title }])
    },
  )

  it('but takes the shorter form where no name would be formatted', () => {
    const [, section] = sent('SLACK', ...fourMore).json.blocks
    expect(section).toMatchObject({ type: 'section', text: { type: 'mrkdwn' } })
  })

  it.each([
    ['*new* checkout', '\\*new\\* checkout'],
    ['_old_ one_page_checkout', '\\_old\\_ one_page_checkout'],
    ['__init__', '\\_\\_init\\_\\_'],
    ['\\*', '\\\\\\*'],
    ['# head', '\\# head'],
    ['[click](https://evil.example)', '[click]\u200b(https://evil.example)'],
  ])('%s, in the text that Mattermost shows', (title, shown) => {
    const [one, several] = [[messageOf({ title })], Array.from({ length: 4 }, () => messageOf({ title }))]
    expect(sent('SLACK', ...one).json.text.split('\n')[0]).toBe(shown)
    expect(sent('SLACK', ...several).json.text).toContain(`|${shown}>`)
  })
})

it('the blocks of Slack and the embeds of Discord have the types of their makers', () => {
  const blocks = sent('SLACK', messageOf()).json.blocks satisfies KnownBlock[]
  const discordBody = sent('DISCORD', messageOf()).json satisfies RESTPostAPIWebhookWithTokenJSONBody
  expect([blocks.length, discordBody.embeds?.length]).toEqual([5, 1])
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
    })!
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
