import { oneLine } from '../../../../fields.ts'
import type { Message } from '../../tickets/index.ts'

const segmenter = new Intl.Segmenter()

/** A text that JSON, databases and terminals of others accept: without control characters and halves of characters. */
export const plain = (text: string): string => oneLine(text.toWellFormed())

/** The beginning of a text up to a length, cut between what people see as characters. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, maxLength)
  // The last one can be cut, whatever it is.
  const from = Math.max(0, head.length - segmentMaxLength)
  const last = [...segmenter.segment(head.slice(from))].at(-1)!
  return `${head.slice(0, from + Math.min(last.index, head.length - from - 1)).trimEnd()}…`
}

const segmentMaxLength = 64

const factsMax = 20
const labelMaxLength = 100
const valueMaxLength = 1_000
const summaryMaxLength = 2_000

/** The title if nothing is left of the message's own, because vendors refuse an empty one. */
export const unnamed = 'Svc'

/** The title of a message, plain and cut to a length. */
export const titleOf = ({ title }: Pick<Message, 'title'>, maxLength: number): string =>
  cut(plain(title), maxLength) || unnamed

/** The parts of a message, plain and not too long for any ticket. */
export function ticketParts({ title, summary, facts, link, project, actor, at }: Message) {
  return {
    title: plain(title),
    summary: cut(plain(summary), summaryMaxLength),
    facts: [
      ...facts.slice(0, factsMax).map(({ label, value }) => ({
        label: cut(plain(label), labelMaxLength),
        value: cut(plain(value), valueMaxLength),
      })),
      { label: 'Project', value: cut(plain(project), labelMaxLength) },
      { label: 'By', value: cut(plain(actor), labelMaxLength) },
      { label: 'At', value: at.toISOString() },
    ].filter(({ label, value }) => label && value),
    link: { label: cut(plain(link.label), labelMaxLength) || 'Open', url: link.url },
  }
}

/** The JSON of an answer; undefined if it is not JSON. */
export function answerJson({ body }: { body: string }): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
