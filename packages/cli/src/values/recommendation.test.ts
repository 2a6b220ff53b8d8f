import { expect, test } from 'vitest'
import { recommended } from './recommendation.ts'

test.each([
  ['RUNNING', 'Keep it running.'],
  ['DRAFT', 'It has not started.'],
  ['PAUSED', 'It was paused before it showed a difference.'],
  ['COMPLETED', 'It ended before it showed a difference.'],
  ['ARCHIVED', 'It ended before it showed a difference.'],
])('only a test that runs can be kept running: %s', (status, words) => {
  expect(recommended({ action: 'KEEP_RUNNING' }, status)).toBe(words)
  expect(recommended({ action: 'UNHEALTHY' }, status)).toBe('Do not decide: a health check failed.')
  expect(recommended(null, status)).toBe('')
})

test('a breached guardrail is said first, and open windows are waited for', () => {
  const breached = [{ metricId: 'm', name: 'Errors', variationId: 'v' }]
  expect(recommended({ action: 'ROLLBACK', reasons: ['GUARDRAIL_BREACHED'], breached }, 'RUNNING')).toBe(
    'Errors got worse than its margin allows. Roll it back.',
  )
  expect(recommended({ action: 'REVIEW', reasons: ['GUARDRAIL_BREACHED'], breached }, 'RUNNING')).toBe(
    'Errors got worse than its margin allows. Review it.',
  )
  expect(recommended({ action: 'KEEP_RUNNING', reasons: ['WINDOWS_OPEN'], breached: [] }, 'COMPLETED')).toBe(
    'Wait: all planned visitors have arrived, and some still have time to convert.',
  )
})
