import type { z } from 'zod'
import { folded } from '../fold.ts'
import { type ChatKind, escapedTo, json, judged, secretUrl } from './chat-kind.ts'
import type { Message } from './ticket-kind.ts'
import { cut, ticketParts } from './ticket-text.ts'

// https://docs.slack.dev/reference/block-kit/blocks (header, section, context)
const headerMaxLength = 150
const sectionMaxLength = 3_000
const fieldsMax = 10
const fieldMaxLength = 2_000
/** Slack cuts after 40,000 characters, Mattermost after 16,383. */
const textMaxLength = 12_000

const config = secretUrl('Address of an *incoming webhook* of Slack, or of a chat that takes the same messages.')

/** Slack, and chats such as Mattermost that take its messages. */
export const slack: ChatKind<z.infer<typeof config>> = {
  config,
  secrets: ['url'],
  urls: ['url'],
  paceMs: 1_000,
  folds: true,
  requestOf({ config: { url }, messages: [first, ...others] }) {
    return json(url, others.length === 0 ? one(first) : several([first, ...others]))
  },
  judge(answer, now) {
    // Slack answers every message that it takes with these two letters.
    if (answer.status === 200 && answer.body.trim() !== 'ok') return { verdict: 'RETRY' }
    return judged(answer, now, [400, 403, 404])
  },
}

/** A name cannot mention anybody: `<!channel>` and `<@U1>` need an angle bracket, and verbatim texts have no `@channel`. https://docs.slack.dev/messaging/formatting-message-text */
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const linked = (label: string, url: string): string => `<${escaped(url)}|${escaped(label)}>`
const markdown = (text: string) => ({ type: 'mrkdwn' as const, text, verbatim: true })
const shortened = escapedTo(escaped)

/**
 * What Slack shows in notifications. Chats such as Mattermost do not know blocks and show this alone, so everything stands
 * here. They mention whom an `@` names: an invisible space takes it apart.
 * https://docs.mattermost.com/developers/integrate/slash-commands/slack
 */
function wholeText(lines: readonly string[]): string {
  const apart = lines.filter((line) => line !== '').map((line) => line.replaceAll('@', '@\u200b'))
  let text = ''
  for (const [index, line] of apart.entries()) {
    const next = index === 0 ? line : `${text}\n${line}`
    if (next.length > textMaxLength - moreMaxLength) return `${text}\n… and ${apart.length - index} more`
    text = next
  }
  return text
}

const moreMaxLength = 30

function one(message: Message) {
  const { title, summary, facts, link } = ticketParts(message)
  const own = facts.slice(0, -3).slice(0, fieldsMax)
  const about = facts.slice(-3).map(({ value }) => value)
  return {
    text: wholeText([
      shortened(title, fieldMaxLength) || 'Svc',
      shortened(summary, sectionMaxLength),
      ...own.map(({ label, value }) => `${shortened(label, 300)}: ${shortened(value, 400)}`),
      linked(link.label, link.url),
    ]),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, headerMaxLength) || 'Svc', emoji: false } },
      {
        type: 'section',
        text: markdown(
          [shortened(summary, sectionMaxLength - 400), linked(link.label, link.url)]
            .filter((part) => part !== '')
            .join('\n'),
        ),
      },
      ...(own.length > 0
        ? [
            {
              type: 'section',
              fields: own.map(({ label, value }) =>
                markdown(`*${shortened(label, 300)}*\n${shortened(value, fieldMaxLength - 400)}`),
              ),
            },
          ]
        : []),
      {
        type: 'context',
        elements: [{ type: 'plain_text', text: cut(about.join(' · '), fieldMaxLength), emoji: false }],
      },
    ],
  }
}

const lineMaxLength = 200

function several(messages: readonly Message[]) {
  const { title, lines } = folded(messages)
  const texts = lines.map(({ text, url }) => `• ${linked(cut(text, lineMaxLength) || 'Open', url)}`)
  const sections: string[] = []
  for (const text of texts) {
    const last = sections.at(-1)
    if (last !== undefined && last.length + text.length < sectionMaxLength)
      sections[sections.length - 1] = `${last}\n${text}`
    else sections.push(text.slice(0, sectionMaxLength))
  }
  return {
    text: wholeText([shortened(title, fieldMaxLength), ...texts]),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, headerMaxLength), emoji: false } },
      ...sections.map((section) => ({ type: 'section', text: markdown(section) })),
    ],
  }
}
