import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualPlatform } from '../../test/platform.ts'
import type { Turn } from './poll.ts'
import { nextDelayMs, startPolling } from './poll.ts'

const good: Turn = { failed: false }
const bad: Turn = { failed: true, retryAfterMs: 0 }

describe('nextDelayMs', () => {
  it.each([
    ['the interval after a success', 0, 30_000, good, 0.5, 30_000],
    ['at least four fifths of the interval', 0, 30_000, good, 0, 24_000],
    ['at most six fifths of the interval', 0, 30_000, good, 1, 36_000],
    ['a second after the first failure', 1, 30_000, bad, 0.5, 1_000],
    ['two seconds after the second failure', 2, 30_000, bad, 0.5, 2_000],
    ['at most a minute', 7, 30_000, bad, 0.5, 60_000],
    ['a minute after a thousand failures', 1_000, 30_000, bad, 0.5, 60_000],
    ['at most the interval when it is longer', 20, 300_000, bad, 0.5, 300_000],
    ['the delay that the service asks for', 1, 30_000, { failed: true, retryAfterMs: 120_000 }, 0, 120_000],
    ['never less than the back-off', 7, 30_000, { failed: true, retryAfterMs: 1_000 }, 0.5, 60_000],
    [
      'at most an hour of the delay that the service asks for',
      1,
      30_000,
      { failed: true, retryAfterMs: 1e12 },
      0,
      3_600_000,
    ],
    ['the back-off when the requested date is past', 1, 30_000, { failed: true, retryAfterMs: -5e9 }, 0.5, 1_000],
  ] as const)('waits %s', (_name, failures, intervalMs, ended, random, expected) => {
    expect(nextDelayMs(failures, intervalMs, ended, random)).toBeCloseTo(expected)
  })

  it('stays within the limits for any input', () => {
    const inputs = [
      fc.nat(),
      fc.integer({ min: 1_000, max: 86_400_000 }),
      fc.double({ min: 0, max: 1e15, noNaN: true }),
    ]
    fc.assert(
      fc.property(
        ...(inputs as [fc.Arbitrary<number>, fc.Arbitrary<number>, fc.Arbitrary<number>]),
        (failures, intervalMs, retryAfterMs) => {
          const delayMs = nextDelayMs(failures, intervalMs, { failed: true, retryAfterMs }, 0.5)
          expect(delayMs).toBeGreaterThanOrEqual(800)
          expect(delayMs).toBeLessThanOrEqual(Math.max(intervalMs, 3_600_000) * 1.2)
          expect(delayMs).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 3_600_000))
        },
      ),
    )
  })
})

describe('startPolling', () => {
  it('runs the first turn at once and the next after the interval', async () => {
    const time = manualPlatform()
    let turns = 0
    const poll = startPolling(async () => ({ failed: ++turns < 0, retryAfterMs: 0 }), 5_000, time.platform)
    expect(turns).toBe(1)
    await poll.refresh()
    expect(turns).toBe(1)
    time.advance(4_999)
    expect(turns).toBe(1)
    time.advance(1)
    expect(turns).toBe(2)
  })

  it('runs one turn at a time, however often it is called', async () => {
    const time = manualPlatform()
    const ends: ((turn: Turn) => void)[] = []
    const poll = startPolling(() => new Promise((resolve) => ends.push(resolve)), 5_000, time.platform)
    const asked = [poll.refresh(), poll.refresh(), poll.refresh()]
    ends[0]?.(good)
    await Promise.all(asked)
    expect(ends).toHaveLength(1)
    expect(time.pending()).toHaveLength(1)
  })

  it('replaces the planned turn by a requested one', async () => {
    const time = manualPlatform()
    const poll = startPolling(async () => good, 5_000, time.platform)
    await poll.refresh()
    time.advance(3_000)
    await poll.refresh()
    expect(time.pending().map(({ delayMs }) => delayMs)).toEqual([5_000])
  })

  it('starts no turn after stop, not even when one was running', async () => {
    const time = manualPlatform()
    let turns = 0
    const poll = startPolling(async () => ({ failed: ++turns < 0, retryAfterMs: 0 }), 5_000, time.platform)
    const first = poll.refresh()
    poll.stop()
    await first
    await poll.refresh()
    expect(time.pending()).toEqual([])
    expect(turns).toBe(1)
  })

  it('keeps a process alive while told to, however the turns end', async () => {
    const time = manualPlatform()
    const poll = startPolling(async () => bad, 5_000, time.platform)
    const referenced = () => time.pending().map((timer) => timer.referenced)
    await poll.refresh()
    expect(referenced()).toEqual([false])
    poll.keepAlive?.(true)
    expect(referenced()).toEqual([true])
    await poll.refresh()
    expect(referenced()).toEqual([true])
    poll.keepAlive?.(false)
    expect(referenced()).toEqual([false])
    await poll.refresh()
    expect(referenced()).toEqual([false])
  })
})
