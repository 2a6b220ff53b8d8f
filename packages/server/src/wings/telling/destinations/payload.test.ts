import { expect, it } from 'vitest'
import { eventNames } from '../../../catalogue/events.ts'
import { bodySchemas, isProduced } from '../../../catalogue/payloads.ts'
import { payloadOf, sourceEntityOf, testPayload } from './payload.ts'

const project = { id: 'p', shortId: 7, name: 'Shop' }
const occurredAt = new Date('2026-11-20T09:59:58.120Z')
const by = { type: 'service_token', id: 't', name: 'ci', email: null, role: null }

it('a payload has the common fields, the fields of its event, and who caused it', () => {
  const event = { name: 'flag.created' as const, occurredAt, payload: { flag: { id: 'f' } } }
  expect(payloadOf('d', event, project, by)).toEqual({
    id: 'd',
    event: 'flag.created',
    timestamp: '2026-11-20T09:59:58.120Z',
    project,
    flag: { id: 'f' },
    triggeredBy: by,
  })
  expect(payloadOf('d', event, project, null).triggeredBy).toBeNull()
})

it.each(['user', 'service_token', 'personal_token'])('the schemas accept the type %s in triggeredBy', (type) => {
  const flag = { id: 'f', shortId: 1, key: 'k', name: 'n', status: 'DRAFT' }
  const event = { name: 'flag.created' as const, occurredAt, payload: { flag } }
  const body = payloadOf('d', event, project, { ...by, type })
  expect(bodySchemas['flag.created'].parse(body)).toEqual(body)
})

const other = { id: 'other' }

it.each([
  ['flag.created', { flag: { id: 'f' } }, 'f'],
  ['flag.updated', { flag: { id: 'f' }, environment: other, rule: other }, 'f'],
  ['flag.updated', { environment: { id: 'e' }, flags: [other, other], rules: [] }, 'e'],
  ['flag.published', { environment: { id: 'e' }, flags: [other], audiences: [other] }, 'e'],
  ['flag.schedule_failed', { flag: { id: 'f' }, environment: other, schedule: other }, 'f'],
  ['audience.created', { audience: { id: 'a' } }, 'a'],
  ['audience.updated', { audience: { id: 'a' }, environment: other }, 'a'],
  ['segment.updated', { segment: { id: 's' } }, 's'],
  ['environment.deleted', { environment: { id: 'e' } }, 'e'],
  ['project.updated', { previousName: 'Old' }, 'p'],
  ['webhook.disabled', { webhook: { id: 'w' } }, 'w'],
  ['token.expiring', { token: { id: 't' } }, 't'],
] as const)('%s with %j has the source entity %s', (name, payload, expected) => {
  const body = payloadOf('d', { name, occurredAt, payload }, project, by)
  expect(sourceEntityOf(name, body)).toBe(expected)
})

it('every recorded event has a source entity', () => {
  for (const name of eventNames.filter(isProduced)) {
    const fields = Object.keys(bodySchemas[name].shape)
    const body = Object.fromEntries(fields.map((field) => [field, { id: `id of ${field}` }]))
    if (name === 'webhook.test') expect(sourceEntityOf(name, body)).toBeNull()
    else expect(sourceEntityOf(name, body), name).toMatch(/^id of /)
  }
})

it('a test ping has exactly the documented fields', () => {
  expect(testPayload('d', project, occurredAt)).toEqual({
    id: 'd',
    event: 'webhook.test',
    timestamp: '2026-11-20T09:59:58.120Z',
    project: { id: 'p' },
    test: true,
    message: expect.any(String),
  })
})
