import { expect, test } from 'vitest'
import type { NewEvent } from '../events/index.ts'
import { addArrived, arrivalOf, bytesOf, everyDay, firstDay, type Pending } from './arrivals.ts'

const at = new Date('2026-11-20T10:00:00Z')
const track = (more: object = {}): NewEvent => ({
  ...{
    type: 'track',
    envId: 'env',
    id: 'id',
    unit: 'u',
    at: 0,
    clamped: false,
    eventKey: 'paid',
    value: null,
    kind: 0,
  },
  ...more,
})

test('tracked events that count are added up by environment, key and day', () => {
  const pending: Pending = new Map()
  const later = new Date(at.getTime() + 1)
  for (const [event, received] of [
    [track(), at],
    [track({ value: 2.5 }), later],
    [track({ eventKey: 'seen' }), at],
    [track({ envId: 'other' }), at],
    [track(), new Date('2026-11-21T00:00:00Z')],
  ] as const)
    addArrived(pending, arrivalOf(event, received)!, 1e6)
  expect([...pending.values()]).toEqual([
    { envId: 'env', eventKey: 'paid', day: '2026-11-20', events: 2, valued: 1, valueSum: 2.5, lastAt: later.getTime() },
    expect.objectContaining({ eventKey: 'seen', events: 1 }),
    expect.objectContaining({ envId: 'other', events: 1 }),
    expect.objectContaining({ day: '2026-11-21', events: 1 }),
  ])
  expect(arrivalOf(track({ kind: 2 }), at)).toBeUndefined()
  expect(arrivalOf({ ...track(), type: 'exposure' } as never, at)).toBeUndefined()
})

test('a new key without room is left out, and known ones are still counted', () => {
  const pending: Pending = new Map()
  const room = bytesOf({ eventKey: 'paid' })
  expect(addArrived(pending, arrivalOf(track(), at)!, room)).toBe(room)
  expect(addArrived(pending, arrivalOf(track({ eventKey: 'made up' }), at)!, 0)).toBe(0)
  expect(addArrived(pending, arrivalOf(track(), at)!, 0)).toBe(0)
  expect([...pending.values()].map(({ eventKey, events }) => [eventKey, events])).toEqual([['paid', 2]])
})

test('days without an event are there too', () => {
  const days = everyDay([{ day: '2026-11-19', events: 3, valued: 0, valueSum: 0 }], at)
  expect(days.length).toBe(30)
  expect([days[0]!.day, days.at(-1)!.day, firstDay(at)]).toEqual(['2026-10-22', '2026-11-20', '2026-10-22'])
  expect(days.filter(({ events }) => events > 0)).toEqual([expect.objectContaining({ day: '2026-11-19' })])
})
