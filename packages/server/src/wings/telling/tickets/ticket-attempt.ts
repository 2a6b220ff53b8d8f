import type { EventName } from '../../../catalogue/events.ts'
import type { FullAttempt, OutboundRequest } from '../../../platform/outbound/index.ts'
import type { Body } from './body.ts'
import { endedBy } from './keys.ts'
import type { Ref, Telling } from './ticket.ts'
import type { Message, TicketKind } from './ticket-kind.ts'
import { runTickets, type TicketEnd, type Told } from './ticket-run.ts'

/** Enough for what vendors answer to one ticket. */
const answerMaxBytes = 65_536

/** What an attempt at a delivery to a kind with tickets needs. */
export interface TicketAttempt<Config> {
  kind: TicketKind<Config>
  config: Config
  delivery: { id: string; eventType: EventName }
  /** The body of the delivery, and what it says. */
  body: Body
  message: Message
  /** Finds what the destination remembers: about a key, or about all open ones that are ended. */
  find(asked: { key: string } | { endings: readonly string[] }): Promise<{ key: string; ref: Ref }[]>
  /** Stores what it remembers about a key, at once. */
  save(key: string, ref: Ref | null): Promise<void>
  request(request: OutboundRequest): Promise<FullAttempt>
  hasTime(): boolean
  now(): Date
}

/**
 * Makes one attempt at a delivery: all requests that it needs. An event that ends something never makes a ticket of its
 * own. The caller stores the result together with `refs`, in one transaction.
 */
export async function attemptTickets<Config>(attempt: TicketAttempt<Config>): Promise<TicketEnd<FullAttempt>> {
  const { kind, config, delivery, message, save, request, hasTime, now } = attempt
  return runTickets(await toldBy(attempt), {
    manner: kind.mannerOf(config),
    async send(step) {
      const outgoing = kind.requestOf({ config, message, eventType: delivery.eventType, step })
      const answer = await request({
        method: outgoing.method,
        url: outgoing.url,
        headers: outgoing.headers,
        body: outgoing.body === null ? null : Buffer.from(outgoing.body),
        answerMaxBytes: outgoing.answerMaxBytes ?? answerMaxBytes,
        isOnce: true,
      })
      return { answer, verdict: kind.judge(answer, now(), step, config) }
    },
    save,
    hasTime,
    now,
  })
}

async function toldBy<Config>({ kind, delivery, body, message, find }: TicketAttempt<Config>): Promise<Told[]> {
  const telling = { deliveryId: delivery.id, at: message.at }
  const endings = endedBy(body)
  if (endings.length > 0) {
    const open = await find({ endings })
    return open.map(({ key, ref }) => ({ telling: { ...telling, key, what: 'ENDS' } satisfies Telling, ref }))
  }
  if (!kind.opens(message)) return []
  const { key } = message
  const [found] = await find({ key })
  return [{ telling: { ...telling, key, what: 'OPENS' }, ref: found?.ref ?? null }]
}
