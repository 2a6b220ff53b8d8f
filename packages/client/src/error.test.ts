import { expect, it } from 'vitest'
import { failureOf } from './error.ts'

const refusal = {
  error: {
    code: 'validation_failed',
    message: 'A name may not be blank.',
    docUrl: 'http://svc.test/docs/errors#validation_failed',
    requestId: 'r-1',
    details: { issues: [{ path: ['rules', 0, 'name'], message: 'A name may not be blank.' }], references: ['f-1'] },
  },
}

it('an ApiError reads code, message, link, details and issues of an error response', () => {
  expect(failureOf(400, 'r-1', refusal)).toMatchObject({
    name: 'ApiError',
    code: 'validation_failed',
    message: 'A name may not be blank.',
    status: 400,
    requestId: 'r-1',
    docUrl: 'http://svc.test/docs/errors#validation_failed',
    issues: [{ path: ['rules', 0, 'name'], message: 'A name may not be blank.' }],
    details: { references: ['f-1'] },
  })
})

it.each([
  ['a missing body', undefined],
  ['a page from a proxy', '<html>'],
  ['an error of a different service', { error: 'unavailable' }],
  ['a code that is not a string', { error: { code: 502, message: 'x' } }],
])('%s gives an unreadable error with the request id of the header', (_what, body) => {
  expect(failureOf(502, 'r-2', body)).toMatchObject({ code: 'unreadable', status: 502, requestId: 'r-2', issues: [] })
})

it.each([
  ['not a list', { issues: 'x' }],
  ['not objects', { issues: [1, null] }],
])('issues that are %s are ignored', (_what, details) => {
  expect(failureOf(400, null, { error: { code: 'x', message: 'y', details } }).issues).toEqual([])
})
