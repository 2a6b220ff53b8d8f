import { expect, test } from 'vitest'
import { roomOf } from '../../../../platform/held.ts'
import { signersWith } from '../../../../platform/sign.ts'
import type { NewEvent } from '../store.ts'
import type { Seen } from './actions.ts'
import { addressNotes, type Sender } from './worker.ts'

const { addresses: signer } = signersWith(Buffer.alloc(32, 1))
const sender: Sender = { ip: '198.51.7.1', byPage: true, receivedAt: new Date('2026-11-20T10:00:00Z') }
const exposure = (unit: string, more: Partial<NewEvent> = {}) =>
  ({ type: 'exposure', envId: 'env', ruleId: 'rule', unit, kind: 0, ...more }) as NewEvent
const exposures = (count: number, prefix = 'u') =>
  Array.from({ length: count }, (_, place) => exposure(`${prefix}-${place}`))

function notesOf({ maxBytes = 1e6, add }: { maxBytes?: number; add?: (seen: readonly Seen[]) => Promise<void> } = {}) {
  const saved: Seen[][] = []
  const room = roomOf(maxBytes)
  const notes = addressNotes({ signer, room, add: add ?? (async (seen) => void saved.push([...seen])) })
  return { notes, room, saved }
}

test('exposures that count are noted by rule and day, and a unit once', async () => {
  const { notes, room, saved } = notesOf()
  const others = [
    exposure('bot', { kind: 2 }),
    exposure('override', { kind: 1 }),
    { ...exposure('sale'), type: 'track' } as NewEvent,
  ]
  notes.note([...exposures(2), ...exposures(2), exposure('u-0', { ruleId: 'other' }), ...others], sender)
  notes.note(exposures(1), { ...sender, receivedAt: new Date('2026-11-21T00:00:00Z') })
  expect(room.bytes).toBeGreaterThan(0)
  await notes.save()
  await notes.save()
  expect(saved).toHaveLength(1)
  expect(saved[0]!.map(({ ruleId, day, byPages, sample }) => [ruleId, day, byPages, sample.units.size])).toEqual([
    ['rule', '2026-11-20', true, 2],
    ['other', '2026-11-20', true, 1],
    ['rule', '2026-11-21', true, 1],
  ])
  expect(room.bytes).toBe(0)
})

test('a network is the same for all of its addresses, and another one for each rule and day', async () => {
  const { notes, saved } = notesOf()
  notes.note([exposure('a'), exposure('a', { ruleId: 'other' })], sender)
  notes.note([exposure('b')], { ...sender, ip: '198.51.7.99' })
  notes.note([exposure('c')], { ...sender, ip: '198.51.8.1' })
  notes.note([exposure('a')], { ...sender, receivedAt: new Date('2026-11-21T00:00:00Z') })
  await notes.save()
  const [rule, other, nextDay] = saved[0]!.map(({ sample }) => [...sample.units.values()])
  expect(rule![0]).toBe(rule![1])
  expect(new Set([rule![0], rule![2], other![0], nextDay![0]]).size).toBe(4)
})

test('only addresses of the internet are noted', async () => {
  const { notes, saved } = notesOf()
  for (const ip of ['127.0.0.1', '10.0.0.1', 'fd00::1', 'unknown']) notes.note(exposures(1), { ...sender, ip })
  await notes.save()
  expect(saved).toEqual([])
})

test('what is noted has a bound in bytes, however many units and rules there are', () => {
  const { notes, room } = notesOf({ maxBytes: 50_000 })
  notes.note(exposures(5_000, 'x'.repeat(500)), sender)
  for (let rule = 0; rule < 100; rule += 1) notes.note([exposure('u', { ruleId: `r-${rule}` })], sender)
  expect(room.bytes).toBeLessThanOrEqual(50_000)
})

test('what could not be saved is saved the next time, with what came meanwhile', async () => {
  const saved: Seen[][] = []
  let isAway = true
  const { notes, room } = notesOf({
    async add(seen) {
      if (isAway) {
        notes.note(exposures(3), sender)
        throw new Error('the database is away')
      }
      saved.push([...seen])
    },
  })
  notes.note(exposures(2), sender)
  await expect(notes.save()).rejects.toThrow('away')
  expect(room.bytes).toBeGreaterThan(0)
  isAway = false
  await notes.save()
  expect(saved[0]!.map(({ sample }) => sample.units.size)).toEqual([3])
})
