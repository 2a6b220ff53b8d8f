import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DeliveryStatus,
  endedFailed,
  interrupted,
  isExhausted,
  outcomesOf,
  refusesRetry,
  settlementOf,
  verdictOn,
} from './delivery.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ladderMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs]
const now = new Date('2026-11-20T10:00:00.000Z')

interface Case {
  attempts?: number
  isTest?: boolean
  status?: number | null
  retryAfter?: string | null
  charged?: boolean
}

function verdictFor({ attempts = 1, isTest = false, status = 500, retryAfter = null, charged = true }: Case) {
  const claimed = { id: 'd', destinationId: 'w', fence: 1, attempts, isTest }
  const verdict = verdictOn(claimed, { status, retryAfter, charged }, ladderMs, now)
  return { ...verdict, dueInMs: verdict.dueAt && verdict.dueAt.getTime() - now.getTime() }
}

describe('verdictOn', () => {
  it.each([200, 201, 202, 204, 226, 299])('counts %i as success at any attempt', (status) => {
    for (const attempts of [1, 2, 6])
      expect(verdictFor({ status, attempts })).toMatchObject({ status: 'DELIVERED', attempts, dueAt: null })
  })

  it.each([null, 101, 199, 300, 301, 302, 304, 307, 400, 401, 404, 408, 429, 500, 503, 999])(
    'counts %s as a failed attempt',
    (status) => expect(verdictFor({ status })).toMatchObject({ status: 'PENDING', attempts: 1, dueInMs: minuteMs }),
  )

  it.each(ladderMs.map((stepMs, index) => [index + 1, stepMs] as const))(
    'schedules the retry after failed attempt %i in %i ms',
    (attempts, stepMs) =>
      expect(verdictFor({ attempts })).toMatchObject({ status: 'PENDING', attempts, dueInMs: stepMs }),
  )

  it('ends the delivery after the 6th failed attempt', () => {
    expect(verdictFor({ attempts: 6 })).toMatchObject({ status: 'FAILED', attempts: 6, dueAt: null })
  })

  it('spreads the retries over 14 h 36 min', () => {
    expect(ladderMs.reduce((sum, stepMs) => sum + stepMs)).toBe(14 * hourMs + 36 * minuteMs)
  })

  it.each([1, 3, 6])('ends the delivery permanently after 410 at attempt %i', (attempts) => {
    expect(verdictFor({ status: 410, attempts })).toMatchObject({ status: 'PERMANENTLY_FAILED', attempts, dueAt: null })
  })

  it('never retries a test ping', () => {
    for (const status of [null, 500, 410]) expect(verdictFor({ isTest: true, status }).status).toBe('FAILED')
    expect(verdictFor({ isTest: true, charged: false, status: null })).toMatchObject({ status: 'FAILED', dueAt: null })
    expect(verdictFor({ isTest: true, status: 200 }).status).toBe('DELIVERED')
  })

  it('does not count an uncharged attempt and retries it after the first step', () => {
    for (const attempts of [1, 6])
      expect(verdictFor({ attempts, charged: false, status: null })).toMatchObject({
        status: 'PENDING',
        attempts: attempts - 1,
        dueInMs: minuteMs,
      })
  })
})

describe('Retry-After', () => {
  const inMs = (ms: number) => new Date(now.getTime() + ms).toUTCString()
  it.each([
    ['a shorter wait changes nothing', 1, '10', minuteMs],
    ['zero changes nothing', 1, '0', minuteMs],
    ['a longer wait is respected', 1, '120', 2 * minuteMs],
    ['the wait is at most the next step', 1, '86400', 5 * minuteMs],
    ['the last step is not lengthened', 5, '999999', 12 * hourMs],
    ['a date is respected', 1, inMs(3 * minuteMs), 3 * minuteMs],
    ['a date in the past changes nothing', 1, inMs(-hourMs), minuteMs],
    ['surrounding spaces are ignored', 1, ' 120 ', 2 * minuteMs],
    ['an invalid value changes nothing', 1, 'soon', minuteMs],
    ['an empty value changes nothing', 1, '', minuteMs],
    ['a negative number changes nothing', 1, '-5', minuteMs],
    ['a number with many digits waits for the next step', 1, '99999999999999999999', 5 * minuteMs],
  ])('%s', (_what, attempts, retryAfter, dueInMs) => {
    expect(verdictFor({ attempts, retryAfter, status: 429 }).dueInMs).toBe(dueInMs)
  })

  it('never shortens a step, even if the next step is shorter', () => {
    const claimed = { id: 'd', destinationId: 'w', fence: 1, attempts: 1, isTest: false }
    const outcome = { status: 503, retryAfter: '7200', charged: true }
    const { dueAt } = verdictOn(claimed, outcome, [hourMs, minuteMs], now)
    expect(dueAt?.getTime()).toBe(now.getTime() + hourMs)
  })

  it('gives a wait between this step and the next for any value', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (retryAfter, attempts) => {
        const { dueInMs } = verdictFor({ attempts, retryAfter })
        const step = ladderMs[attempts - 1]!
        expect(dueInMs).toBeGreaterThanOrEqual(step)
        expect(dueInMs).toBeLessThanOrEqual(ladderMs[attempts] ?? step)
      }),
    )
  })
})

