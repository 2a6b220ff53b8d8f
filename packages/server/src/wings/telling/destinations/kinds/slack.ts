import type { z } from 'zod'
import type { Message } from '../../tickets/index.ts'
import { type Folded, folded } from '../fold.ts'
import { type ChatKind, escapedTo, json, judged, secretUrl } from './chat-kind.ts'
import { cut, plain, ticketParts } from './ticket-text.ts'

// https://docs.slack.dev/reference/block-kit/blocks (header, section, context, rich text)
const headerMaxLength = 150
const sectionMaxLength = 3_000
const fieldsMax = 10
const fieldMaxLength = 2_000
/** Slack cuts after 40,000 characters, Mattermost after 16,383. */
const textMaxLength = 12_000

const config = secretUrl('Address of an *incoming webhook* of Slack, or of a chat that accepts the same messages.')

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

/**
 * A name mentions nobody: `<!channel>` and `<@U1>` need an angle bracket, and verbatim texts have no `@channel`.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const linked = (label: string, url: string): string => `<${escaped(url)}|${escaped(label)}>`
const markdown = (text: string) => ({ type: 'mrkdwn' as const, text, verbatim: true })
const plainText = (text: string) => ({ type: 'plain_text' as const, text, emoji: false })
const shortened = escapedTo(escaped)

/** What `mrkdwn` would format, and has no escape for. */
const formats = /[*_~`]|:[\w+'-]+:/

/** The label is bold unless that would format a name, too. */
const field = (label: string, value: string) =>
  formats.test(label + value)
    ? plainText(cut(`${label}\n${value}`, fieldMaxLength))
    : markdown(`*${shortened(label, 300)}*\n${shortened(value, fieldMaxLength - 400)}`)

/** A name as Markdown shows it as it is. An underscore within a word formats nothing, and keys have many. */
const literal = escapedTo((text) =>
  escaped(text.replace(/^[#+-]|[\\*~`]|(?<![^\W_])_|_(?![^\W_])/g, '\\$&').replaceAll('](', ']\u200b(')),
)

/**
 * What Slack shows in notifications. Chats such as Mattermost do not know blocks and show this alone, as Markdown, so
 * this text contains everything. They mention whom an `@` names: an invisible space takes it apart.
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
      literal(title, fieldMaxLength) || 'Svc',
      literal(summary, sectionMaxLength),
      ...own.map(({ label, value }) => `${literal(label, 300)}: ${literal(value, 400)}`),
      linked(link.label, link.url),
    ]),
    blocks: [
      { type: 'header', text: plainText(cut(title, headerMaxLength) || 'Svc') },
      ...(summary ? [{ type: 'section', text: plainText(cut(summary, sectionMaxLength)) }] : []),
      { type: 'section', text: markdown(linked(link.label, link.url)) },
      ...(own.length > 0 ? [{ type: 'section', fields: own.map(({ label, value }) => field(label, value)) }] : []),
      { type: 'context', elements: [plainText(cut(about.join(' · '), fieldMaxLength))] },
    ],
  }
}

const lineMaxLength = 200

/** Links whose texts are shown as they are. If no name would be formatted, `mrkdwn` says the same and is shorter. */
function listed(lines: Folded['lines']) {
  const elements = lines.map(({ text, url }) => ({
    type: 'rich_text_section',
    elements: [{ type: 'link', url, text: cut(plain(text), listedMaxLength) || 'Open' }],
  }))
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }
}

/** Nothing is documented for rich text. With fifty lines, this is as long as the other form can be. */
const listedMaxLength = 100

function inSections(lines: Folded['lines']) {
  const sections: string[] = []
  for (const { text: line, url } of lines) {
    const text = `• ${linked(cut(line, lineMaxLength) || 'Open', url)}`
    const last = sections.at(-1)
    if (last !== undefined && last.length + text.length < sectionMaxLength)
      sections[sections.length - 1] = `${last}\n${text}`
    else sections.push(text.slice(0, sectionMaxLength))
  }
  return sections.map((section) => ({ type: 'section', text: markdown(section) }))
}

function several(messages: readonly Message[]) {
  const { title, lines } = folded(messages)
  return {
    text: wholeText([
      literal(title, fieldMaxLength),
      ...lines.map(({ text, url }) => `• <${escaped(url)}|${literal(text, 2 * lineMaxLength) || 'Open'}>`),
    ]),
    blocks: [
      { type: 'header', text: plainText(cut(title, headerMaxLength)) },
      ...(lines.some(({ text }) => formats.test(text)) ? [listed(lines)] : inSections(lines)),
    ],
  }
}
