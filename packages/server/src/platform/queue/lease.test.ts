import { describe, expect, it } from 'vitest'
import { hasTime, isOver, leaseEnd } from './lease.ts'

const timeoutMs = 10_000
const claimedAt = new Date('2026-11-20T10:00:00.000Z')
const after = (ms: number) => new Date(claimedAt.getTime() + ms)
const job = { leaseUntil: leaseEnd(claimedAt, timeoutMs) }

describe('a lease', () => {
  it('lasts for an attempt plus 20 s', () => {
    expect(job.leaseUntil).toEqual(after(30_000))
  })

  it.each([
    [0, true],
    [20_000, true],
    [20_001, false],
    [30_000, false],
    [40_000, false],
  ])('has time for an attempt after %i ms: %s', (ms, expected) => {
    expect(hasTime(job, after(ms), timeoutMs)).toBe(expected)
  })

  it.each([
    [0, false],
    [29_999, false],
    [30_000, true],
    [40_000, true],
  ])('is over after %i ms: %s', (ms, expected) => {
    expect(isOver(job, after(ms))).toBe(expected)
  })
})
