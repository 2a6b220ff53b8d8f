import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DeliveryStatus, endedFailed } from './delivery.ts'
import { failuresUntilDisabled, healthAfter, toggled } from './health.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const fresh = { enabled: true, consecutiveFailures: 0 }
const letters: Record<string, DeliveryStatus> = {
  F: 'FAILED',
  P: 'PERMANENTLY_FAILED',
  D: 'DELIVERED',
  '.': 'PENDING',
}
/** One letter for each delivery. Lowercase letters are test pings. */
const settledOf = (text: string) =>
  [...text].map((letter) => ({
    status: letters[letter.toUpperCase()]!,
    isTest: letter !== letter.toUpperCase(),
  }))

describe('consecutive failures', () => {
  it.each([
    ['', true, 0],
    ['FFFF', true, 4],
    ['FFFFF', false, 5],
    ['FPFPF', false, 5],
    ['FFFFDFFFF', true, 4],
    ['FFFFD', true, 0],
    ['FF.FF', true, 4],
    ['FFFF....F', false, 5],
    ['ffffffff', true, 0],
    ['FFFFd', true, 4],
    ['FFFFdF', false, 5],
  ])('after %s: enabled %s, count %i', (outcomes, enabled, consecutiveFailures) => {
    expect(healthAfter(fresh, settledOf(outcomes))).toEqual({ enabled, consecutiveFailures })
  })

  it('do not change a disabled webhook when a delivery in progress succeeds', () => {
    expect(healthAfter({ enabled: false, consecutiveFailures: 3 }, settledOf('D'))).toEqual({
      enabled: false,
      consecutiveFailures: 0,
    })
  })

  it('disable a webhook if and only if there are five in a row, in any batches', () => {
    const outcome = fc.constantFrom(...'FPDfd.')
    fc.assert(
      fc.property(fc.array(fc.array(outcome, { maxLength: 6 }), { maxLength: 10 }), (batches) => {
        const settled = batches.map((letters) => settledOf(letters.join('')))
        const inBatches = settled.reduce<{ enabled: boolean; consecutiveFailures: number }>(healthAfter, fresh)
        const counted = settled.flat().filter(({ isTest, status }) => !isTest && status !== 'PENDING')
        const runs = counted
          .map(({ status }) => (endedFailed(status) ? 'F' : 'D'))
          .join('')
          .split('D')
        const longest = Math.max(...runs.map((run) => run.length))
        expect(inBatches.enabled).toBe(longest < failuresUntilDisabled)
        expect(inBatches.consecutiveFailures).toBe(runs.at(-1)!.length)
      }),
    )
  })
})

describe('the switch', () => {
  const on = { enabled: true, disabledAt: null, disableReason: null, consecutiveFailures: 3 }
  const off = { enabled: false, disabledAt: new Date(0), disableReason: 'Because.', consecutiveFailures: 5 }

  it('stores the time but no reason when disabled by hand', () => {
    expect(toggled(on, false, now)).toEqual({ ...on, enabled: false, disabledAt: now, disableReason: null })
  })

  it('clears time, reason and count when enabled', () => {
    expect(toggled(off, true, now)).toEqual({
      enabled: true,
      disabledAt: null,
      disableReason: null,
      consecutiveFailures: 0,
    })
  })

  it('changes nothing if it is already in that state', () => {
    expect(toggled(on, true, now)).toEqual(on)
    expect(toggled(off, false, now)).toEqual(off)
  })
})
