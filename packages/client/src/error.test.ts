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

it('says what a refusal says', () => {
  expect(failureOf(400, 'r-1', refusal)).toMatchObject({
    name: 'ApiError',
    code: 'validation_failed',
    message: 'A name may not be blank.',
    status: 400,
    requestId: 'r-1',
    issues: [{ path: ['rules', 0, 'name'], message: 'A name may not be blank.' }],
    details: { references: ['f-1'] },
  })
})

it.each([
  ['no body', undefined],
  ['a page of a proxy', '<html>'],
  ['another service’s error', { error: 'unavailable' }],
  ['a code that is no text', { error: { code: 502, message: 'x' } }],
])('%s is unreadable, and keeps the request id of the header', (_what, body) => {
  expect(failureOf(502, 'r-2', body)).toMatchObject({ code: 'unreadable', status: 502, requestId: 'r-2', issues: [] })
})

it.each([
  ['no list', { issues: 'x' }],
  ['no objects', { issues: [1, null] }],
])('issues that are %s count as none', (_what, details) => {
  expect(failureOf(400, null, { error: { code: 'x', message: 'y', details } }).issues).toEqual([])
})
