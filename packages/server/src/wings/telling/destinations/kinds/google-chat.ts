import type { z } from 'zod'
import type { Message } from '../../tickets/index.ts'
import { alarmKey } from '../../tickets/index.ts'
import { folded } from '../fold.ts'
import { type ChatKind, inBytes, json, judged, secretUrl } from './chat-kind.ts'
import { cut, ticketParts } from './ticket-text.ts'

// https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages: 32,000 bytes for the whole message.
const wholeMaxBytes = 32_000
const titleMaxLength = 200

const config = secretUrl('Address of a space’s *incoming webhook*.')

/** A space of Google Chat. Messages about the same thing are in one thread. */
export const googleChat: ChatKind<z.infer<typeof config>> = {
  config,
  secrets: ['url'],
  urls: ['url'],
  paceMs: 1_000,
  folds: true,
  requestOf({ config: { url }, messages: [first, ...others] }) {
    const address = new URL(url)
    address.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    return json(address.href, others.length === 0 ? one(first) : several([first, ...others]))
  },
  judge: (answer, now) => judged(answer, now, [400, 403, 404]),
}

/** Text paragraphs of cards understand a little HTML. */
const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
/** `<users/all>` in the text of a message would call everybody. An invisible space takes it apart. */
const harmless = (text: string): string => text.replaceAll('<', '<\u200b')

const paragraph = (text: string) => ({ textParagraph: { text } })

function one(message: Message) {
  const { title, summary, facts, link } = ticketParts(message)
  const make = (valueMaxLength: number) => ({
    fallbackText: cut(title, titleMaxLength) || 'Svc',
    cardsV2: [
      {
        cardId: 'message',
        card: {
          header: { title: harmless(cut(title, titleMaxLength)) || 'Svc' },
          sections: [
            {
              widgets: [
                ...(summary ? [paragraph(escaped(cut(summary, 2 * valueMaxLength)))] : []),
                ...facts.map(({ label, value }) => ({
                  decoratedText: {
                    topLabel: escaped(cut(label, valueMaxLength)),
                    text: escaped(cut(value, valueMaxLength)),
                    wrapText: true,
                  },
                })),
                { buttonList: { buttons: [{ text: link.label, onClick: { openLink: { url: link.url } } }] } },
              ],
            },
          ],
        },
      },
    ],
    thread: { threadKey: alarmKey(message.key) },
  })
  return inBytes(make, 1_000, wholeMaxBytes)
}

function several(messages: readonly Message[]) {
  const { title, lines } = folded(messages)
  const make = (lineMaxLength: number) => ({
    fallbackText: cut(title, titleMaxLength),
    cardsV2: [
      {
        cardId: 'messages',
        card: {
          header: { title: harmless(cut(title, titleMaxLength)) },
          sections: [
            {
              widgets: lines.map(({ text, url }) =>
                paragraph(`<a href="${escaped(url)}">${escaped(cut(text, lineMaxLength) || 'Open')}</a>`),
              ),
            },
          ],
        },
      },
    ],
  })
  return inBytes(make, 200, wholeMaxBytes)
}
