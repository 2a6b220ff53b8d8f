import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { secrets } from '../secrets.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  subject: string
  /** The lines before the body, unchanged. */
  headers: string[]
  /** The body, with unchanged lines. */
  text: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  /** The next unread mail to this address, or to any. */
  next(to?: string): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A mail server on a free port of the loopback interface. */
export async function startMailServer({
  refuse = () => false,
  refuseMail = () => undefined,
  take = async () => undefined,
  refuseSignIn,
}: {
  /** Whether an address is refused, with 550 or another code. */
  refuse?: (address: string) => boolean | number
  /** The answer to a whole mail, such as `554 spam`, if it is not taken. */
  refuseMail?: (source: string) => string | undefined
  /** A mail is taken when this has ended. */
  take?: () => Promise<void>
  /** The answer to every sign-in. Without it, nobody can sign in and everybody can send. */
  refuseSignIn?: (user: string, password: string) => string
} = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const unread: ReceivedMail[] = []
  const arrivals = new EventEmitter()
  const server = new SMTPServer({
    disabledCommands: refuseSignIn ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    // Do not wait for connections that a client keeps open.
    closeTimeout: 100,
    onAuth({ username, password }, _session, callback) {
      callback(refusal(`535 ${refuseSignIn?.(username ?? '', password ?? '')}`))
    },
    onRcptTo({ address }, _session, callback) {
      const refused = refuse(address)
      if (refused === false) return callback()
      callback(refusal(`${refused === true ? 550 : refused} no mailbox for ${address} here`))
    },
    onData(stream, { envelope }, callback) {
      void textOf(stream).then(async (source) => {
        await take()
        const refused = refuseMail(source)
        if (refused !== undefined) return callback(refusal(refused))
        const mail = {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          ...read(source),
        }
        for (const [link] of mail.text.matchAll(/http\S+#\S+/g)) secrets.note(link)
        received.push(mail)
        unread.push(mail)
        callback()
        arrivals.emit('mail')
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    async next(to) {
      for (;;) {
        const index = unread.findIndex((mail) => to === undefined || mail.to.includes(to))
        const [mail] = index === -1 ? [] : unread.splice(index, 1)
        if (mail) return mail
        await once(arrivals, 'mail')
      }
    },
    close() {
      closed ??= new Promise((resolve) => server.close(() => resolve()))
      return closed
    },
  }
}

const refusal = (answer: string): Error =>
  Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) })

function read(source: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text'> {
  const [head = '', ...body] = source.split('\r\n\r\n')
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? ''
  const encoded = body.join('\r\n\r\n')
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(head)
  return {
    headers: head.split('\r\n'),
    subject,
    text: (isQuoted ? unquote(encoded) : encoded).replaceAll('\r\n', '\n'),
  }
}

const unquote = (text: string): string =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
