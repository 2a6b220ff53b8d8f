import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failuresUntilDisabled, healthAfter, type Outcome, toggled } from './health.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const fresh = { enabled: true, consecutiveFailures: 0 }
/** One letter for each delivery that ended. */
const outcomesOf = (text: string) => [...text].map((letter): Outcome => (letter === 'D' ? 'DELIVERED' : 'FAILED'))

describe('consecutive failures', () => {
  it.each([
    ['', true, 0],
    ['FFFF', true, 4],
    ['FFFFF', false, 5],
    ['FFFFDFFFF', true, 4],
    ['FFFFD', true, 0],
  ])('after %s: enabled %s, count %i', (outcomes, enabled, consecutiveFailures) => {
    expect(healthAfter(fresh, outcomesOf(outcomes))).toEqual({ enabled, consecutiveFailures })
  })

  it('do not change a disabled webhook when a delivery in progress succeeds', () => {
    expect(healthAfter({ enabled: false, consecutiveFailures: 3 }, outcomesOf('D'))).toEqual({
      enabled: false,
      consecutiveFailures: 0,
    })
  })

  it('disable a webhook if and only if there are five in a row, in any batches', () => {
    const outcome = fc.constantFrom('F', 'D')
    fc.assert(
      fc.property(fc.array(fc.array(outcome, { maxLength: 6 }), { maxLength: 10 }), (batches) => {
        const inBatches = batches
          .map((letters) => outcomesOf(letters.join('')))
          .reduce<{ enabled: boolean; consecutiveFailures: number }>(healthAfter, fresh)
        const runs = batches.flat().join('').split('D')
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
