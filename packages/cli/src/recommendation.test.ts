import { expect, test } from 'vitest'
import { recommended } from './recommendation.ts'

test.each([
  ['RUNNING', 'Keep it running.'],
  ['DRAFT', 'It has not started.'],
  ['PAUSED', 'It was paused before anything was shown.'],
  ['COMPLETED', 'It ended before anything was shown.'],
  ['ARCHIVED', 'It ended before anything was shown.'],
])('only a test that runs can be kept running: %s', (status, words) => {
  expect(recommended({ action: 'KEEP_RUNNING' }, status)).toBe(words)
  expect(recommended({ action: 'UNHEALTHY' }, status)).toBe('Do not decide: a health check failed.')
  expect(recommended(null, status)).toBe('')
})
