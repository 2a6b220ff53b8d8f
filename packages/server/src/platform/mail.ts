import { createTransport, type NodemailerError, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer'
import { oneLine } from '../fields.ts'
import type { Log } from './db/index.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** A mail whose result is waited for. Addresses are valid. All other fields can contain any text. */
export interface OutgoingMail {
  to: readonly string[]
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
  /** It has its angle brackets, and so do the `references`. */
  messageId: string
  /** Mails that it belongs to: programs show those with a common one as a thread. */
  references: readonly string[]
}

/** What the mail server said to a mail. */
export interface SentMail {
  accepted: string[]
  /** Addresses that do not get the mail, because the server refuses them, the sender or the mail. */
  refused: RefusedAddress[]
  /** The server's last answer; null if there was none. */
  code: number | null
  /** Why nobody gets the mail; null if somebody does. */
  error: string | null
  durationMs: number
}

export interface RefusedAddress {
  address: string
  code: number | null
  /** The server's words, without the code. */
  text: string
}

/** Sends mail after the change that it reports is committed. */
export interface Mailer {
  /** Hands the mail over and returns immediately. A failure is logged and has no other effect. */
  post(mail: Mail): void
  /** The time limit of `send`. */
  timeoutMs: number
  /** Sends the mail within the time limit and returns the result. It never rejects and never logs. */
  send(mail: OutgoingMail): Promise<SentMail>
  /** Waits for mail under way, within a time limit. */
  close(): Promise<void>
}

const connectTimeoutMs = 10_000
const idleTimeoutMs = 20_000
const closeTimeoutMs = 10_000
const atOnce = 2
const waitingAtMost = 1000
const toldMaxLength = 300
/** With the wait for one of the connections. */
const sendTimeoutMs = 60_000

/** `url` as Nodemailer reads it: smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
export function openMailer(url: string, from: string, log: Log, timeoutMs = sendTimeoutMs): Mailer {
  const open = () =>
    createTransport(
      {
        url,
        pool: true,
        maxConnections: atOnce,
        connectionTimeout: connectTimeoutMs,
        greetingTimeout: connectTimeoutMs,
        socketTimeout: idleTimeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    )
  const transport = open()
  // Connections of its own, so that a link to sign in never waits behind five hundred events.
  const awaited = open()
  const hide = hiding(url)
  const underWay = new Set<Promise<void>>()
  const sending = new Set<Promise<SentMail>>()
  return {
    timeoutMs,
    post(mail) {
      if (underWay.size >= waitingAtMost)
        return log.error({ waiting: waitingAtMost }, 'mail was dropped: too much mail is waiting')
      const sent: Promise<void> = transport
        .sendMail(mail)
        .then(
          () => log.info({ subject: mail.subject }, 'mail was sent'),
          (error: unknown) => log.error({ err: withoutSecrets(error) }, 'mail was not sent'),
        )
        .finally(() => underWay.delete(sent))
      underWay.add(sent)
    },
    send(mail) {
      const sent = sentBy(awaited, mail, timeoutMs, hide).finally(() => sending.delete(sent))
      sending.add(sent)
      return sent
    },
    async close() {
      const limit = AbortSignal.timeout(closeTimeoutMs)
      const timeUp = new Promise<void>((resolve) => limit.addEventListener('abort', () => resolve()))
      await Promise.race([Promise.all([...underWay, ...sending]), timeUp])
      transport.close()
      // Who waits for a result can send it again later.
      awaited.close({ force: true })
    },
  }
}

type Hide = (text: string) => string

async function sentBy(
  transport: Pick<Transporter<SMTPPoolSentMessageInfo>, 'sendMail'>,
  { to, headers, references, ...mail }: OutgoingMail,
  timeoutMs: number,
  hide: Hide,
): Promise<SentMail> {
  const startedMs = performance.now()
  const result = (more: Omit<SentMail, 'durationMs'>): SentMail => ({
    ...more,
    durationMs: Math.round(performance.now() - startedMs),
  })
  try {
    const { accepted, rejectedErrors, response } = await transport.sendMail({
      ...mail,
      // Objects are taken as they are. Texts would be read as lists of addresses.
      to: to.map((address) => ({ name: '', address })),
      headers: { ...headers },
      references: [...references],
      signal: AbortSignal.timeout(timeoutMs),
    })
    const refused = refusedIn(rejectedErrors, hide)
    const error = accepted.length > 0 ? null : nobody
    return result({ accepted, refused, code: codeOf(response), error })
  } catch (thrown) {
    const failure = thrown as NodemailerError
    return result({
      accepted: [],
      refused: refusedBy(failure, to, hide),
      code: failure.responseCode || null,
      error: reasonOf(failure, hide),
    })
  }
}

const nobody = 'The mail server refuses every address.'

const codeOf = (response: string): number | null => Number(/^\d{3}/.exec(response)?.[0]) || null

/** The sender, an address or the mail is refused. All other failures are those of the connection. */
const refusesMail = ({ code, responseCode }: NodemailerError): boolean =>
  Boolean(responseCode) && (code === 'EENVELOPE' || code === 'EMESSAGE')

function refusedBy(failure: NodemailerError, to: readonly string[], hide: Hide): RefusedAddress[] {
  if (failure.rejectedErrors?.length) return refusedIn(failure.rejectedErrors, hide)
  return refusesMail(failure) ? to.map((address) => ({ address, ...answerOf(failure, hide) })) : []
}

const refusedIn = (failures: readonly NodemailerError[] = [], hide: Hide): RefusedAddress[] =>
  failures.map((failure) => ({ address: failure.recipient ?? '', ...answerOf(failure, hide) }))

const answerOf = ({ responseCode, response = '' }: NodemailerError, hide: Hide) => ({
  code: responseCode || null,
  text: hide(response.replaceAll(/^\d{3}[- ]?/gm, '')),
})

const reasons: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'The mail server did not answer in time.',
  EABORT: 'Sending the mail took too long.',
  EDNS: 'The name of the mail server cannot be resolved.',
  ECONNECTION: 'The mail server cannot be reached.',
  ESOCKET: 'The mail server cannot be reached.',
  ETLS: 'TLS with the mail server failed.',
  EAUTH: 'The mail server refuses the sign-in.',
  ENOAUTH: 'The mail server requires a sign-in.',
}

