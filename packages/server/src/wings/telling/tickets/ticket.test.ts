import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  alarmKey,
  madeId,
  type Next,
  nextStep,
  type Ref,
  refAfter,
  refAtEnd,
  refBefore,
  searchMark,
  type Telling,
  type TicketAnswer,
  type TicketManner,
  type TicketStep,
} from './ticket.ts'

const minutes = (count: number) => new Date(Date.UTC(2026, 10, 27, 12, count))
const key = 'flag.srm_failed/e1/12'
const ticket = { id: '5', url: 'https://tickets.example/5' }
const [mine, other] = ['delivery-1', 'delivery-0']

const searched: TicketManner = { isRepeatable: false, searchLagMs: 300_000, closes: true }
const unclosed: TicketManner = { ...searched, closes: false }
const keyed: TicketManner = { isRepeatable: true, searchLagMs: 0, closes: true }

const opens: Telling = { key, deliveryId: mine, at: minutes(0), what: 'OPENS' }
const ends: Telling = { ...opens, what: 'ENDS' }

const making: Ref = { state: 'MAKING', mark: other, since: minutes(0) }
const open = (toldBy: string, told: number): Ref => ({ state: 'OPEN', ticket, toldBy, toldAt: minutes(told) })
const resolved = (at: number): Ref => ({ state: 'RESOLVED', ticket, at: minutes(at) })

const create: TicketStep = { do: 'CREATE', key, mark: mine }
const createOther: TicketStep = { do: 'CREATE', key, mark: other }
const find: TicketStep = { do: 'FIND', key, mark: other, since: minutes(0) }
const comment: TicketStep = { do: 'COMMENT', key, mark: mine, ticket }
const close: TicketStep = { do: 'CLOSE', key, mark: mine, ticket }
const closeKey: TicketStep = { do: 'CLOSE', key, mark: mine, ticket: null }
const nothing: Next = { do: 'NOTHING' }

describe('the next step', () => {
  it.each<[string, Ref | null, Telling, TicketManner, boolean, number, Next]>([
    ['creates a ticket', null, opens, searched, false, 0, create],
    ['creates an alarm', null, opens, keyed, false, 0, create],
    ['searches after an unknown attempt', making, opens, searched, false, 1, find],
    ['waits for the search', making, opens, searched, true, 4, { do: 'WAIT', until: minutes(5) }],
    ['creates what the search has missed for long', making, opens, searched, true, 5, createOther],
    ['repeats an alarm without a search', making, opens, keyed, false, 1, createOther],
    ['says nothing twice', open(mine, 0), opens, searched, false, 120, nothing],
    ['leaves out a comment within the hour', open(other, 0), opens, searched, false, 59, nothing],
    ['comments after an hour', open(other, 0), opens, searched, false, 60, comment],
    ['rings an open alarm again', open(other, 0), opens, keyed, false, 1, create],
    ['rings no alarm twice', open(mine, 0), opens, keyed, false, 120, nothing],
    ['opens a new ticket after a resolved one', resolved(-1), opens, searched, false, 1, create],
    ['opens nothing that is over', resolved(0), opens, searched, false, 1, nothing],
    ['opens no alarm that is over', resolved(1), opens, keyed, false, 1, nothing],
    ['ends nothing without a ticket', null, ends, searched, false, 0, nothing],
    ['ends nothing twice', resolved(-1), ends, searched, false, 0, nothing],
    ['comments before it closes', open(other, 0), ends, searched, false, 1, comment],
    ['closes after the comment', open(mine, 1), ends, searched, false, 1, close],
    ['does not close where nobody said how', open(mine, 1), ends, unclosed, false, 1, nothing],
    ['resolves an alarm at once', open(other, 0), ends, keyed, false, 1, closeKey],
    ['resolves an alarm that may ring', making, ends, keyed, false, 1, closeKey],
    ['searches before it ends', making, ends, searched, false, 1, find],
    ['waits for the search before it ends', making, ends, searched, true, 1, { do: 'WAIT', until: minutes(5) }],
    ['ends nothing that was never made', making, ends, searched, true, 5, nothing],
  ])('%s', (_what, ref, telling, manner, missed, now, expected) => {
    expect(nextStep(ref, telling, manner, missed, minutes(now))).toEqual(expected)
  })
})

