import { createHash } from 'node:crypto'

/** A ticket or an alarm at a vendor. `url` is null if the vendor gives none. */
export interface Ticket {
  id: string
  url: string | null
}

/** What a destination remembers about a key. */
export type Ref =
  /** A request that makes the ticket may have been sent. `mark`: the delivery that sent it. */
  | { state: 'MAKING'; mark: string; since: Date }
  /** `toldBy`: the delivery that updated the ticket last, at `toldAt`. */
  | { state: 'OPEN'; ticket: Ticket; toldBy: string; toldAt: Date }
  | { state: 'RESOLVED'; ticket: Ticket | null; at: Date }

/** The next request about a key. `mark`: the delivery by which the vendor knows what was made. */
export type TicketStep =
  | { do: 'FIND'; key: string; mark: string; since: Date }
  | { do: 'CREATE'; key: string; mark: string }
  | { do: 'COMMENT'; key: string; mark: string; ticket: Ticket }
  | { do: 'CLOSE'; key: string; mark: string; ticket: Ticket | null }

/** What the answer to a step says. */
export type TicketAnswer =
  | { is: 'DONE'; ticket?: Ticket }
  /** The ticket of a FIND does not exist, or somebody deleted the one of a COMMENT or CLOSE. */
  | { is: 'MISSING' }
  /** The vendor already has what CREATE would make. */
  | { is: 'REPEATED' }
  /** The vendor has not done it, for certain. */
  | { is: 'REFUSED' }
  | { is: 'UNKNOWN' }

/** How a kind of destination treats tickets. */
export interface TicketManner {
  /**
   * Whether the vendor finds a ticket by its key alone, so that a CREATE can be repeated and a CLOSE needs no ticket.
   * Otherwise, FIND shows what an unknown CREATE has done.
   */
  isRepeatable: boolean
  /** How long after a CREATE a FIND can miss its ticket. */
  searchLagMs: number
  /** Whether the tickets are closed when they are resolved. Otherwise they get a comment. */
  closes: boolean
}

/** What is being sent, and by which delivery. */
export interface Telling {
  key: string
  deliveryId: string
  /** When it happened. */
  at: Date
  /** Whether it opens a ticket, or says that its key is over. */
  what: 'OPENS' | 'ENDS'
}

/** What one key needs now. `WAIT`: until then, the service cannot know whether its ticket exists. */
export type Next = TicketStep | { do: 'NOTHING' } | { do: 'WAIT'; until: Date }

const commentEveryMs = 3_600_000
const nothing = { do: 'NOTHING' } as const

/**
 * The next step for one key. A run asks again after each answer, with what `refAfter` made of it.
 *
 * @param missed whether a FIND of this run did not find the ticket
 */
export function nextStep(
  ref: Ref | null,
  { key, deliveryId, at, what }: Telling,
  manner: TicketManner,
  missed: boolean,
  now: Date,
): Next {
  if (ref?.state === 'MAKING' && !manner.isRepeatable) {
    if (!missed) return { do: 'FIND', key, mark: ref.mark, since: ref.since }
    const until = new Date(ref.since.getTime() + manner.searchLagMs)
    if (until > now) return { do: 'WAIT', until }
  }
  return what === 'OPENS' ? opening() : ending()

  function opening(): Next {
    const create = { do: 'CREATE', key, mark: deliveryId } as const
    if (ref === null) return create
    if (ref.state === 'MAKING') return { ...create, mark: ref.mark }
    // It is over already: an older delivery that was late must not open it again.
    if (ref.state === 'RESOLVED') return at <= ref.at ? nothing : create
    if (ref.toldBy === deliveryId) return nothing
    if (manner.isRepeatable) return create
    const isDue = now.getTime() - ref.toldAt.getTime() >= commentEveryMs
    return isDue ? { do: 'COMMENT', key, mark: deliveryId, ticket: ref.ticket } : nothing
  }

  function ending(): Next {
    if (ref === null || ref.state === 'RESOLVED') return nothing
    if (manner.isRepeatable) return { do: 'CLOSE', key, mark: deliveryId, ticket: null }
    // Two searches, the second one late enough, found nothing.
    if (ref.state === 'MAKING') return nothing
    const { ticket } = ref
    if (ref.toldBy !== deliveryId) return { do: 'COMMENT', key, mark: deliveryId, ticket }
    return manner.closes ? { do: 'CLOSE', key, mark: deliveryId, ticket } : nothing
  }
}

/**
 * What to remember before a step is sent. It must be stored before the request leaves: after a crash, it is the only
 * sign that a ticket may exist.
 */
export function refBefore(ref: Ref | null, step: TicketStep, now: Date): Ref | null {
  return step.do === 'CREATE' ? { state: 'MAKING', mark: step.mark, since: now } : ref
}

/**
 * What to remember after a step.
 *
 * @param before what was remembered before `refBefore`
 */
export function refAfter(
  before: Ref | null,
  step: TicketStep,
  answer: TicketAnswer,
  { deliveryId, at, what }: Telling,
  now: Date,
): Ref | null {
  if (answer.is === 'REFUSED') return before
  if (answer.is === 'UNKNOWN' || answer.is === 'REPEATED') return refBefore(before, step, now)
  if (answer.is === 'MISSING') {
    if (step.do === 'FIND' || step.do === 'CREATE') return before
    return what === 'ENDS' ? { state: 'RESOLVED', ticket: null, at } : null
  }
  switch (step.do) {
    case 'FIND':
      return { state: 'OPEN', ticket: made(answer), toldBy: step.mark, toldAt: step.since }
    case 'CREATE':
      return { state: 'OPEN', ticket: made(answer), toldBy: deliveryId, toldAt: now }
    case 'COMMENT':
      return { state: 'OPEN', ticket: step.ticket, toldBy: deliveryId, toldAt: now }
    case 'CLOSE':
      return { state: 'RESOLVED', ticket: step.ticket, at }
  }
}

function made({ ticket }: { ticket?: Ticket }): Ticket {
  if (!ticket) throw new Error('the answer names no ticket')
  return ticket
}

/** What to remember when a key needs nothing more from this delivery. */
export function refAtEnd(ref: Ref | null, { what, at }: Telling): Ref | null {
  if (what === 'OPENS' || ref === null || ref.state === 'RESOLVED') return ref
  return { state: 'RESOLVED', ticket: ref.state === 'OPEN' ? ref.ticket : null, at }
}

/** A mark that a vendor's search finds: a label, or a part of a text. */
export const searchMark = (deliveryId: string): string => `svc-${digest(deliveryId).slice(0, 12)}`

/**
 * An id in the form of a UUID v4, the same for each attempt of a delivery.
 *
 * @param what what the id names: one delivery can make an issue and a comment
 */
export function madeId(what: 'issue' | 'comment', deliveryId: string): string {
  const hex = digest(`${what}/${deliveryId}`)
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** The key of an alarm, in a form that every receiver accepts. */
export const alarmKey = (key: string): string => `svc-${digest(key)}`

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
