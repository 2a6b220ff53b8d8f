import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { OutgoingMail, RefusedAddress, SentMail } from '../../../../platform/mail.ts'
import type { Message, Verdict } from '../../tickets/index.ts'
import { alarmKey } from '../../tickets/index.ts'
import { folded } from '../fold.ts'
import { cut, plain, ticketParts, unnamed } from './ticket-text.ts'

const addressesMax = 20
const addressMaxLength = 254
const subjectMaxLength = 200
const titleMaxLength = 500
const projectMaxLength = 100
const errorMaxLength = 1_000
/** This pause keeps many destinations of one mail server from flooding it. */
const paceMs = 200

const address = z.email('Must be an e-mail address.').max(addressMaxLength).toLowerCase()

const config = z.strictObject({
  to: address
    .array()
    .min(1)
    .max(addressesMax)
    .refine((all) => new Set(all).size === all.length, 'must not have an address twice.')
    .meta({ description: 'Each address gets a separate mail.' }),
})

export interface EmailInput {
  to: string
  messages: readonly [Message, ...Message[]]
  deliveryId: string
  /** Where one click ends the mails to this address; null in a preview. */
  unsubscribeUrl: string | null
  /** Of the service, as in its address. */
  host: string
}

/** Mail to some addresses, to each by itself: one click ends the mails to one. Mails about the same thing are one thread. */
export const email = {
  config,
  secrets: [] as const,
  urls: [] as const,
  paceMs,
  folds: true as const,
  mailOf,
  judge,
}

function mailOf({ to, messages, deliveryId, unsubscribeUrl, host }: EmailInput): OutgoingMail {
  const [first, ...others] = messages
  const letter = others.length === 0 ? one(first) : several(messages)
  const foot = { host: plain(host), unsubscribeUrl: unsubscribeUrl && hrefOf(unsubscribeUrl) }
  const idOf = (name: string) => `<${name}@${domainOf(host)}>`
  const isAboutOne = others.every(({ key }) => key === first.key)
  return {
    to: [to],
    subject: cut(letter.title, subjectMaxLength),
    text: textOf(letter, foot),
    html: htmlOf(letter, foot),
    headers: {
      // Keeps machines from answering this mail: https://www.rfc-editor.org/rfc/rfc3834#section-5
      'Auto-Submitted': 'auto-generated',
      ...(foot.unsubscribeUrl !== null && unsubscribing(foot.unsubscribeUrl)),
    },
    // The same for each attempt, so that programs can drop a mail that comes twice.
    messageId: idOf(`${deliveryId}.${shortHash(to)}`),
    // A mail with this id does not exist. Those that name it are a thread all the same.
    references: isAboutOne ? [idOf(alarmKey(first.key))] : [],
  }
}

/** One click works only with https: https://www.rfc-editor.org/rfc/rfc8058#section-3.1 */
const unsubscribing = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

