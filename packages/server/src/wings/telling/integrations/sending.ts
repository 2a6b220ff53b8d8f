import { createSecretKey } from 'node:crypto'
import { shownBody, withoutFigures } from '../../../catalogue/figures.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Mailer } from '../../../platform/mail.ts'
import type { Attempt, FullAttempt, Outbound } from '../../../platform/outbound/index.ts'
import type { Kind } from '../../../platform/queue/index.ts'
import type { Seal } from '../../../platform/seal.ts'
import {
  type Batch,
  type BatchedDelivery,
  type DeliveryContext,
  type DeliveryStatus,
  endedFailed,
  interrupted,
  isExhausted,
  type Settlement,
  settledBy,
  signedHeaders,
  stateAfter,
  unreadableSecret,
  waiting,
} from '../deliveries/index.ts'
import {
  type ChatKind,
  type KindName,
  kinds,
  messageOf,
  type Rest,
  type TemplateConfig,
  withTemplate,
} from '../destinations/index.ts'
import {
  aboutIn,
  attemptTickets,
  type Body,
  findRefs,
  type Message,
  type Outgoing,
  type Ref,
  saveRefs,
  type TicketKind,
  type Verdict,
} from '../tickets/index.ts'
import { type Config, openSecrets, textsToHide, withoutSecrets } from './config.ts'

export interface SendingContext extends DeliveryContext {
  request: Outbound['request']
  /** Null if this service sends no mail. */
  mailer: Mailer | null
  seal: Seal
  baseUrl: string
  /** Who gets the mail of a destination now. */
  recipientsOf: (batch: Batch) => Promise<Recipient[]>
  /** Whether an address of a destination can still agree to its mail. */
  awaitsAnswer: (batch: Batch) => Promise<boolean>
}

export interface Recipient {
  address: string
  /** False for members who cannot read results. Other addresses were chosen by a person who can. */
  seesFigures: boolean
  /** Where one click ends the mails to this address. */
  unsubscribeUrl: string
}

/** What a receiver said, and what it means. */
export interface BatchAnswer extends Attempt {
  means: Verdict['verdict'] | 'UNCHARGED' | 'LATER'
  /** How long the receiver asks to wait; with LATER, until when the delivery waits. */
  holdMs?: number | undefined
  until?: Date
  /** What is known of tickets after it. */
  refs: ReadonlyMap<string, Ref | null>
  /** False if the answer says nothing about the receiver. */
  counts?: boolean
}

/** What is stored about an attempt at a batch. */
export interface BatchSettlement {
  /** DELIVERED means that the receiver works. */
  status: DeliveryStatus
  /** Whether it counts for the health of the destination. */
  counts: boolean
  deliveries: Settlement[]
  rest: Rest
  restsUntil: Date
  refs: ReadonlyMap<string, Ref | null>
}

/** A batch with everything that its requests need. */
export interface Prepared {
  batch: Batch
  config: Config
  secrets: Config
  told: readonly [Told, ...Told[]]
}

interface Told {
  delivery: BatchedDelivery
  body: Body
  message: Message
}

export type BatchKind = Kind<Batch, Prepared, BatchAnswer, BatchSettlement>

const unsent = { status: null, body: '', error: null, retryAfter: null, durationMs: 0, charged: true }
const noRefs: ReadonlyMap<string, Ref | null> = new Map()

/** The kind of queue job for all destinations besides webhooks: one message, or the requests of one ticket. */
export function batchKind(context: SendingContext): BatchKind {
  const { seal, settings, observe, now, baseUrl } = context
  const ladderOf = ({ isTest }: BatchedDelivery) => (isTest ? [] : settings.ladderMs)
  const isOver = (delivery: BatchedDelivery) => isExhausted(delivery, ladderOf(delivery))
  return {
    check: ({ deliveries }) =>
      deliveries.every(isOver) ? { ...interrupted, means: 'RETRY', refs: noRefs } : undefined,
    render(batch) {
      let secrets: Config
      try {
        secrets = openSecrets(seal, batch.sealedSecret, batch.secretId)
      } catch (error) {
        observe.failed(error)
        return { unsent: { ...unreadableSecret, means: 'UNCHARGED', refs: noRefs } }
      }
      const [first, ...others] = batch.deliveries
        .filter((delivery) => !isOver(delivery))
        .map((delivery) => toldBy(delivery, JSON.parse(delivery.body) as Body, batch, baseUrl))
      return { request: { batch, config: { ...batch.config, ...secrets }, secrets, told: [first!, ...others] } }
    },
    send: (prepared) => sent(context, prepared),
    judge(batch, answer, at) {
      const rest = restAfter(batch, answer, at)
      const deliveries = batch.deliveries.map((delivery) =>
        settledBy(delivery, answer, stateOf(delivery, answer, ladderOf(delivery), rest, at), at),
      )
      const failed = deliveries.find(({ status }) => endedFailed(status))
      const { status } = failed ?? deliveries[0]!
      const { counts = true } = answer
      return { status, counts, deliveries, rest, restsUntil: rest.hold?.until ?? rest.busyUntil, refs: answer.refs }
    },
  }

  function stateOf(
    delivery: BatchedDelivery,
    { means, retryAfter, until }: BatchAnswer,
    ladderMs: readonly number[],
    { hold }: Rest,
    at: Date,
  ) {
    if (hold && !delivery.isTest) return waiting(delivery, hold.until)
    if (means === 'LATER' && !delivery.isTest) return waiting(delivery, until ?? now())
    return stateAfter(delivery, means === 'HOLD' || means === 'LATER' ? 'RETRY' : means, retryAfter, ladderMs, at)
  }
}