/** The words are ours, because an answer to a sign-in can repeat the password. Only answers to a mail are quoted. */
function reasonOf(failure: NodemailerError, hide: Hide): string {
  if (failure.rejectedErrors?.length) return nobody
  if (refusesMail(failure)) return `The mail server refuses the mail: ${hide(failure.response ?? '')}`
  const { code = '', originalCode, responseCode } = failure
  const codes = [originalCode ?? code, responseCode].filter((each) => each && !(each in reasons))
  return `${reasons[code] ?? 'The mail could not be sent.'}${codes.length > 0 ? ` (${codes.join(' ')})` : ''}`
}

/** Makes a server's words one short line, without the secrets of the address and without links, which can be the mail's. */
function hiding(url: string): Hide {
  const secrets = secretsOf(url)
  return (text) => {
    const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
    return oneLine(shown.replaceAll(/https?:\S+/gi, '•••').toWellFormed())
      .slice(0, toldMaxLength)
      .toWellFormed()
  }
}

const secretMinLength = 8

/** In all forms in which a server has seen them, the longest first. */
function secretsOf(url: string): string[] {
  const { username, password, searchParams } = new URL(url)
  const [user, pass] = [decoded(username), decoded(password)]
  const options = [...searchParams.values()].filter((value) => value.length >= secretMinLength)
  const base64 = [user, pass, `\0${user}\0${pass}`].filter(Boolean).map((text) => Buffer.from(text).toString('base64'))
  return [username, password, user, pass, ...options, ...base64]
    .filter(Boolean)
    .toSorted((one, other) => other.length - one.length)
}

/** As Nodemailer does: a percent sign that encodes nothing stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Connects and signs in, without sending anything. Rejects with the reason. */
export async function signInToMail(url: string): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.verify()
  } catch (error) {
    const { code, responseCode } = withoutSecrets(error)
    throw new Error(`the mail server refuses: ${[code, responseCode].filter(Boolean).join(' ')}`)
  } finally {
    transport.close()
  }
}

/** A server's answer can repeat the mail, and with it a link. */
function withoutSecrets(error: unknown) {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return { code, command, responseCode }
}
