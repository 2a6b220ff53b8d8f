import { ApiError } from '@svc/client'
import { expect, it } from 'vitest'
import { Problem, shownProblem, withCode } from './problem.ts'

it.each([
  [400, 2],
  [401, 3],
  [403, 3],
  [404, 4],
  [409, 5],
  [410, 4],
  [412, 5],
  [413, 2],
  [415, 2],
  [422, 2],
  [429, 1],
  [500, 1],
  [0, 1],
])('the exit code of an answer with status %d is %d', (status, exitCode) => {
  const error = new ApiError('No.', { code: 'some_code', status, requestId: null })
  expect(shownProblem(error).exitCode).toBe(exitCode)
})

it.each([
  ['usage', 2],
  ['file_invalid', 2],
  ['no_credentials', 3],
  ['not_found', 4],
  ['conflict', 5],
  ['declined', 1],
  ['different', 1],
  ['interrupted', 130],
] as const)('the exit code of %s is %d', (code, exitCode) => {
  expect(shownProblem(new Problem(code, 'No.'))).toMatchObject({ exitCode, shown: { code, status: null } })
})

it('a fault of the program is exit code 1', () => {
  expect(shownProblem(new TypeError('x is undefined'))).toMatchObject({ exitCode: 1, shown: { code: 'failed' } })
})

it.each([
  ['It runs.', 'It runs (x).'],
  ['Did you mean y?', 'Did you mean y? (x)'],
])('%s is shown as %s', (message, shown) => expect(withCode({ message, code: 'x' })).toBe(shown))