it('a claim after the last attempt of a cycle ends the delivery and does not count as an attempt', () => {
  expect(verdictFor({ attempts: 7, status: null })).toMatchObject({ status: 'FAILED', attempts: 6, dueAt: null })
  expect(verdictFor({ attempts: 2, isTest: true, status: null })).toMatchObject({ status: 'FAILED', attempts: 1 })
})

it('a delivery is exhausted after the last attempt of its cycle', () => {
  const exhausted = (attempts: number, isTest: boolean) =>
    isExhausted({ id: 'd', destinationId: 'w', fence: 1, attempts, isTest }, ladderMs)
  expect([exhausted(6, false), exhausted(7, false)]).toEqual([false, true])
  expect([exhausted(1, true), exhausted(2, true)]).toEqual([false, true])
})

it.each([
  ['PENDING', false, false],
  ['DELIVERED', false, false],
  ['FAILED', true, true],
  ['PERMANENTLY_FAILED', true, true],
] as [DeliveryStatus, boolean, boolean][])(
  'a delivery that is %s: can be retried %s, counts as failed %s',
  (status, retried, failed) => {
    const refusal = refusesRetry(status)
    expect(refusal === undefined).toBe(retried)
    if (refusal)
      expect(refusal).toMatchObject({ refusal: 'validation_failed', message: expect.stringContaining(status) })
    expect(endedFailed(status)).toBe(failed)
  },
)

describe('outcomesOf', () => {
  const statuses: Record<string, DeliveryStatus> = {
    F: 'FAILED',
    P: 'PERMANENTLY_FAILED',
    D: 'DELIVERED',
    '.': 'PENDING',
  }

  // One letter for each delivery. Lowercase letters are test pings.
  it.each([
    ['', ''],
    ['FPFPF', 'FFFFF'],
    ['FFDF', 'FFDF'],
    ['FF.FF', 'FFFF'],
    ['ffpp', ''],
    ['FFFFdF', 'FFFFF'],
    ['....', ''],
  ])('the settled deliveries %s end as %s', (settled, outcomes) => {
    const deliveries = [...settled].map((letter) => ({
      status: statuses[letter.toUpperCase()]!,
      isTest: letter !== letter.toUpperCase(),
    }))
    const ended = outcomesOf(deliveries).map((outcome) => (outcome === 'DELIVERED' ? 'D' : 'F'))
    expect(ended.join('')).toBe(outcomes)
  })
})

describe('settlementOf', () => {
  const claimed = { id: 'd', destinationId: 'w', fence: 7, attempts: 2, isTest: false }
  const answered = { status: 503, body: 'busy', error: null, retryAfter: null, durationMs: 5, charged: true }

  it('has the verdict, the number of the claim and the response of the endpoint', () => {
    expect(settlementOf(claimed, answered, ladderMs, now)).toEqual({
      id: 'd',
      fence: 7,
      status: 'PENDING',
      attempts: 2,
      dueAt: new Date(now.getTime() + 5 * minuteMs),
      lastAttemptAt: now,
      responseStatus: 503,
      responseBody: 'busy',
      errorMessage: null,
    })
  })

  it('has no body if there was no response', () => {
    expect(settlementOf({ ...claimed, attempts: 7 }, interrupted, ladderMs, now)).toMatchObject({
      status: 'FAILED',
      responseStatus: null,
      responseBody: null,
      errorMessage: expect.stringContaining('interrupted'),
    })
  })
})
