import { createTransport } from 'nodemailer'
import type { Log } from './db/index.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends mail after the change that it reports is committed. A failure is logged and has no other effect. */
export interface Mailer {
  /** Hands the mail over and returns immediately. */
  post(mail: Mail): void
  /** Waits for mail under way, within a time limit. */
  close(): Promise<void>
}

const connectTimeoutMs = 10_000
const idleTimeoutMs = 20_000
const closeTimeoutMs = 10_000
const atOnce = 2
const waitingAtMost = 1000

/** `url` as Nodemailer reads it: smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
export function openMailer(url: string, from: string, log: Log): Mailer {
  const transport = createTransport(
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
  const underWay = new Set<Promise<void>>()
  return {
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
    async close() {
      const limit = AbortSignal.timeout(closeTimeoutMs)
      const timeUp = new Promise<void>((resolve) => limit.addEventListener('abort', () => resolve()))
      await Promise.race([Promise.all(underWay), timeUp])
      transport.close()
    },
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
