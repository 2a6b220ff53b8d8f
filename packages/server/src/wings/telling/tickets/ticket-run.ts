import {
  nextStep,
  type Ref,
  refAfter,
  refAtEnd,
  refBefore,
  type Telling,
  type TicketAnswer,
  type TicketManner,
  type TicketStep,
} from './ticket.ts'
import type { Verdict } from './ticket-kind.ts'

/** A key that a delivery is about, and what is remembered of it. */
export interface Told {
  telling: Telling
  ref: Ref | null
}

/** What a run needs of the outside. */
export interface TicketRun<Answer> {
  manner: TicketManner
  send(step: TicketStep): Promise<{ answer: Answer; verdict: Verdict }>
  /** Stores what is remembered of a key, before the run goes on. */
  save(key: string, ref: Ref | null): Promise<void>
  /** Whether the lease of the delivery lasts for another request. */
  hasTime(): boolean
  now(): Date
}

/** How a run ended. `refs` is still to be stored, together with the result. */
export type TicketEnd<Answer> = { refs: ReadonlyMap<string, Ref | null> } & (
  | { end: 'JUDGED'; answer: Answer; verdict: Verdict }
  /** There was nothing to send. */
  | { end: 'NOTHING' }
  /** The delivery goes on then, and this does not count as an attempt. */
  | { end: 'LATER'; at: Date }
)

/** A run that ends many tickets goes on later. */
const stepsMax = 20
/** One ticket never needs as many, unless its vendor says that it exists and that it does not. */
const stepsOfOneMax = 6
const inCircles = { verdict: 'RETRY', error: 'The answers of the vendor contradict each other.' } as const

/**
 * Sends the requests that one delivery needs, one after the other. Each of them follows from what is remembered and
 * from the answers before, so that a run can be broken off anywhere, and the next one makes no second ticket.
 */
export async function runTickets<Answer>(
  told: readonly Told[],
  { manner, send, save, hasTime, now }: TicketRun<Answer>,
): Promise<TicketEnd<Answer>> {
  const refs = new Map<string, Ref | null>()
  let last: { answer: Answer; verdict: Verdict } | undefined
  let steps = 0
  for (const { telling, ref: remembered } of told) {
    const { key } = telling
    let ref = remembered
    let missed = false
    for (let own = 0; ; own += 1) {
      const next = nextStep(ref, telling, manner, missed, now())
      if (next.do === 'NOTHING') break
      if (next.do === 'WAIT') return { refs, end: 'LATER', at: next.until }
      if (steps === stepsMax || !hasTime()) return { refs, end: 'LATER', at: now() }
      if (last && own === stepsOfOneMax) return { refs, end: 'JUDGED', answer: last.answer, verdict: inCircles }
      steps += 1
      const before = ref
      ref = refBefore(before, next, now())
      if (ref !== before) await save(key, ref)
      last = await send(next)
      ref = refAfter(before, next, ticketAnswer(last.verdict), telling, now())
      refs.set(key, ref)
      if (last.verdict.verdict !== 'DELIVERED') return { refs, end: 'JUDGED', ...last }
      missed = next.do === 'FIND' && last.verdict.ticket === 'MISSING'
    }
    const ended = refAtEnd(ref, telling)
    if (ended !== ref) refs.set(key, ended)
  }
  return last ? { refs, end: 'JUDGED', ...last } : { refs, end: 'NOTHING' }
}

function ticketAnswer({ verdict, ticket, external }: Verdict): TicketAnswer {
  if (verdict === 'RETRY') return { is: 'UNKNOWN' }
  if (verdict !== 'DELIVERED') return { is: 'REFUSED' }
  if (ticket) return { is: ticket }
  return { is: 'DONE', ...(external && { ticket: external }) }
}