function toldBy(delivery: BatchedDelivery, body: Body, { template }: Batch, baseUrl: string): Told {
  return { delivery, body, message: withTemplate(messageOf(body, baseUrl), template, body) }
}

const firstHoldMs = 60_000
const longestHoldMs = 3_600_000
/** After this time, a receiver that still asks to wait has failed. */
const holdingMaxMs = 86_400_000

/** Until when the destination waits after an answer. */
export function restAfter(
  { kind, holds, holdingSince, claimedAt }: Batch,
  { means, holdMs }: Pick<BatchAnswer, 'means' | 'holdMs'>,
  now: Date,
): Rest {
  const busyUntil = new Date(Math.max(now.getTime(), claimedAt.getTime() + kinds[kind as KindName].paceMs))
  const since = holdingSince ?? now
  if (means !== 'HOLD' || now.getTime() - since.getTime() >= holdingMaxMs) return { busyUntil, hold: null }
  const ms = holdMs ?? Math.min(longestHoldMs, firstHoldMs * 2 ** Math.min(holds, 10))
  return { busyUntil, hold: { until: new Date(now.getTime() + ms), since, holds: holds + 1 } }
}

/** Sends what a batch needs. */
async function sent(context: SendingContext, prepared: Prepared): Promise<BatchAnswer> {
  const { batch, secrets } = prepared
  const kind = kinds[batch.kind as KindName]
  const answer = await ('mannerOf' in kind
    ? sentTicket(context, prepared, kind as unknown as TicketKind<Config>)
    : 'mailOf' in kind
      ? sentMail(context, prepared)
      : sentMessage(context, prepared))
  return { ...answer, ...readable(answer, textsToHide(secrets)) }
}

/** What of an answer is kept. Receivers repeat what they were sent. */
const readable = ({ body, error }: Pick<Attempt, 'body' | 'error'>, secrets: readonly string[]) => ({
  body: withoutSecrets(body, secrets).slice(0, keptMaxLength),
  error: error && withoutSecrets(error, secrets),
})

const keptMaxLength = 1_024

async function sentMail(
  { mailer, baseUrl, recipientsOf, awaitsAnswer, now }: SendingContext,
  { batch, told }: Prepared,
): Promise<BatchAnswer> {
  if (!mailer)
    return {
      ...unsent,
      error: 'This service sends no mail: SVC_SMTP_URL is not set.',
      means: 'UNCHARGED',
      refs: noRefs,
    }
  // The batch waited so long for its turn that another node could begin before these mails are sent.
  if (batch.leaseUntil.getTime() - now().getTime() < mailer.timeoutMs)
    return { ...unsent, error: 'Other mail was sent first.', means: 'LATER', until: now(), refs: noRefs }
  const recipients = await recipientsOf(batch)
  if (recipients.length === 0)
    return {
      ...unsent,
      error: 'None of the addresses belongs to a member or has confirmed that it wants this mail.',
      means: 'PERMANENT',
      refs: noRefs,
      // The destination must stay enabled for addresses that have not answered yet.
      counts: !(await awaitsAnswer(batch)),
    }
  const { host } = new URL(baseUrl)
  const blind = told.map(({ delivery, body }) => toldBy(delivery, shownBody(body, withoutFigures), batch, baseUrl))
  const answers = await Promise.all(
    recipients.map(({ address, seesFigures, unsubscribeUrl }) => {
      const mail = mailed(seesFigures ? told : (blind as [Told, ...Told[]]))
      return mailer.send(kinds.EMAIL.mailOf({ to: address, ...mail, unsubscribeUrl, host }))
    }),
  )
  const { verdict, error = null } = kinds.EMAIL.judge(answers)
  const durationMs = Math.max(...answers.map((each) => each.durationMs))
  return { ...unsent, durationMs, error, means: verdict, refs: noRefs }
}