describe('what is remembered', () => {
  const made: TicketAnswer = { is: 'DONE', ticket }

  it('says before a ticket is made that it may exist', () => {
    expect(refBefore(null, create, minutes(3))).toEqual({ state: 'MAKING', mark: mine, since: minutes(3) })
    expect(refBefore(making, createOther, minutes(3))).toEqual({ ...making, since: minutes(3) })
    for (const step of [find, comment, close]) expect(refBefore(making, step, minutes(3))).toBe(making)
  })

  it.each<[string, Ref | null, TicketStep, TicketAnswer, Telling, Ref | null]>([
    ['made', null, create, made, opens, open(mine, 7)],
    ['not made, for certain', null, create, { is: 'REFUSED' }, opens, null],
    ['a second attempt that was not made', making, createOther, { is: 'REFUSED' }, opens, making],
    ['perhaps made', null, create, { is: 'UNKNOWN' }, opens, { state: 'MAKING', mark: mine, since: minutes(7) }],
    ['made before', making, createOther, { is: 'REPEATED' }, opens, { ...making, since: minutes(7) } as Ref],
    ['found', making, find, made, opens, open(other, 0)],
    ['not found', making, find, { is: 'MISSING' }, opens, making],
    ['a search that failed', making, find, { is: 'UNKNOWN' }, opens, making],
    ['commented', open(other, 0), comment, { is: 'DONE' }, opens, open(mine, 7)],
    ['perhaps commented', open(other, 0), comment, { is: 'UNKNOWN' }, opens, open(other, 0)],
    ['no comment on a deleted ticket', open(other, 0), comment, { is: 'MISSING' }, opens, null],
    [
      'a deleted ticket that is over',
      open(other, 0),
      comment,
      { is: 'MISSING' },
      ends,
      { ...resolved(0), ticket: null } as Ref,
    ],
    ['closed', open(mine, 6), close, { is: 'DONE' }, ends, resolved(0)],
    ['perhaps closed', open(mine, 6), close, { is: 'UNKNOWN' }, ends, open(mine, 6)],
  ])('%s', (_what, before, step, answer, telling, expected) => {
    expect(refAfter(before, step, answer, telling, minutes(7))).toEqual(expected)
  })

  it('is over at the end of a delivery that ends it', () => {
    expect(refAtEnd(open(mine, 6), ends)).toEqual(resolved(0))
    expect(refAtEnd(making, ends)).toEqual({ state: 'RESOLVED', ticket: null, at: minutes(0) })
    expect(refAtEnd(null, ends)).toBeNull()
    expect(refAtEnd(making, opens)).toBe(making)
  })
})

describe('derived ids', () => {
  const deliveries = Array.from(
    { length: 1_000 },
    (_, index) => `0199aa7e-0000-7000-8000-${String(index).padStart(12, '0')}`,
  )

  it('make a mark of twelve digits', () => {
    const marks = new Set(deliveries.map(searchMark))
    expect(marks.size).toBe(deliveries.length)
    for (const mark of marks) expect(mark).toMatch(/^svc-[0-9a-f]{12}$/)
    expect(searchMark(mine)).toBe(searchMark(mine))
  })

  it('make ids in the form of a UUID v4', () => {
    const uuid = z.uuid({ version: 'v4' })
    const ids = deliveries.flatMap((delivery) => [madeId('issue', delivery), madeId('comment', delivery)])
    expect(new Set(ids).size).toBe(2 * deliveries.length)
    for (const id of ids) expect(uuid.safeParse(id).success).toBe(true)
  })

  it('make a short key of any key', () => {
    expect(alarmKey(key)).toMatch(/^svc-[0-9a-f]{64}$/)
    expect(alarmKey(key)).not.toBe(alarmKey(`${key}3`))
  })
})
