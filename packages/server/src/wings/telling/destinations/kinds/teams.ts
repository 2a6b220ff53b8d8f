import type { z } from 'zod'
import type { Message } from '../../tickets/index.ts'
import { folded } from '../fold.ts'
import { type ChatKind, inBytes, json, judged, secretUrl } from './chat-kind.ts'
import { cut, ticketParts } from './ticket-text.ts'

// https://learn.microsoft.com/microsoftteams/limits-specifications-teams: a message has at most 28 KB.
const wholeMaxBytes = 24 * 1024

const config = secretUrl('Address of a workflow that posts to a channel *when a Teams webhook request is received*.')

/** A channel of Microsoft Teams, by a workflow. */
export const teams: ChatKind<z.infer<typeof config>> = {
  config,
  secrets: ['url'],
  urls: ['url'],
  paceMs: 1_000,
  folds: true,
  requestOf({ config: { url }, messages: [first, ...others] }) {
    return json(url, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: others.length === 0 ? one(first) : several([first, ...others]),
        },
      ],
    })
  },
  judge: (answer, now) => judged(answer, now, [400, 403, 404]),
}

/** Cards understand a little Markdown. */
const escaped = (text: string): string =>
  text.replace(/[\\*_[\]()`#~<>]/g, '\\$&').replace(/^(\s*)([-+]|\d+\.)(\s)/, '$1\\$2$3')

const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text: escaped(text), wrap: true, ...more })
const card = (body: object[], actions: object[]) => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body,
  ...(actions.length > 0 && { actions }),
})
const colors = { GOOD: 'Good', INFO: 'Accent', WARNING: 'Warning', BAD: 'Attention' } as const

function one(message: Message) {
  const { title, summary, facts, link } = ticketParts(message)
  const make = (valueMaxLength: number) =>
    card(
      [
        block(cut(title, Math.min(500, valueMaxLength)) || 'Svc', {
          size: 'Medium',
          weight: 'Bolder',
          color: colors[message.tone],
        }),
        ...(summary ? [block(cut(summary, 2 * valueMaxLength))] : []),
        {
          type: 'FactSet',
          facts: facts.map(({ label, value }) => ({
            title: escaped(cut(label, valueMaxLength)),
            value: escaped(cut(value, valueMaxLength)),
          })),
        },
      ],
      [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
    )
  return inBytes(make, 1_000, wholeMaxBytes)
}

function several(messages: readonly Message[]) {
  const { title, lines } = folded(messages)
  const make = (lineMaxLength: number) =>
    card(
      [
        block(title, { size: 'Medium', weight: 'Bolder' }),
        ...lines.map(({ text, url }) => ({
          type: 'TextBlock',
          text: `[${escaped(cut(text, lineMaxLength) || 'Open')}](${url.replaceAll(')', '%29')})`,
          wrap: true,
          spacing: 'Small',
        })),
      ],
      [],
    )
  return inBytes(make, 200, wholeMaxBytes)
}
