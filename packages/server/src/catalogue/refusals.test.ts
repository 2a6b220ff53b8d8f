import { expect, test } from 'vitest'
import { invalid, isRefusal, notFound, refusals, refuse, refuseIssues } from './refusals.ts'

test.each([
  ['validation_failed', 400, 'validation_failed'],
  ['already_exists', 409, 'validation_failed'],
  ['organization_required', 400, 'organization_required'],
  ['unauthorized', 401, 'unauthorized'],
  ['sign_in_failed', 401, 'sign_in_failed'],
  ['token_expired', 401, 'token_expired'],
  ['token_revoked', 401, 'token_revoked'],
  ['scope_missing', 403, 'scope_missing'],
  ['feature_disabled', 403, 'feature_disabled'],
  ['not_found', 404, 'not_found'],
  ['events_expired', 410, 'events_expired'],
  ['method_not_allowed', 405, 'method_not_allowed'],
  ['invalid_state', 409, 'invalid_state'],
  ['reassignment_unconfirmed', 409, 'reassignment_unconfirmed'],
  ['precondition_failed', 412, 'precondition_failed'],
  ['payload_too_large', 413, 'payload_too_large'],
  ['unsupported_media_type', 415, 'unsupported_media_type'],
  ['rate_limited', 429, 'rate_limited'],
  ['internal_error', 500, 'internal_error'],
  ['storage_full', 503, 'storage_full'],
  ['unavailable', 503, 'unavailable'],
] as const)('%s answers %i with the code %s', (kind, status, code) => {
  expect(refusals[kind]).toMatchObject({ status, code })
})

test('every kind has an explanation for people', () => {
  for (const { title, explanation } of Object.values(refusals)) {
    expect(title).toMatch(/^[A-Z]/)
    expect(explanation).toMatch(/\.$/)
  }
})

test('the message is the first issue, and the details list all', () => {
  const issues = [
    { path: ['a', 0], message: 'One.' },
    { path: ['b'], message: 'Two.' },
  ] as const
  const refusal = invalid({ ...issues[0], path: [...issues[0].path] }, { ...issues[1], path: [...issues[1].path] })
  expect(refusal).toEqual({ refusal: 'validation_failed', message: 'One.', details: { issues } })
  expect(refuseIssues(refusal.details?.issues ?? [])).toEqual(refusal)
})

test('an empty list of issues is accepted', () => expect(refuseIssues([])).toBeUndefined())

test('values that only look like refusals are not refusals', () => {
  expect([null, undefined, 'refusal', 404, {}].map(isRefusal)).toEqual([false, false, false, false, false])
  expect([notFound('Flag'), refuse('internal_error', 'x')].map(isRefusal)).toEqual([true, true])
})
