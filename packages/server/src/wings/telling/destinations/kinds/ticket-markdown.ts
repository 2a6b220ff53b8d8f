import type { Message } from '../../tickets/index.ts'
import { ticketParts } from './ticket-text.ts'

const punctuation = /[!-/:-@[-`{-~]/g

/** Means something to GitHub or Linear even where Markdown is escaped: `@ada`, `#12`, `GH-12`, addresses. */
const reference = /[@#]|:(?=[\w/])|\bgh(?=-\d)|\bwww(?=\.)/gi

/** A space without width, which parts what would be read as one. */
const joint = '&#8203;'

/** A text that Markdown shows as it is, without markup, mentions, references and links. */
export const markdownText = (text: string): string =>
  text.replaceAll(reference, '$&\u0000').replaceAll(punctuation, String.raw`\$&`).replaceAll('\u0000', joint)

/** The body of a ticket or comment in Markdown. Facts that do not fit are left out from the end. */
export function markdownBody(message: Message, maxLength: number, end = ''): string {
  const { summary, facts, link } = ticketParts(message)
  const head = summary && `${markdownText(summary)}\n`
  const tail = `\n[${markdownText(link.label)}](<${hrefOf(link.url)}>)\n${end}`
  let list = ''
  for (const { label, value } of facts) {
    const line = `\n- **${markdownText(label)}**: ${markdownText(value)}`
    if (head.length + list.length + line.length + tail.length + 1 > maxLength) break
    list += line
  }
  return `${head}${list}\n${tail}`
}

const hrefOf = (url: string): string => new URL(url).href.replaceAll(/[<>()[\]\\]/g, encodeURIComponent)