/** Percent-encodes what could end an address, an attribute or a header. */
const hrefOf = (url: string): string => new URL(url).href.replaceAll(/[<>"\s]/g, encodeURIComponent)

/** Two mails never have the same id, and an id gives no address away. */
const shortHash = (address: string): string => createHash('sha256').update(address).digest('hex').slice(0, 12)

const domainOf = (host: string): string => host.replace(/:\d+$/, '')

/** What a mail says, in text and HTML alike. All texts are plain. */
interface Letter {
  title: string
  tone: Message['tone']
  summary: string
  facts: readonly { label: string; value: string }[]
  events: readonly { title: string; tone: Message['tone']; about: string; url: string }[]
  link: { label: string; url: string } | null
}

interface Foot {
  host: string
  unsubscribeUrl: string | null
}

function one(message: Message): Letter {
  const { title, summary, facts, link } = ticketParts(message)
  return {
    title: cut(title, titleMaxLength) || unnamed,
    tone: message.tone,
    summary,
    facts,
    events: [],
    link: { label: link.label, url: hrefOf(link.url) },
  }
}

const several = (messages: readonly Message[]): Letter => ({
  title: cut(plain(folded(messages).title), titleMaxLength),
  tone: 'INFO',
  summary: '',
  facts: [],
  events: messages.map(({ title, tone, project, at, link }) => ({
    title: cut(plain(title), titleMaxLength) || unnamed,
    tone,
    about: [cut(plain(project), projectMaxLength), at.toISOString()].filter(Boolean).join(' · '),
    url: hrefOf(link.url),
  })),
  link: null,
})

function textOf({ title, summary, facts, events, link }: Letter, { host, unsubscribeUrl }: Foot): string {
  const paragraphs = [
    title,
    summary,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...events.map((event) => `${event.title}\n${event.about}\n${event.url}`),
    link === null ? '' : `${link.label}: ${link.url}`,
    // Two hyphens and a space begin a signature: https://www.rfc-editor.org/rfc/rfc3676#section-4.3
    `-- \nSvc at ${host}${unsubscribeUrl === null ? '' : `\nUnsubscribe: ${unsubscribeUrl}`}`,
  ]
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`
}

const colors = { GOOD: '#2f9e44', INFO: '#3b5bdb', WARNING: '#f08c00', BAD: '#e03131' } as const

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Names have their own text direction. */
const element = (name: string, style: string, text: string): string =>
  `<${name} dir="auto" style="${style}">${escaped(text)}</${name}>`

const linked = (label: string, url: string): string => `<a dir="auto" href="${escaped(url)}">${escaped(label)}</a>`

function htmlOf({ title, tone, summary, facts, events, link }: Letter, { host, unsubscribeUrl }: Foot): string {
  const parts = [
    element('h1', 'margin:0 0 12px;font-size:18px', title),
    summary && element('p', 'margin:0 0 12px', summary),
    facts.length > 0 &&
      `<table style="margin:0 0 12px;border-collapse:collapse">\n${facts.map(row).join('\n')}\n</table>`,
    ...events.map(entry),
    link && `<p style="margin:0 0 12px">${linked(link.label, link.url)}</p>`,
    `<p style="margin:24px 0 0;font-size:12px;color:#868e96">${escaped(`Svc at ${host}`)}${
      unsubscribeUrl === null ? '' : ` · ${linked('Unsubscribe', unsubscribeUrl)}`
    }</p>`,
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
</head>
<body style="margin:0;padding:16px;font-family:sans-serif;font-size:14px;line-height:1.5">
<div style="max-width:640px;padding:0 0 0 16px;border-left:4px solid ${colors[tone]}">
${parts.filter(Boolean).join('\n')}
</div>
</body>
</html>
`
}

const row = ({ label, value }: { label: string; value: string }): string =>
  `<tr>${element('th', 'padding:2px 16px 2px 0;text-align:start;vertical-align:top', label)}${element('td', 'padding:2px 0', value)}</tr>`

const entry = ({ title, tone, about, url }: Letter['events'][number]): string =>
  `<p style="margin:0 0 12px;padding:0 0 0 8px;border-left:4px solid ${colors[tone]}">${linked(title, url)}<br>${element('span', 'font-size:12px;color:#868e96', about)}</p>`

/** Not now: too busy, a mailbox in use, a limit of the server. */
const holding: readonly (number | null)[] = [421, 450, 451, 452]
/** Says that a connection is in a wrong state, not that a mail is refused. */
const badSequence = 503

/** What the mails of one attempt mean together: one that was taken is enough, and one that can be taken later is next. */
function judge(sent: readonly SentMail[]): Verdict {
  const { verdict } = sent.map(judgeOne).toSorted((one, other) => ranks[one.verdict] - ranks[other.verdict])[0]!
  const refused = sent.flatMap((each) => each.refused)
  const failures = sent.flatMap((each) => (each.refused.length === 0 && each.error !== null ? [each.error] : []))
  const told = [...(refused.length > 0 ? [named(refused)] : []), ...new Set(failures)].join('; ')
  return { verdict, ...(told !== '' && { error: cut(told, errorMaxLength) }) }
}

const ranks = { DELIVERED: 0, HOLD: 1, RETRY: 2, PERMANENT: 3 } as const

function judgeOne({ accepted, refused, code }: SentMail): Pick<Verdict, 'verdict'> {
  if (accepted.length > 0) return { verdict: 'DELIVERED' }
  const codes = refused.length > 0 ? refused.map((each) => each.code) : [code]
  if (codes.some((each) => holding.includes(each))) return { verdict: 'HOLD' }
  // A sign-in that fails says nothing about the mail: it works again when the operator has mended the password.
  const isFinal = refused.length > 0 && codes.every((each) => each !== null && each >= 500 && each !== badSequence)
  return { verdict: isFinal ? 'PERMANENT' : 'RETRY' }
}

/** Those with the same answer together. */
const named = (refused: readonly RefusedAddress[]): string =>
  [...Map.groupBy(refused, ({ code, text }) => [code, text].filter(Boolean).join(' '))]
    .map(([answer, all]) => `${all.map((each) => each.address).join(', ')}: ${answer || 'refused'}`)
    .join('; ')