/** What a mail contains. The first delivery gives it its id. */
function mailed([first, ...others]: Prepared['told']) {
  const messages: [Message, ...Message[]] = [first.message, ...others.map(({ message }) => message)]
  return { messages, deliveryId: first.delivery.deliveryId }
}

async function sentMessage(context: SendingContext, prepared: Prepared): Promise<BatchAnswer> {
  const { now, request } = context
  const outgoing = messageRequest(prepared, now())
  if (typeof outgoing === 'string') return { ...unsent, error: outgoing, means: 'PERMANENT', refs: noRefs }
  const answer = await request({
    method: outgoing.method,
    url: outgoing.url,
    headers: outgoing.headers,
    body: outgoing.body === null ? null : Buffer.from(outgoing.body),
  })
  const verdict = kinds[prepared.batch.kind as 'SLACK'].judge(answer, now())
  return answerOf(answer, verdict, noRefs, outgoing)
}

function answerOf(
  answer: FullAttempt,
  { verdict, holdMs, error }: Verdict,
  refs: BatchAnswer['refs'],
  outgoing?: Outgoing,
): BatchAnswer {
  const { headers: _received, ...attempt } = answer
  const hidden = textsToHide({}, outgoing?.headers)
  const shown = verdict === 'DELIVERED' ? null : (error ?? attempt.error ?? 'The receiver gave an unexpected answer.')
  return {
    ...attempt,
    ...readable({ body: attempt.body, error: shown }, hidden),
    means: answer.charged || verdict === 'DELIVERED' ? verdict : 'UNCHARGED',
    ...(holdMs !== undefined && { holdMs }),
    refs,
  }
}

/** The request of a kind without tickets, or why it cannot be made. */
export function messageRequest({ batch, config, told }: Omit<Prepared, 'secrets'>, now: Date): Outgoing | string {
  if (batch.kind !== 'TEMPLATE') {
    const kind = kinds[batch.kind as 'SLACK'] as ChatKind<{ url: string }>
    const [first, ...others] = told
    return kind.requestOf({
      config: config as { url: string },
      messages: [first.message, ...others.map(({ message }) => message)],
    })
  }
  const template = kinds.TEMPLATE
  const [{ body, delivery }] = told
  const outgoing = template.requestOf({ config: config as TemplateConfig, payload: body })
  if (!outgoing) return 'The filled template is longer than 256 KB.'
  if (config.sign !== true || typeof config.secret !== 'string') return outgoing
  const { deliveryId, eventType } = delivery
  const signed = { deliveryId, eventType, body: Buffer.from(outgoing.body ?? '') }
  const headers = signedHeaders(signed, createSecretKey(Buffer.from(config.secret)), now)
  return { ...outgoing, headers: { ...outgoing.headers, ...headers } }
}

async function sentTicket(
  { database, request, now, settings }: SendingContext,
  { batch, config, told: [{ delivery, body, message }] }: Prepared,
  kind: TicketKind<Config>,
): Promise<BatchAnswer> {
  const db: Db = database.db
  const { destinationId, leaseUntil } = batch
  let durationMs = 0
  let last: Outgoing | undefined
  const end = await attemptTickets({
    kind: {
      ...kind,
      requestOf(input) {
        last = kind.requestOf(input)
        return last
      },
    },
    config,
    delivery: { id: delivery.deliveryId, eventType: delivery.eventType },
    body,
    message,
    find: (asked) => findRefs(db, destinationId, asked),
    save: (key, ref) => saveRefs(db, destinationId, [[key, ref]], aboutIn(body)),
    async request(outgoing) {
      const answer = await request(outgoing)
      durationMs += answer.durationMs
      return answer
    },
    hasTime: () => leaseUntil.getTime() - now().getTime() >= settings.timeoutMs,
    now,
  })
  const { refs } = end
  if (end.end === 'NOTHING') return { ...unsent, means: 'DELIVERED', refs }
  if (end.end === 'LATER')
    return { ...unsent, error: 'It is not known yet whether the ticket exists.', means: 'LATER', until: end.at, refs }
  return { ...answerOf(end.answer, end.verdict, refs, last), durationMs }
}
