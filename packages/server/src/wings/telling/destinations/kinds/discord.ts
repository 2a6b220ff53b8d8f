import type { z } from 'zod'
import type { Message } from '../../tickets/index.ts'
import { folded } from '../fold.ts'
import { type ChatKind, escapedTo, json, judged, secretUrl } from './chat-kind.ts'
import { answerJson, cut, ticketParts } from './ticket-text.ts'

// https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const titleMaxLength = 256
const descriptionMaxLength = 4_096
const fieldsMax = 25
const nameMaxLength = 256
const valueMaxLength = 1_024
const footerMaxLength = 2_048
const wholeMaxLength = 6_000

const colors = { GOOD: 0x2f9e44, INFO: 0x3b5bdb, WARNING: 0xf08c00, BAD: 0xe03131 } as const

const config = secretUrl('Address of a channel’s *webhook*.')

/** A channel of Discord. */
export const discord: ChatKind<z.infer<typeof config>> = {
  config,
  secrets: ['url'],
  urls: ['url'],
  paceMs: 2_000,
  folds: true,
  requestOf({ config: { url }, messages: [first, ...others] }) {
    const address = new URL(url)
    // Otherwise it answers before it knows whether the message is taken.
    address.searchParams.set('wait', 'true')
    const embeds = others.length === 0 ? [one(first)] : several([first, ...others])
    return json(address.href, { embeds, allowed_mentions: { parse: [] } })
  },
  /** Discord bans an address that goes on after 401, 403 and 404: https://discord.com/developers/docs/topics/rate-limits */
  judge(answer, now) {
    const verdict = judged(answer, now, [401, 403, 404])
    const asked = (answerJson(answer) as { retry_after?: unknown } | undefined)?.retry_after
    if (verdict.verdict !== 'HOLD' || verdict.holdMs !== undefined || typeof asked !== 'number') return verdict
    return { ...verdict, holdMs: Math.min(3_600_000, Math.max(1_000, Math.ceil(asked * 1000))) }
  },
}

/** A backslash makes a special character plain. */
const escaped = (text: string): string => text.replace(/[\\*_~`|>#[\]()<@-]/g, '\\$&')

const shortened = escapedTo(escaped)

function one(message: Message) {
  const { title, summary, facts, link } = ticketParts(message)
  const footer = cut(
    facts
      .slice(-3)
      .map(({ value }) => value)
      .join(' · '),
    footerMaxLength,
  )
  const embed = {
    title: shortened(title, titleMaxLength) || 'Svc',
    url: link.url,
    ...(summary && { description: shortened(summary, descriptionMaxLength) }),
    color: colors[message.tone],
    fields: [] as { name: string; value: string; inline: boolean }[],
    footer: { text: footer },
    timestamp: message.at.toISOString(),
  }
  let left = wholeMaxLength - embed.title.length - (embed.description?.length ?? 0) - footer.length
  for (const { label, value } of facts.slice(0, -3).slice(0, fieldsMax)) {
    const field = {
      name: shortened(label, nameMaxLength),
      value: shortened(value, valueMaxLength),
      inline: value.length <= 40,
    }
    left -= field.name.length + field.value.length
    if (left < 0) break
    embed.fields.push(field)
  }
  return embed
}

const lineMaxLength = 100

/** Each event has a line. Fifty links are too long for a message, so the later ones have none. */
function several(messages: readonly Message[]) {
  const { title, lines } = folded(messages)
  const head = shortened(title, titleMaxLength)
  const each = Math.floor((wholeMaxLength - head.length) / lines.length)
  const texts = lines.map(({ text }) => `• ${shortened(text, Math.min(lineMaxLength, each - 3)) || 'Open'}`)
  let left = wholeMaxLength - head.length - texts.join('\n').length
  const descriptions: string[] = []
  for (const [index, { url }] of lines.entries()) {
    const text = texts[index]!
    const linked = `• [${text.slice(2)}](${url.replaceAll(')', '%29')})`
    const isLinked = linked.length - text.length <= left
    if (isLinked) left -= linked.length - text.length
    const line = isLinked ? linked : text
    const last = descriptions.at(-1)
    if (last !== undefined && last.length + 1 + line.length <= descriptionMaxLength)
      descriptions[descriptions.length - 1] = `${last}\n${line}`
    else descriptions.push(line)
  }
  return descriptions.map((description, index) => ({
    ...(index === 0 && { title: head }),
    description,
    color: colors.INFO,
  }))
}
